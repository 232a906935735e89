import StreamCore
import StreamEditing
import StreamKit
import Testing

/// The Swift of the page on editing.
@Suite struct EditingPageTests {
  @Test("A file is edited, checked, and taken back")
  func editor() throws {
    let text = #"{"stream": [{"value": 1}], "x-color": "red"}"#
    var editor = StreamEditor(try JSONDocument(reading: text, file: "stream.json"))
    try editor.apply(.appendItem(2, delay: 0.5))
    try editor.apply([.rename("Numbers"), .set(JSONPointer(["stream", "0", "value"]), 1.5)])

    #expect(
      editor.text
        == #"{"name": "Numbers", "stream": [{"value": 1.5}, {"value": 2, "operators": [{"delay": {"seconds": 0.5}}]}], "x-color": "red"}"#
    )
    editor.undo()
    editor.undo()
    #expect(editor.text == text)

    do {
      try editor.apply(.addOperator(JSONFragment(["mpa": [:]])))
    } catch {
      let text = error.all.map { DiagnosticPrinter().text($0, source: editor.refused?.source) }
      #expect(text[0].contains("there is no operator 'mpa'"))
    }
    #expect(editor.text == text)
  }
}
