import StreamCore
import StreamEditing
import StreamKit
import Testing

/// The examples in the comments of StreamEditing's public types.
@Suite("Examples of StreamEditing's types", .timeLimit(.minutes(1)))
struct EditingExampleTests {
  @Test("StreamDiff")
  func streamDiffExample() throws {
    var lines: [String] = []
    let old = StreamModel(stream: [StreamItem(1)], operators: [.debounce(seconds: 0.3)])
    var new = old
    new.operators = [.filter("value > 0"), .debounce(seconds: 0.5)]

    let diff = StreamDiff(from: old, to: new)
    lines = diff.lines

    #expect(lines == ["added operator 1 (filter)", "operator 2 (debounce): seconds was 0.3, is 0.5"])
  }

  @Test("ConflictResolution")
  func conflictResolutionExample() throws {
    let base: Value = ["name": "a", "stream": [["value": 1]]]
    let ours: Value = ["name": "b", "stream": [["value": 1]]]
    let theirs: Value = ["name": "c", "stream": [["value": 2]]]
    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)

    let resolved = try ConflictResolution(of: merge.markedValue, favoring: .theirs)

    #expect(resolved.value == theirs)
    #expect(resolved.count == 1)
  }

  @Test("StreamMerge")
  func streamMergeExample() throws {
    let base: Value = ["name": "a", "stream": [["value": 1]]]
    let ours: Value = ["name": "b", "stream": [["value": 1]]]
    let theirs: Value = ["name": "c", "stream": [["value": 2]]]

    let merge = try StreamMerge(base: base, ours: ours, theirs: theirs)
    let file = merge.conflicts.isEmpty ? merge.value : merge.markedValue

    #expect(merge.conflicts.count == 1)
    #expect(file["stream"] == theirs["stream"])
  }

  @Test("DocumentPatch")
  func documentPatchExample() throws {
    let file: Value = ["name": "a", "stream": []]

    let changed = try DocumentPatch(["name": "b"]).applied(to: file)

    #expect(changed == ["name": "b", "stream": []])
  }

  @Test("JSONPatch")
  func jsonPatchExample() throws {
    let old = StreamModel(stream: [StreamItem(1)], operators: [.debounce(seconds: 0.3)])
    var new = old
    new.operators = [.filter("value > 0"), .debounce(seconds: 0.5)]

    let patch = JSONPatch(from: old.json, to: new.json)
    let changed = try patch.applied(to: old.json)

    #expect(changed == new.json)
  }

  @Test("MergePatch")
  func mergePatchExample() throws {
    let file: Value = ["name": "a", "stream": []]

    let changed = MergePatch(["name": "b"]).applied(to: file)

    #expect(changed == ["name": "b", "stream": []])
  }

  @Test("StreamEdit")
  func streamEditExample() throws {
    let text = #"{"stream": [], "operators": [{"debounce": {"seconds": 0.3}, "id": "pause"}]}"#
    var editor = StreamEditor(try JSONDocument(reading: text, file: "search.json"))

    try editor.apply([
      .set(JSONPointer(parsing: "/operators/0/debounce/seconds"), JSONFragment(0.5)),
      .addOperator(JSONFragment(PlacedOperator.removeDuplicates().json)),
      .rename("Search"),
    ])

    #expect(editor.canUndo)
    #expect(editor.text.contains("0.5"))
  }

  @Test("OperatorReference")
  func operatorReferenceExample() throws {
    let text = #"{"stream": [], "operators": [{"debounce": {"seconds": 0.3}, "id": "pause"}]}"#
    var editor = StreamEditor(try JSONDocument(reading: text, file: "search.json"))

    try editor.apply(.moveOperator(from: .id("pause"), to: 0))
    try editor.apply(.removeOperator(.index(0)))

    #expect(!editor.text.contains("debounce"))
  }

  @Test("StreamEditor")
  func streamEditorExample() throws {
    let text = #"{"stream": []}"#

    var editor = StreamEditor(try JSONDocument(reading: text, file: "search.json"))
    try editor.apply(.addOperator(JSONFragment(PlacedOperator.debounce(seconds: 0.3).json)))
    let changed = editor.text
    editor.undo()

    #expect(editor.text == text)
    #expect(changed != text)
  }

  @Test("StreamFormat")
  func streamFormatExample() throws {
    let text = #"{"operators":[],"stream":[]}"#

    let document = try JSONDocument(reading: text, file: "search.json")
    let formatted = String(decoding: StreamFormat.text(of: document), as: UTF8.self)

    #expect(formatted.hasSuffix("\n"))
  }
}
