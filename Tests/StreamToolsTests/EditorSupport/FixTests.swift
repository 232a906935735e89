import StreamCore
import StreamEditing
import StreamKit
import StreamTools
import TestSupport
import Testing

/// The errors of an open file, and their fixes.
@Suite struct FixTests {
  /// Files with a misspelled word whose correct spelling is known.
  static let misspelt = [
    #"{"nmae": "x", "stream": []}"#, #"{"stream": [], "operators": [{"debuonce": {"seconds": 1}}]}"#,
    #"{"stream": [], "operators": [{"delay": {"secnods": 1}}]}"#, #"{"source": {"tiemr": {"every": 1}}}"#,
    #"{"stream": [], "operators": [{"debounce": {"seconds": 1, "onFinish": "fulsh"}}]}"#,
    #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "\"\u00e9\" == string(valeu)"}}]}"#,
    #"{"inputs": {"abc": {"type": "duoble"}}, "source": {"input": {"name": "abc"}}}"#,
    #"{"inputs": {"gravity": {}}, "source": {"input": {"name": "gravty"}}}"#,
    #"{"streams": {"gravity": {"stream": []}}, "stream": [], "operators": [{"merge": {"with": ["gravty"]}}]}"#,
    #"{"stream": [{"value": "a"}], "operators": [{"filter": {"expression": "value.startWith('a')"}}]}"#,
  ]

  @Test("A name that is nearly right is put right", arguments: misspelt)
  func mended(_ text: String) throws {
    let document = MarkedText(text).document
    #expect(!document.diagnostics.isEmpty)
    let fixes = document.fixes(in: 0..<text.utf8.count)
    let fix = try #require(fixes.first)
    #expect(fix.title.hasPrefix("Change to '"))
    let mended = MarkedText.text(document.text.bytes, after: [fix.edit])
    #expect(problems(mended) == [], "\(mended)")
  }

  @Test("A fix belongs to a place")
  func places() {
    let document = MarkedText(Self.misspelt[2]).document
    #expect(document.fixes(in: 0..<3) == [])
    #expect(document.fixes(in: 45..<45).count == 1)
  }

  @Test("The errors equal those of the reader and the compiler")
  func diagnostics() {
    for text in Self.misspelt + [
      #"{"stream": ["#, #"{"stream": [], "operators": [{"map": {}}, {"zip": {"with": ["no"]}}]}"#, "",
    ] {
      let document = MarkedText(text).document
      #expect(document.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } == told(text))
      #expect(document.diagnostics.allSatisfy { $0.location != nil })
    }
  }

  /// The same, read as commands do.
  private func told(_ text: String) -> [String] {
    do throws(Diagnostics) {
      _ = try stream(text).compile(CompileOptions(host: .any))
      return []
    } catch {
      return error.all.map { "\($0.code.rawValue) \($0.pointer)" }
    }
  }

  /// The edit that formats a file; nil if the file is formatted or no JSON.
  private static func formatted(_ document: EditorDocument) -> EditorEdit? {
    document.document.flatMap { document.edit(to: StreamFormat.text(of: $0)) }
  }

  @Test("A file is set in form by one edit, and one in form is left alone")
  func formatted() throws {
    let messy = MarkedText(#"{"operators":[],"stream":[{"value":"é"}]}"#).document
    let edit = try #require(Self.formatted(messy))
    let text = MarkedText.text(messy.text.bytes, after: [edit])
    #expect(Array(text.utf8) == StreamFormat.text(of: try JSONDocument(reading: messy.text.bytes, file: "")))
    #expect(Self.formatted(MarkedText(text).document) == nil)
    #expect(Self.formatted(MarkedText("{").document) == nil)
  }
}
