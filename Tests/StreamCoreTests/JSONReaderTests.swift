@_spi(Engine) import StreamCore
import StreamTesting
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  static let good: [(String, Value)] = [
    ("null", .null), ("true", true), ("false", false), ("0", 0), ("-1", -1), ("  7\n", 7), ("[]", []), ("{}", [:]),
    ("[ ]", []), ("{ }", [:]), ("[1,2 , 3]", [1, 2, 3]), ("[[],[[]],{}]", [[], [[]], [:]]),
    (#"{"a":1,"b":{"c":[true,null]}}"#, ["a": 1, "b": ["c": [true, .null]]]),
    (#"{"":0}"#, ["": 0]), ("\r\n\t[\r\n1\t]\r\n", [1]),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .uint(1 << 63)), ("9999999999999999999", .uint(9_999_999_999_999_999_999)),
    ("10000000000000000000", .uint(10_000_000_000_000_000_000)), ("18446744073709551615", .uint(.max)),
    ("1234567890123456789", 1_234_567_890_123_456_789), ("-0", 0), ("[-0]", [0]), ("-0.0", .double(-0.0)),
    ("1.5", 1.5), ("1e0", 1.0), ("1E+2", 100.0), ("1e-2", 0.01), ("0e5", 0.0), ("0.5e1", 5.0), ("-2.5E-1", -0.25),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
    ("1e-400", 0.0), ("0.1", 0.1), ("123456789.125", 123_456_789.125), ("9007199254740993.0", 9_007_199_254_740_992.0),
    ("0.30000000000000004", .double(0.1 + 0.2)), ("100000000000000000000.0", 1e20), ("1e22", 1e22), ("1e23", 1e23),
    ("0.000000000000000000000000000000000000001", 1e-39),
    ("\"\"", ""), (#""a\"b\\c\/d\b\f\n\r\te""#, "a\"b\\c/d\u{8}\u{C}\n\r\te"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\uD83D\uDE00""#, "😀"), (#""\u0000""#, "\u{0}"), ("\"é漢😀\"", "é漢😀"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    (#""12345678\n12345678""#, "12345678\n12345678"), (#""\uFFFF""#, "\u{FFFF}"), ("\"\u{FEFF}\"", "\u{FEFF}"),
    ("\u{FEFF}[1]", [1]),
    (#"{"a\"b":1,"\u0061":2}"#, ["a\"b": 1, "a": 2]), ("{\"é\":1,\"e\u{301}\":2}", ["é": 1, "e\u{301}": 2]),
  ]

  @Test("Well-formed strings give their values", arguments: good)
  func readsWellFormed(text: String, expected: Value) throws {
    let actual = try read(text).get()
    #expect(actual == expected)
    let fromDocument = try document(text).value
    #expect(fromDocument == expected)
  }

  @Test("The sign of zero is kept, and an int is not a double")
  func keepsSignOfZero() throws {
    #expect(try read("-0").get() == .int(0))
    let zero = try read("-0.0").get()
    guard case .double(let number) = zero else {
      Issue.record("-0.0 is not a double")
      return
    }
    #expect(number.sign == .minus)
    let int = try read("1").get()
    #expect(int != 1.0)
  }

  @Test("Doubles are read as Swift reads them")
  func readsRandomDoubles() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let digits = String(random.next() % 1_000_000_000_000_000)
      let exponent = Int.random(in: -330...300, using: &random)
      for text in ["\(digits).5e\(exponent)", "\(digits)e\(exponent)", "0.\(digits)", "-\(digits).\(digits)"] {
        let expected = Double(text) ?? .nan
        guard expected.isFinite else { continue }
        let actual = try read(text).get()
        #expect(actual == .double(expected), "\(text)")
      }
    }
  }

  @Test("Objects with the same keys share their shape, also from text to text")
  func sharesShapes() throws {
    var reader = JSONReader()
    var shapes: [Shape] = []
    for text in [#"{"x":1,"y":2}"#, #"{ "x" : 3, "y" : 4 }"#, #"{"\u0078":1,"y":2}"#] {
      guard case .map(let map) = try reader.read(text) else { continue }
      shapes.append(map.shape)
    }
    let areSame = shapes.count == 3 && shapes.allSatisfy { $0 === shapes[0] }
    #expect(areSame)
    let list = try reader.read(#"[{"x":1},{"x":2,"y":3},{"y":1,"x":2},{"x":1,"yy":2},{"x":1,"y":2,"z":3}]"#)
    let expected: Value = [
      ["x": 1], ["x": 2, "y": 3], ["y": 1, "x": 2], ["x": 1, "yy": 2], ["x": 1, "y": 2, "z": 3],
    ]
    #expect(list == expected)
  }

  @Test("A key with a quotation mark is not taken for a piece of text that looks like it")
  func tellsEscapedKeysApart() throws {
    var reader = JSONReader()
    let first = try reader.read(#"{"a\"b":1}"#)
    #expect(first == ["a\"b": 1])
    let second = Result { () throws(JSONError) in try reader.read(#"{"a"b":1}"#) }
    #expect(second.failure?.code == .syntax)
    let third = try reader.read(#"{"a":1}"#)
    #expect(third == ["a": 1])
  }

  @Test("Ever new keys do not make the reader slow or large, and wide objects are read")
  func survivesEverNewKeys() throws {
    var reader = JSONReader()
    for index in 0..<20_000 {
      let value = try reader.read(#"{"k\#(index)":1,"id":2}"#)
      #expect(value[JSONPointer(["id"])] == 2)
    }
    let wide = "{" + (0..<2000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    let value = try reader.read(wide)
    #expect(value[JSONPointer(["k1999"])] == 1999)
    let twice = Result { () throws(JSONError) in try reader.read(wide.dropLast() + ",\"k1500\":1}") }
    #expect(twice.failure?.code == .duplicateKey)
    #expect(twice.failure?.pointer == JSONPointer(["k1500"]))
  }

  @Test("An error leaves the reader ready for the next line")
  func recoversFromErrors() throws {
    var reader = JSONReader()
    for text in [#"{"a":[1,{"b":"#, "[[[", #"{"a":1,"a":2}"#, "nul"] {
      let result = Result { () throws(JSONError) in try reader.read(text) }
      #expect(result.failure != nil)
      let next = try reader.read(#"{"a":{"b":[1]}}"#)
      #expect(next == ["a": ["b": [1]]])
    }
  }
}
