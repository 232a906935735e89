@_spi(Engine) import StreamCore
import StreamTesting
import Testing

/// Records are written as `JSONWriter` writes them.
@Suite("Writing records")
struct JSONRecordWriterTests {
  @Test("Any values, one after the other, with the same keys or others")
  func agrees() {
    var random = SeededGenerator(seed: 7)
    let writer = JSONRecordWriter()
    var shapes: [Shape] = (0..<12).map { count in Shape(names: (0..<count).map { "\($0)" + random.text() }) }
    shapes.append(Shape([.string(String(repeating: "k", count: 3_000)), .int(1), .bool(true)]))
    for _ in 0..<5_000 {
      let value: Value
      if Bool.random(using: &random), let shape = shapes.randomElement(using: &random) {
        value = .map(ValueMap(shape: shape, slots: shape.keys.map { _ in field(&random) }))
      } else {
        value = random.value(depth: 2)
      }
      var bytes: [UInt8] = [1]
      writer.append(value, to: &bytes)
      let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
      if text != JSONWriter.compact(value) { Issue.record("\(text) written for \(JSONWriter.compact(value))") }
    }
  }

  private func field(_ random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .string(String(repeating: "long", count: Int.random(in: 0...2_000, using: &random)))
    case 1: random.value(depth: 2)
    case 2: .double(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1e4)
    default: random.json(depth: 1)
    }
  }

  @Test("Numbers have the digits that Swift gives them")
  func numbers() {
    var random = SeededGenerator(seed: 3)
    for count in 0..<50_000 {
      let number =
        count % 2 == 0 ? random.double() : Double(Int64(bitPattern: random.next()) >> Int64(count % 60)) / 1e6
      let text = JSONWriter.compact(.double(number))
      if text != number.description { Issue.record("\(text) written for \(number)") }
      let int = Int64(bitPattern: random.next()) >> Int64(count % 64)
      if JSONWriter.compact(.int(int)) != "\(int)" { Issue.record("\(int)") }
    }
    #expect(
      JSONWriter.compact([.int(.min), .int(.max), .uint(.max), 0]) == "[\(Int64.min),\(Int64.max),\(UInt64.max),0]")
  }
}
