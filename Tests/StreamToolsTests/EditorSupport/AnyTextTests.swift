import StreamCore
import StreamKit
import StreamTesting
import StreamTools
import TestSupport
import Testing

@testable import StreamEditing

/// The server replies to an editor for every text and every position of the cursor.
@Suite struct AnyTextTests {
  static let files =
    [Fixture.package + "/Streams", Fixture.package + "/Streams/articles", Fixture.broken].flatMap { folder in
      Fixture.names(in: folder, ending: ".json").map { "\(folder)/\($0).json" }
    }

  @Test("Any piece of any file, with anything in it, is answered at any place", arguments: files)
  func pieces(_ path: String) {
    let bytes = Array(Fixture.read(path).utf8.prefix(20_000))
    // The same wherever the package is.
    var random = SeededGenerator(seed: UInt64(path.utf8.count - Fixture.package.utf8.count))
    for _ in 0..<PropertyCount.cases(byDefault: 4) {
      var text = bytes
      switch random.below(4) {
      case 0: text = Array(text.prefix(random.below(text.count + 1)))
      case 1:
        let start = random.below(text.count)
        text.removeSubrange(start..<min(text.count, start + 1 + random.below(30)))
      case 2:
        text.insert(
          contentsOf: random.pick(["\"", "{", "}", "[", "]", ",", ":", "\\", "\n", "é", "😀", "value."]).utf8,
          at: random.below(text.count + 1))
      default: text = Array(text.prefix(random.below(text.count + 1))) + Array(text.suffix(random.below(50)))
      }
      let document = Self.document(text)
      for _ in 0..<6 { Self.ask(document, at: random.below(text.count + 3) - 1) }
      Self.askOnce(document)
    }
  }

  @Test("Every place of a file is answered", arguments: ["tilt", "zip"])
  func everywhere(_ name: String) {
    let bytes = Array(Fixture.read("\(Fixture.package)/Streams/\(name).json").utf8)
    let document = Self.document(bytes)
    for offset in 0...bytes.count { Self.ask(document, at: offset) }
  }

  @Test("Within an escape sequence nothing is offered, and around it what begins there")
  func escapes() {
    let text = #"{"stream": [], "operators": [{"map": {"expression": "'\u00e4' + va\u006cue"}}]}"#
    let bytes = Array(text.utf8)
    let document = Self.document(bytes)
    for offset in 0...bytes.count { Self.ask(document, at: offset) }
    let escape = text.utf8.distance(
      from: text.startIndex, to: text.firstRange(of: #"\u006c"#)?.lowerBound ?? text.startIndex)
    #expect(document.completions(at: escape + 3).isEmpty)
    #expect(document.completions(at: escape).contains { $0.label == "value" })
  }

  @Test("Names of operators are offered at the beginning of one, whatever text after the cursor is missing")
  func cut() {
    for path in Self.files where path.contains("/Streams/") {
      let text = Fixture.read(path)
      let start = #""operators": ["#
      for place in text.indices where text[place...].hasPrefix(start) {
        let cut = text[..<text.index(place, offsetBy: start.count)] + " { \"de"
        let document = Self.document(Array(cut.utf8))
        let offered = document.completions(at: cut.utf8.count).map(\.label)
        #expect(offered.contains("debounce"), "\(path)")
      }
    }
  }

  private static func document(_ bytes: [UInt8]) -> EditorDocument {
    EditorDocument(bytes, file: "any.json", identity: "any.json")
  }

  private static func ask(_ document: EditorDocument, at place: Int) {
    // A place outside counts as the nearest end.
    if place < 0 || place > document.text.bytes.count { _ = document.completions(at: place) }
    let offset = min(max(place, 0), document.text.bytes.count)
    let whole = 0...document.text.bytes.count
    for completion in document.completions(at: offset) {
      let range = completion.edit.range
      #expect(whole.contains(range.lowerBound) && whole.contains(range.upperBound))
      #expect(range.lowerBound <= offset && offset <= range.upperBound, "the cursor is in what is replaced")
      let lines = [range.lowerBound, range.upperBound].map { document.text.position(of: $0, in: .utf16).line }
      #expect(lines[0] == lines[1], "what is replaced is on one line")
      for edit in completion.further { #expect(whole.contains(edit.range.upperBound)) }
    }
    if let hover = document.hover(at: offset) {
      #expect(hover.range.contains(offset), "\(hover) at \(offset)")
      #expect(!hover.text.isEmpty)
    }
    if let definition = document.definition(at: offset) {
      #expect(document.references(at: offset).contains(definition))
      // It is renamed, or that is refused.
      _ = try? document.rename(at: offset, to: "another")
    }
    _ = document.fileReference(at: offset)
    _ = document.fixes(in: max(0, offset)..<max(0, offset))
  }

  private static func askOnce(_ document: EditorDocument) {
    let count = document.text.bytes.count
    for diagnostic in document.diagnostics {
      #expect((diagnostic.location?.bytes.upperBound ?? 0) <= count)
    }
    check(document.symbols, within: 0..<count)
    _ = document.document.map { document.edit(to: StreamFormat.text(of: $0)) }
  }

  /// Parts are within the whole, as editors demand.
  private static func check(_ symbols: [EditorSymbol], within range: Range<Int>) {
    for symbol in symbols {
      #expect(!symbol.name.isEmpty)
      #expect(range.lowerBound <= symbol.range.lowerBound && symbol.range.upperBound <= range.upperBound)
      #expect(symbol.range.lowerBound <= symbol.selection.lowerBound)
      #expect(symbol.selection.upperBound <= symbol.range.upperBound)
      check(symbol.children, within: symbol.range)
    }
  }
}
