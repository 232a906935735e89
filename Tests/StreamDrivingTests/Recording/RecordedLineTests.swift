import StreamCore
import StreamTesting
import Testing

@testable import StreamDriving
@testable import StreamEngine

/// Lines of a recording: what is written is read, and what is damaged is refused.
@Suite struct RecordedLineTests {
  @Test("Values are read as they were written, with their types")
  func values() throws {
    let values: [Value] = [
      .null, true, 7, .double(7), .double(-0.0), .double(.infinity), .uint(7), .bytes([1, 2]), "text", "$uint",
      .timestamp(Timestamp(seconds: 1, nanoseconds: 5)), .list([1, .uint(1), .list([.double(.nan)])]),
      .map(ValueMap([("$uint", "7")])), .map(ValueMap([("$a", 1), ("b", .bytes([]))])), .map(ValueMap([(1, 2)])),
      (0..<100).reduce(Value.int(1)) { value, _ in .list([value]) },
    ]
    var recorded = RecordedValues()
    for value in values {
      var bytes: [UInt8] = []
      try recorded.append(value, to: &bytes)
      let read = try recorded.read(try JSONDocument(reading: bytes, file: "line").value)
      #expect("\(read.debugged)" == "\(value.debugged)")
    }
  }

  @Test("Times are exact to the nanosecond")
  func times() throws {
    for nanoseconds: Int64 in [
      0, 1, 999_999_999, 1_000_000_001, 3_999_999_999_999_999, 9_000_000_000_000_000_001, -1, .max,
    ] {
      var bytes: [UInt8] = []
      RecordingTime.append(StreamTime(nanoseconds: nanoseconds), to: &bytes)
      let value = try JSONDocument(reading: bytes, file: "line").value
      #expect(RecordingTime.read(value) == StreamTime(nanoseconds: nanoseconds))
    }
  }

  @Test("A line that is damaged is read or refused, and nothing else")
  func damage() {
    let lines = [
      #"{"at":1.5,"input":"a","value":{"n":1,"t":{"$timestamp":"2020-01-01T00:00:00Z"}}}"#,
      #"{"at":2,"input":"a","finished":true}"#, #"{"at":3}"#, #"{"at":3,"timer":true}"#,
      #"{"at":4,"call":3,"function":"f","argument":1,"failure":{"code":"S407","message":"no","pointer":[]}}"#,
      #"{"at":4,"swap":{"file":"a","path":"/a","id":"","text":"{}"},"after":3,"trial":true}"#,
      #"{"at":4,"trial":"failed","after":3,"failure":{"code":"S402","message":"no","pointer":[]}}"#,
      #"{"at":4,"trial":"kept"}"#, #"{"end":9,"events":3,"values":2,"because":"finished"}"#,
    ]
    var generator = SeededGenerator(seed: 44)
    var recorded = RecordedValues()
    var readCount = 0
    for number in 0..<10_000 {
      var bytes = Array(lines[number % lines.count].utf8)
      for _ in 0...generator.below(3) {
        guard !bytes.isEmpty else { break }
        switch generator.below(3) {
        case 0: bytes[generator.below(bytes.count)] = UInt8(generator.below(256))
        case 1: bytes.removeLast(generator.below(bytes.count))
        default: bytes.insert(UInt8(32 + generator.below(95)), at: generator.below(bytes.count))
        }
      }
      guard let document = try? JSONDocument(reading: bytes, file: "line") else { continue }
      if (try? recorded.entry(document.value)) != nil { readCount += 1 }
    }
    #expect(readCount > 0)
  }
}

extension Value {
  /// A text that shows the types.
  fileprivate var debugged: String { (try? taggedForJSON).map(JSONWriter.compact) ?? "" }
}
