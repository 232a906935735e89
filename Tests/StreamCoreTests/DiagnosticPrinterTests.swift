import StreamCore
import Testing

@Suite("Printing diagnostics")
struct DiagnosticPrinterTests {
  private func located(
    _ text: String, _ pointer: String, _ part: Diagnostic.Part = .value, notes: [String] = [], help: String? = nil
  ) throws -> String {
    let document = try JSONDocument(reading: text, file: "Streams/quakes.json")
    let diagnostic = Diagnostic(
      .typeMismatch, "'mag' is a string here; '>' needs two numbers", at: try JSONPointer(parsing: pointer), part: part,
      notes: notes, help: help)
    return DiagnosticPrinter().text(document.locate(diagnostic), source: document.source)
  }

  @Test("The form is that of the style guide")
  func hasTheForm() throws {
    let text = """
      {"operators": [
        {"count": {}},
        {"count": {}},
        {"filter": {"expression": "mag > 'five'"}}
      ]}
      """
    let actual = try located(
      text, "/operators/2/filter/expression", .text(0..<12), notes: ["from the input 'mag'"],
      help: "write double(mag) > 5.0")
    #expect(
      actual == """
        Streams/quakes.json:4:30: error S203: 'mag' is a string here; '>' needs two numbers
         4 |   {"filter": {"expression": "mag > 'five'"}}
           |                              ^^^^^^^^^^^^
           = at /operators/2/filter/expression
           = note: from the input 'mag'
           = help: write double(mag) > 5.0
        """)
  }

  @Test("Without source or place the line is left out")
  func leavesOutTheLine() {
    let printer = DiagnosticPrinter()
    let bare = printer.text(Diagnostic(.cycle, "a cycle", severity: .warning))
    #expect(bare == "warning S110: a cycle")
    let placed = Diagnostic(
      .cycle, "a cycle", at: JSONPointer(["a"]),
      location: Diagnostic.Location(file: "f", bytes: 0..<1, line: 2, column: 3))
    #expect(printer.text(placed) == "f:2:3: error S110: a cycle\n    = at /a")
  }

  @Test("Tabs stay tabs, and wide characters have two carets")
  func alignsCarets() throws {
    let lines = try located("[\n\t\"漢\",\t\"😀e\u{301}\"]", "/1").split(separator: "\n").map(String.init)
    #expect(lines[1] == " 2 | \t\"漢\",\t\"😀e\u{301}\"]")
    #expect(lines[2] == "   | \t     \t^^^^^")
  }

  @Test("A place of several lines is cut to its first, and an empty one has one caret")
  func cutsToTheLine() throws {
    let lines = try located("{\"a\": [1,\n 2\n]}", "/a").split(separator: "\n").map(String.init)
    #expect(lines[2] == "   |       ^^^")
    let empty = try located("[\"\"]", "/0", .text(0..<0)).split(separator: "\n").map(String.init)
    #expect(empty[2] == "   |   ^")
  }

  @Test("A very long line is shown only around the place")
  func windowsLongLines() throws {
    let items = (0..<500).map(String.init).joined(separator: ", ")
    for pointer in ["/0", "/250", "/499"] {
      let lines = try located("[\(items)]", pointer).split(separator: "\n").map(String.init)
      #expect(lines[1].count <= 100 + 8)
      let carets = try #require(lines[2].firstIndex(of: "^"))
      let offset = lines[2].distance(from: lines[2].startIndex, to: carets)
      let shown = lines[1].dropFirst(offset).prefix { $0.isNumber }
      #expect("/" + shown == pointer)
      #expect(lines[2].filter { $0 == "^" }.count == shown.count)
    }
    let long = try located("[\"\(String(repeating: "a", count: 5000))\"]", "/0").split(separator: "\n")
    #expect(long.allSatisfy { $0.count < 120 })
  }

  @Test("Control characters of a terminal are shown, not sent")
  func showsControlCharacters() throws {
    let errors = problems("[\"\u{1B}[31m\u{202E}\"]")
    let source = SourceText(file: "test.json", text: "[\"\u{1B}[31m\u{202E}\"]")
    let text = DiagnosticPrinter().text(try #require(errors.first), source: source)
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    #expect(!text.unicodeScalars.contains("\u{202E}"))
    #expect(text.contains("␛[31m"))
  }

  @Test("A string that is not UTF-8 can be shown")
  func showsBrokenText() throws {
    let bytes: [UInt8] = Array("[\"a".utf8) + [0xFF] + Array("\"]".utf8)
    let error = try #require(document(bytes).failure?.all.first)
    let text = DiagnosticPrinter().text(error, source: SourceText(file: "test.json", bytes: bytes))
    #expect(
      text == """
        test.json:1:4: error S002: the byte 0xFF is not valid UTF-8 here
         1 | ["a\u{FFFD}"]
           |    ^
           = at /0
           = help: save the text as UTF-8
        """)
  }

  @Test("Colors are escape sequences around the same text")
  func paints() {
    let diagnostic = Diagnostic(.cycle, "a cycle", help: "cut it")
    let text = DiagnosticPrinter(usesColors: true).text(diagnostic)
    #expect(
      text == "\u{1B}[1;31merror S110: \u{1B}[0m\u{1B}[1ma cycle\u{1B}[0m\n\u{1B}[34m    = \u{1B}[0mhelp: cut it")
  }

  @Test("The data form has every key")
  func givesData() {
    let diagnostic = Diagnostic(
      .cycle, "a cycle", at: JSONPointer(["a", "0"]), notes: ["n"],
      location: Diagnostic.Location(file: "f", bytes: 4..<6, line: 2, column: 3))
    let text = JSONWriter.compact(DiagnosticPrinter().json(diagnostic))
    #expect(
      text == #"{"severity":"error","code":"S110","message":"a cycle","pointer":"/a/0","file":"f","line":2,"column":3,"#
        + #""offset":4,"length":2,"notes":["n"],"help":null}"#)
    let bare = DiagnosticPrinter().json(Diagnostic(.cycle, "a cycle", severity: .note))
    #expect(bare[JSONPointer(["line"])] == .null)
  }
}
