import StreamCore
import Testing

@Suite("Places in a JSON document")
struct JSONDocumentTests {
  let text = """
    {
      "name": "é😀", "list": [10, {"x": null}, []],
      "odd/key~": {"\\u0061b": "t\\u0061b\\tend \\uD83D\\uDE00!\\u00e9\\\\"}
    }
    """

  /// The piece of the text that a pointer and a part mean.
  private func piece(_ pointer: String, _ part: Diagnostic.Part = .value) throws -> String {
    let document = try document(text)
    let diagnostic = Diagnostic(.wrongType, "", at: try JSONPointer(parsing: pointer), part: part)
    let bytes = try #require(document.locate(diagnostic).location?.bytes)
    return String(decoding: document.source.bytes[bytes], as: UTF8.self)
  }

  @Test("Pointers lead to values and keys")
  func findsValuesAndKeys() throws {
    let pieces = try [
      piece("/name"), piece("/name", .key), piece("/list"), piece("/list/0"), piece("/list/1/x"),
      piece("/list/1/x", .key), piece("/list/2"), piece("/list/2", .key), piece("/odd~1key~0", .key),
      piece("/odd~1key~0/ab", .key),
    ]
    #expect(
      pieces == [
        #""é😀""#, #""name""#, #"[10, {"x": null}, []]"#, "10", "null", #""x""#, "[]", "[]", #""odd/key~""#,
        #""\u0061b""#,
      ])
    let whole = try piece("")
    #expect(whole == text)
  }

  @Test("Lines and columns count from 1, columns in scalars")
  func countsColumns() throws {
    let document = try document(text)
    let location = document.locate(Diagnostic(.wrongType, "", at: JSONPointer(["list", "1"]))).location
    #expect(location?.line == 2)
    #expect(location?.column == 30)
    #expect(location?.file == "test.json")
  }

  @Test("A member that does not exist falls back to the nearest that does")
  func fallsBack() throws {
    let pieces = try [
      piece("/nothing"), piece("/name/deeper"), piece("/list/7"), piece("/list/1/y"), piece("/list/01"),
      piece("/odd~1key~0/b/c"),
    ]
    #expect(pieces == ["{", #""name""#, #""list""#, "{", #""list""#, #""odd/key~""#])
  }

  @Test(
    "Offsets in a decoded string lead through its escapes",
    arguments: [
      (0..<1, "t"), (1..<2, #"\u0061"#), (0..<3, #"t\u0061b"#), (3..<4, #"\t"#), (4..<7, "end"),
      (8..<12, #"\uD83D\uDE00"#), (8..<9, #"\uD83D\uDE00"#), (12..<13, "!"), (13..<15, #"\u00e9"#),
      (14..<15, #"\u00e9"#), (15..<16, #"\\"#), (16..<16, ""), (15..<99, #"\\"#), (90..<99, ""), (4..<4, ""),
    ])
  func findsTextRanges(range: Range<Int>, expected: String) throws {
    let actual = try piece("/odd~1key~0/ab", .text(range))
    #expect(actual == expected)
  }

  @Test("Empty ranges in a string stand where they should")
  func findsEmptyTextRanges() throws {
    let document = try document(#"["a\n\u0062c"]"#)
    let offsets = (0...4).map { document.range(of: JSONPointer(["0"]), .text($0..<$0)).lowerBound }
    #expect(offsets == [2, 3, 5, 11, 12])
  }

  @Test("Plain multi-byte text maps byte by byte, and other values take the whole")
  func findsMultiByteText() throws {
    let emoji = try piece("/name", .text(2..<6))
    #expect(emoji == "😀")
    let number = try piece("/list/0", .text(0..<1))
    #expect(number == "10")
  }

  @Test("A byte order mark and every kind of line break are understood")
  func countsLines() throws {
    let bytes = Array("\u{FEFF}[1,\r\n2,\r3,\n4]".utf8)
    let document = try JSONDocument(reading: bytes, file: "bom.json")
    let places = (0..<4).map { document.locate(Diagnostic(.wrongType, "", at: JSONPointer([String($0)]))).location }
    let lines = places.map { $0?.line }
    #expect(lines == [1, 2, 3, 4])
    let columns = places.map { $0?.column }
    #expect(columns == [2, 1, 1, 1])
    let texts = (0...5).map(document.source.line)
    #expect(texts == ["", "[1,", "2,", "3,", "4]", ""])
  }
}
