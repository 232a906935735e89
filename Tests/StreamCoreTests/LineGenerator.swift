import Foundation
import StreamCore
import StreamTesting

/// Makes lines that mostly look like those before them.
struct LineGenerator {
  /// How many lines a test reads: `PROPERTIES`, else 4,000.
  static let count = ProcessInfo.processInfo.environment["PROPERTIES"].flatMap { Int($0) } ?? 4_000

  private var random: SeededGenerator
  private var keys: [[String]] = [["t", "a", "b"], ["a", "long name", "x y", "c\"d", "nested"]]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  mutating func next() -> [UInt8] {
    if one(of: 200) {
      keys[Int.random(in: 0..<keys.count, using: &random)] =
        (0..<Int.random(in: 0...6, using: &random)).map { "\($0)" + random.text() }
    }
    var names = keys[one(of: 20) ? 1 : 0]
    if one(of: 50) { names.shuffle(using: &random) }
    if one(of: 100), let name = names.randomElement(using: &random) { names.append(name) }
    var bytes: [UInt8] = []
    add("{", to: &bytes)
    let spacing = [("", ""), (" ", " "), ("", " "), (" ", "")][one(of: 3) ? Int.random(in: 0..<4, using: &random) : 0]
    for (place, name) in names.enumerated() {
      if place > 0 { add("," + spacing.0, to: &bytes) }
      bytes += JSONWriter.compact(.string(name)).utf8
      add(":" + spacing.1, to: &bytes)
      add(value(), to: &bytes)
    }
    add("}", to: &bytes)
    if one(of: 20) { bytes.append(0x0D) }
    if one(of: 15) { spoil(&bytes) }
    return bytes
  }

  private mutating func add(_ text: String, to bytes: inout [UInt8]) {
    if one(of: 300) { bytes.append(0x20) }
    bytes += text.utf8
    if one(of: 300) { bytes.append(0x20) }
  }

  private mutating func spoil(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(place...)
    case 1: bytes.remove(at: place)
    case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
    default: bytes.insert(Array(#"0.-e"\,:{}[]5"#.utf8).randomElement(using: &random) ?? 0, at: place)
    }
  }

  private mutating func digits(_ most: Int) -> String {
    String(
      (0..<Int.random(in: 1...most, using: &random)).map { _ in "0123456789".randomElement(using: &random) ?? "0" })
  }

  private mutating func value() -> String {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return "true"
    case 1: return "false"
    case 2: return "null"
    case 3: return JSONWriter.compact(random.json(depth: 2))
    case 4: return JSONWriter.compact(.string(random.text()))
    case 5: return JSONWriter.compact(.double(random.double()))
    case 6: return digits(22)
    case 7: return "-\(digits(20)).\(digits(20))"
    case 8: return "\(Int.random(in: -9...9, using: &random))e\(digits(2))"
    case 9: return ["0.0", "-0.0", "-0", "0", "0.001", "0.0009", "1.0", "100.0", "0.00", "0.10"].randomElement() ?? "0"
    case 10...13: return "\"" + String(repeating: "d", count: Int.random(in: 0...20, using: &random)) + "\""
    case 14...18: return "\(Int.random(in: -10_000...10_000, using: &random))"
    default: return "\(Double(Int.random(in: -100_000...100_000, using: &random)) / 1e4)"
    }
  }
}
