@_spi(Engine) import StreamCore
import Testing

@Suite("Errors of a JSON text")
struct JSONErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let code: DiagnosticCode
    let message: String
    let line: Int
    let column: Int
    let pointer: String
    let help: String?

    init(
      _ text: String, _ code: DiagnosticCode, _ message: String, _ line: Int, _ column: Int, _ pointer: String = "",
      help: String? = nil
    ) {
      self.text = text
      self.code = code
      self.message = message
      self.line = line
      self.column = column
      self.pointer = pointer
      self.help = help
    }

    var testDescription: String { text }
  }

  static let cases: [Case] = [
    Case("", .emptyText, "the text is empty; expected JSON", 1, 1),
    Case(" \n ", .emptyText, "the text holds only white space; expected JSON", 2, 2),
    Case("1 2", .trailingText, "the JSON value ends before '2'", 1, 3),
    Case("{} x", .trailingText, "the JSON value ends before 'x'", 1, 4),
    Case("[1]]", .trailingText, "the JSON value ends before ']'", 1, 4),
    Case("]", .syntax, "']' has no matching opening bracket", 1, 1),
    Case("[1,\n 2", .unexpectedEnd, "the text ends inside an array", 2, 3, help: "close it with ']'"),
    Case("{\"a\"", .unexpectedEnd, "the text ends inside an object", 1, 5),
    Case("{\"a\": \"b", .unexpectedEnd, "the text ends inside a string", 1, 9, "/a"),
    Case("\"ab\\", .unexpectedEnd, "the text ends inside a string", 1, 5),
    Case("\"ab\\u00", .unexpectedEnd, "the text ends inside a string", 1, 8),
    Case("[1,]", .syntax, "JSON does not allow a comma before ']'", 1, 3, help: "remove the comma"),
    Case("{\"a\":1,}", .syntax, "JSON does not allow a comma before '}'", 1, 7),
    Case("[,1]", .syntax, "a value is missing before this comma", 1, 2, "/0"),
    Case("[1 2]", .syntax, "a comma is missing before '2'", 1, 4),
    Case("{\"a\":1 \"b\":2}", .syntax, "a comma is missing before a string", 1, 8),
    Case("{\"a\" 1}", .syntax, "expected a colon after the key, found '1'", 1, 6, "/a"),
    Case("{\"a\"=1}", .syntax, "expected a colon after the key, found '='", 1, 5, "/a"),
    Case("{\"a\":}", .syntax, "a value is missing before '}'", 1, 6, "/a"),
    Case("{,}", .syntax, "a key is missing before this comma", 1, 2),
    Case("{a: 1}", .syntax, "a key is written in double quotes", 1, 2, help: "write \"a\""),
    Case("{'a': 1}", .syntax, "a JSON key is written in double quotes", 1, 2),
    Case("{1: 1}", .syntax, "a key is written in double quotes", 1, 2, help: "write \"1\""),
    Case("{\"a\": [1}", .syntax, "'}' does not match the open array", 1, 9, "/a"),
    Case("[\"a\": 1]", .syntax, "an array has no keys", 1, 5),
    Case("['a']", .syntax, "a JSON string is written in double quotes", 1, 2, "/0"),
    Case("[1] // one", .trailingText, "the JSON value ends before '/'", 1, 5),
    Case("[1, // one\n2]", .syntax, "JSON has no comments", 1, 5, "/1"),
    Case("{ /* a */ }", .syntax, "JSON has no comments", 1, 3),
    Case("[1 # one\n]", .syntax, "JSON has no comments", 1, 4),
    Case("[True]", .syntax, "JSON has no 'True'", 1, 2, "/0", help: "write true"),
    Case("[None]", .syntax, "JSON has no 'None'", 1, 2, "/0", help: "write null"),
    Case("[undefined]", .syntax, "JSON has no 'undefined'", 1, 2, "/0", help: "write null"),
    Case("[NaN]", .syntax, "JSON has no infinity and no NaN", 1, 2, "/0"),
    Case("[-Infinity]", .syntax, "JSON has no infinity and no NaN", 1, 2, "/0"),
    Case("[nulll]", .syntax, "'nulll' is not a JSON value", 1, 2, "/0"),
    Case(
      "[hello]", .syntax, "'hello' is not a JSON value", 1, 2, "/0",
      help: "a string is written in double quotes: \"hello\""
    ),
    Case("[01]", .syntax, "a JSON number has no leading zeros", 1, 2, "/0", help: "write 1"),
    Case("[-00.5]", .syntax, "a JSON number has no leading zeros", 1, 2, "/0", help: "write -0.5"),
    Case("[+1]", .syntax, "a JSON number has no plus sign", 1, 2, "/0", help: "write 1"),
    Case("[.5]", .syntax, "a number needs a digit before its decimal point", 1, 2, "/0", help: "write 0.5"),
    Case("[-.5]", .syntax, "a number needs a digit before its decimal point", 1, 2, "/0", help: "write -0.5"),
    Case("[1.]", .syntax, "a number needs a digit after its decimal point", 1, 2, "/0", help: "write 1.0"),
    Case("[1.e5]", .syntax, "a number needs a digit after its decimal point", 1, 2, "/0"),
    Case("[1e]", .syntax, "an exponent needs digits", 1, 2, "/0"),
    Case("[1e+]", .syntax, "an exponent needs digits", 1, 2, "/0"),
    Case("[-]", .syntax, "a minus sign needs digits after it", 1, 2, "/0"),
    Case("[0x1F]", .syntax, "JSON numbers are decimal", 1, 2, "/0"),
    Case("[1.2.3]", .syntax, "'1.2.3' is not a JSON number", 1, 2, "/0"),
    Case("[12abc]", .syntax, "'12abc' is not a JSON number", 1, 2, "/0"),
    Case(
      "[18446744073709551616]", .numberOutOfRange, "18446744073709551616 does not fit in a 64-bit integer", 1, 2, "/0"),
    Case("-9223372036854775809", .numberOutOfRange, "-9223372036854775809 does not fit in a 64-bit integer", 1, 1),
    Case("100000000000000000000", .numberOutOfRange, "100000000000000000000 does not fit in a 64-bit integer", 1, 1),
    Case("{\"n\": 1e309}", .numberOutOfRange, "1e309 is out of the range of a double", 1, 7, "/n"),
    Case(
      "-1e999999999999999999999", .numberOutOfRange, "-1e999999999999999999999 is out of the range of a double", 1, 1),
    Case("\"a\nb\"", .syntax, "a string cannot contain a line break", 1, 3),
    Case("\"a\tb\"", .syntax, "a tab in a string must be escaped", 1, 3, help: "write \\t"),
    Case("\"a\u{1}b\"", .syntax, "a control character in a string must be escaped", 1, 3, help: "write \\u0001"),
    Case(#""a\qb""#, .syntax, #"'\q' is not a JSON escape"#, 1, 3),
    Case(#""\u12G4""#, .syntax, "\\u needs four hexadecimal digits", 1, 2),
    Case(#""\uD800""#, .loneSurrogate, #"\uD800 is half of a surrogate pair and not a character"#, 1, 2),
    Case(#""\uDC00x""#, .loneSurrogate, #"\uDC00 is half of a surrogate pair and not a character"#, 1, 2),
    Case(#""\uD800\u0041""#, .loneSurrogate, #"\uD800 is half of a surrogate pair and not a character"#, 1, 2),
    Case("{\"a\":1,\n \"a\":2}", .duplicateKey, "the key 'a' appears twice in one object", 2, 2, "/a"),
    Case("\u{FEFF}x", .syntax, "'x' is not a JSON value", 1, 1),
    Case("[\"😀é\", é]", .syntax, "expected a value, found 'é'", 1, 8, "/1"),
  ]

  @Test("Errors have a description, a place and a fix", arguments: cases)
  func tells(_ expected: Case) throws {
    let all = problems(expected.text)
    let first = try #require(all.first)
    #expect(all.count == 1)
    #expect(first.code == expected.code)
    #expect(first.message == expected.message)
    #expect(first.location?.line == expected.line)
    #expect(first.location?.column == expected.column)
    #expect(first.pointer.description == expected.pointer)
    if let help = expected.help { #expect(first.help == help) }
    let fromReader = read(expected.text).failure
    #expect(fromReader?.code == expected.code)
    #expect(fromReader?.message == expected.message)
    #expect(fromReader?.bytes == first.location?.bytes)
    #expect(fromReader?.pointer == first.pointer)
  }

  @Test("All duplicate keys are reported, and the first syntax error with them")
  func collectsDuplicates() {
    let all = problems("{\"a\":1,\"b\":{\"c\":1,\"c\":{\"d\":0,\"d\":1},\"c\":3},\"a\":2,}")
    let codes = all.map(\.code)
    #expect(codes == [.duplicateKey, .duplicateKey, .duplicateKey, .duplicateKey, .syntax])
    let pointers = all.map(\.pointer.description)
    #expect(pointers == ["/b/c", "/b/c/d", "/b/c", "/a", ""])
    let notes = all.flatMap(\.notes)
    #expect(
      notes == [
        "the first occurrence is at column 13", "the first occurrence is at column 24",
        "the first occurrence is at column 13", "the first occurrence is at column 2",
      ])
    let columns = all.compactMap { $0.location?.column }
    #expect(columns == [19, 30, 37, 44, 49])
  }

  @Test("The end of the text reports the open brackets and where they begin")
  func tellsWhatIsOpen() {
    let notes = problems("{\n  \"a\": [1,").flatMap(\.notes)
    #expect(notes == ["the array begins at line 2, column 8"])
  }

  static let badUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98],
  ]

  @Test("Bytes that are not UTF-8 are refused where they stand", arguments: badUTF8)
  func refusesBadUTF8(_ bad: [UInt8]) {
    let inValue = read(bytes: Array("[\"ab".utf8) + bad + Array("\"]".utf8)).failure
    #expect(inValue?.code == .invalidUTF8)
    #expect(inValue?.offset == 4)
    let inKey = read(bytes: Array("{\"ab".utf8) + bad + Array("\":1}".utf8)).failure
    #expect(inKey?.code == .invalidUTF8)
    let outside = read(bytes: Array("[".utf8) + bad + Array("]".utf8)).failure
    #expect(outside?.code == .invalidUTF8)
    let asDocument = document(Array("[\"ab".utf8) + bad + Array("\"]".utf8)).failure
    #expect(asDocument?.all.first?.location?.column == 5)
  }
}
