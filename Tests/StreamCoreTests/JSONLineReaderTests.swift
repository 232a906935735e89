@_spi(Engine) import StreamCore
import Testing

/// Lines of a predicted layout are read as by `JSONReader`, with the same errors.
@Suite("Reading lines of JSON")
struct JSONLineReaderTests {
  /// The result for a line.
  private struct Reading {
    var result: Result<Value, JSONError>
    var whole: Value?
  }

  private func read(_ reader: JSONLineReader, _ bytes: [UInt8]) -> Reading {
    PaddedBytes.with(bytes) { line in
      do throws(JSONError) {
        try reader.read(line)
        return Reading(result: .success(reader.value.pointee), whole: try reader.whole(line))
      } catch {
        return Reading(result: .failure(error))
      }
    }
  }

  @Test("Any lines, one after the other", arguments: 0..<8)
  func agrees(seed: Int) {
    var lines = LineGenerator(seed: UInt64(seed))
    let reader = JSONLineReader()
    var wrong = 0
    let count = LineGenerator.count
    for _ in 0..<count {
      let line = lines.next()
      let text = String(decoding: line, as: UTF8.self)
      let expected = StreamCoreTests.read(bytes: line)
      let actual = read(reader, line)
      switch (expected, actual.result) {
      case (.success(let value), .success(let found)):
        // Bit by bit: -0.0 is not 0.
        if JSONWriter.compact(found) != JSONWriter.compact(value) || found != value {
          Issue.record("another value: \(text)")
        }
        if actual.whole != value { Issue.record("all of it is another value: \(text)") }
      case (.failure(let error), .failure(let found)):
        wrong += 1
        if error != found { Issue.record("\(error) expected, \(found) found: \(text)") }
      default: Issue.record("one reads it, the other does not: \(text)")
      }
    }
    // Otherwise no line had the predicted layout.
    #expect(wrong > count / 40)
  }

  @Test("A retained record does not change")
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

  @Test("The bytes after a line are not read")
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

  @Test("A string that is longer than allowed is refused, with a predicted layout or without")
  func limits() {
    let reader = JSONLineReader(limits: JSONLimits(depth: 8, bytes: 12))
    #expect(read(reader, Array(#"{"a":1}"#.utf8)).result == .success(["a": 1]))
    #expect(read(reader, Array(#"{"a":123}"#.utf8)).result == .success(["a": 123]))
    #expect(read(reader, Array(#"{"a":1234567890}"#.utf8)).result.failure?.code == .tooLarge)
  }

  @Test("A value that was replaced, by a record of another shape or none, does not disturb the lines behind it")
  func replaced() {
    let lines = (0..<30).map { #"{"a":\#($0),"b":"x","c":\#($0)}"# }
    let others: [Value] = [
      .null, 1, [:], ["a": 1], ["c": .null, "b": .null, "a": .null],
    ]
    let reader = JSONLineReader()
    for (index, line) in lines.enumerated() {
      let actual = read(reader, Array(line.utf8))
      let expected = StreamCoreTests.read(bytes: Array(line.utf8))
      #expect(actual.result == expected)
      reader.replaceValue(by: others[index % others.count])
      #expect(reader.value.pointee == others[index % others.count])
    }
  }
}
