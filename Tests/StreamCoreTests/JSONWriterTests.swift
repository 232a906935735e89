@_spi(Engine) import StreamCore
import StreamTesting
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  static let forms: [(Value, String)] = [
    (Value.null, "null"), (true, "true"), (0, "0"), (.int(.min), "-9223372036854775808"),
    (.uint(.max), "18446744073709551615"), (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (0.0001, "0.0001"),
    (0.00001, "1e-05"), (1e20, "1e+20"), (1e16, "1e+16"), (123456.789, "123456.789"), (1.05, "1.05"),
    (-0.001, "-0.001"), (999_999_999.999999, "999999999.999999"), (100.0, "100.0"),
    (.double(.nan), "\"NaN\""), (.double(.infinity), "\"Infinity\""), (.double(-.infinity), "\"-Infinity\""),
    (.bytes([1, 2, 255, 0]), "\"AQL/AA==\""), (.timestamp(Timestamp(seconds: 0)), "\"1970-01-01T00:00:00Z\""),
    (.duration(.milliseconds(1500)), "\"1.5s\""),
    (
      "a\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}\u{2028}é😀", "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7F}\u{2028}é😀\""
    ),
    ([], "[]"), ([:], "{}"), ([1, [2, []], ["a": [:]]], "[1,[2,[]],{\"a\":{}}]"),
    ([1: "a", true: "b", "c": .null], "{\"1\":\"a\",\"true\":\"b\",\"c\":null}"),
  ]

  @Test("Values have their shortest form", arguments: forms)
  func writesCompactly(value: Value, expected: String) {
    let actual = JSONWriter.compact(value)
    #expect(actual == expected)
  }

  @Test("100,000 random doubles read back as themselves, in Swift's own digits where these are plain")
  func roundTripsDoubles() throws {
    var random = SeededGenerator(seed: 7)
    var reader = JSONReader()
    var failures = 0
    for index in 0..<100_000 {
      let number =
        switch index % 4 {
        case 0: random.double()
        case 1: Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 1000
        case 2: Double.random(in: -2...2, using: &random)
        default: (Double.random(in: -1e6...1e6, using: &random) * 1e6).rounded() / 1e6
        }
      let text = JSONWriter.compact(.double(number))
      let back = try reader.read(text)
      if back != .double(number) || text != number.description { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test("100,000 random values read back as themselves, written compactly and prettily")
  func roundTripsValues() throws {
    var random = SeededGenerator(seed: 11)
    var reader = JSONReader()
    var failures = 0
    for index in 0..<100_000 {
      let value = random.json(depth: 3)
      let compact = JSONWriter.compact(value)
      if try reader.read(compact) != value { failures += 1 }
      if index % 10 == 0 {
        let pretty = JSONWriter.pretty(value)
        let back = try reader.read(pretty)
        if back != value || JSONWriter.compact(back) != compact { failures += 1 }
      }
    }
    #expect(failures == 0)
  }

  @Test("The pretty form is the project's look")
  func writesPrettily() throws {
    let text = """
      {
        "format": 1,
        "name": "Serial Stream A",
        "nothing": {},
        "none": [],
        "stream": [
          { "value": 1, "operators": [ { "delay": { "seconds": 1 } } ] },
          { "value": 2, "operators": [] }
        ],
        "operators": [
          { "filter": { "expression": "value != 3" } },
          {
            "map": {
              "expression": "this is an expression that is too long to stand on one line with what is around it"
            }
          }
        ],
        "names": [ "a", "b" ]
      }
      """
    let value = try document(text).value
    let pretty = JSONWriter.pretty(value)
    #expect(pretty == text)
    let scalars = [
      JSONWriter.pretty([1, 2, "é"]), JSONWriter.pretty(5), JSONWriter.pretty([]), JSONWriter.pretty([[1]]),
    ]
    #expect(scalars == ["[ 1, 2, \"é\" ]", "5", "[]", "[\n  [ 1 ]\n]"])
  }

  @Test("No line that could be broken is longer than 100 columns")
  func breaksLines() {
    let lengths = [73, 74].map { count in
      let value: Value = ["k": ["a": .string(String(repeating: "é", count: count)), "b": 1]]
      return JSONWriter.pretty(value).split(separator: "\n").map(\.count)
    }
    #expect(lengths == [[1, 99, 1], [1, 8, 86, 10, 3, 1]])
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let value: Value = ["a": .list((0..<40).map { _ in .int(Int64(random.next() % 100_000)) })]
      let longest = JSONWriter.pretty(value).split(separator: "\n").map(\.count).max() ?? 0
      #expect(longest <= 100)
    }
  }

  @Test("Appending keeps existing text")
  func appends() {
    var bytes = Array("x".utf8)
    JSONWriter.append([1], to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x[1]")
  }
}

/// Maps may have keys that only JSON takes for one.
@Suite("Names that two keys have")
struct RepeatedNameTests {
  private static let repeated: [Value] = [
    .map(ValueMap([(.int(1), .null), (.string("1"), .null)])),
    .map(ValueMap([(.bool(true), .null), (.string("true"), .null)])),
    .list([.map(ValueMap([(.string("a"), .map(ValueMap([(.int(1), 1), (.string("1"), 2)])))]))]),
  ]

  @Test("They are refused at every depth", arguments: repeated)
  func refused(value: Value) {
    #expect { try JSONWriter.text(of: value) } throws: { ($0 as? Diagnostic)?.code == .invalidConversion }
    let writer = JSONRecordWriter()
    for _ in 0..<2 {
      var bytes: [UInt8] = [7]
      #expect { try writer.appendChecked(value, to: &bytes) } throws: {
        ($0 as? Diagnostic)?.code == .invalidConversion
      }
      #expect(bytes == [7])
    }
    var bytes: [UInt8] = []
    #expect(throws: Never.self) { try writer.appendChecked(["a": 1], to: &bytes) }
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1}"#)
  }

  @Test("Keys of several types with different names are written")
  func written() throws {
    let value = Value.map(ValueMap([(.int(1), 1), (.string("2"), 2), (.bool(true), 3)]))
    #expect(try JSONWriter.text(of: value) == #"{"1":1,"2":2,"true":3}"#)
  }
}
