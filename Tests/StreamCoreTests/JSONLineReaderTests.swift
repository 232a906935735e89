import StreamCore
import Testing

/// Lines that are foreseen are read as a `JSONReader` reads them, and what it refuses is refused.
@Suite("Reading lines of JSON")
struct JSONLineReaderTests {
  /// What became of a line.
  private struct Reading {
    var result: Result<Value, JSONError>
    var isPart = false
    var isCanonical = false
    var whole: Value?
  }

  private func read(_ reader: JSONLineReader, _ bytes: [UInt8]) -> Reading {
    PaddedBytes.with(bytes) { line in
      do throws(JSONError) {
        try reader.read(line)
        return Reading(
          result: .success(reader.value.pointee), isPart: reader.isPart, isCanonical: reader.isCanonical,
          whole: try reader.whole(line))
      } catch {
        return Reading(result: .failure(error))
      }
    }
  }

  @Test("Any lines, one after the other", arguments: 0..<8)
  func agrees(seed: Int) {
    var lines = LineGenerator(seed: UInt64(seed))
    let names: Set<String>? = seed % 2 == 0 ? nil : ["a", "long name", "t", "missing", "nested"]
    let reader = JSONLineReader(reading: names)
    var (parts, canonical, wrong) = (0, 0, 0)
    for _ in 0..<20_000 {
      let line = lines.next()
      let text = String(decoding: line, as: UTF8.self)
      let expected = StreamCoreTests.read(bytes: line)
      let actual = read(reader, line)
      switch (expected, actual.result) {
      case (.success(let value), .success(let found)):
        check(found, isPartOf: value, names, actual.isPart, text)
        if actual.whole != value { Issue.record("all of it is another value: \(text)") }
        if actual.isCanonical {
          canonical += 1
          if JSONWriter.compact(value) != text { Issue.record("written in another way: \(text)") }
        }
        if actual.isPart { parts += 1 }
        if actual.isPart != reader.isPart(found) { Issue.record("not known as a part: \(text)") }
      case (.failure(let error), .failure(let found)):
        wrong += 1
        if error != found { Issue.record("\(error) expected, \(found) found: \(text)") }
      default: Issue.record("one reads it, the other does not: \(text)")
      }
    }
    // Else nothing was looked at.
    #expect(canonical > 1_000)
    #expect(wrong > 500)
    #expect(names == nil ? parts == 0 : parts > 1_000)
  }

  /// Whether the fields that are read are as they should be, bit by bit: -0.0 is not 0.
  private func check(_ found: Value, isPartOf value: Value, _ names: Set<String>?, _ isPart: Bool, _ text: String) {
    guard isPart, case .map(let record) = found, case .map(let whole) = value else {
      if JSONWriter.compact(found) != JSONWriter.compact(value) || found != value {
        Issue.record("another value: \(text)")
      }
      return
    }
    if record.keys != whole.keys { Issue.record("other keys: \(text)") }
    for name in names ?? [] where record[name] != whole[name] {
      Issue.record("another value of '\(name)': \(text)")
    }
  }

  @Test("A record that somebody keeps stays as it is")
  func keeps() {
    let reader = JSONLineReader()
    var kept: [Value] = []
    for number in 0..<5 {
      if case .success(let value) = read(reader, Array(#"{"a":\#(number),"b":"x\#(number)"}"#.utf8)).result {
        kept.append(value)
      }
    }
    #expect(kept == (0..<5).map { ["a": .int($0), "b": .string("x\($0)")] })
  }

  @Test("What stands behind a line is not read")
  func ends() {
    let text = Array(#"{"a":1}"#.utf8)
    let reader = JSONLineReader()
    for length in 0...text.count {
      _ = read(reader, text)
      let rest = Array("234}".utf8) + Array(repeating: UInt8(ascii: "9"), count: PaddedBytes.padding)
      let memory = text[..<length] + rest
      let found = memory.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return Result<Value, JSONError>.success(.null) }
        return Result { () throws(JSONError) in
          try reader.read(PaddedBytes(unsafe: base, count: length))
          return reader.value.pointee
        }
      }
      #expect(found == StreamCoreTests.read(bytes: Array(text[..<length])))
    }
  }

  @Test("A text that is longer than allowed is refused, whether or not it is foreseen")
  func limits() {
    let reader = JSONLineReader(limits: JSONLimits(depth: 8, bytes: 12))
    #expect(read(reader, Array(#"{"a":1}"#.utf8)).result == .success(["a": 1]))
    #expect(read(reader, Array(#"{"a":123}"#.utf8)).result == .success(["a": 123]))
    #expect(read(reader, Array(#"{"a":1234567890}"#.utf8)).result.failure?.code == .tooLarge)
  }
}

/// Makes lines that mostly look like those before them.
private struct LineGenerator {
  private var random: SeededGenerator
  private var keys: [[String]] = [["t", "a", "b"], ["a", "long name", "x y", "c\"d", "nested"]]

  init(seed: UInt64) { random = SeededGenerator(seed) }

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
