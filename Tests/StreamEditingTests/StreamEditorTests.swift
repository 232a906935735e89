import StreamCore
import StreamEditing
import StreamKit
import Testing

/// Edits of a file's text.
@Suite struct StreamEditorTests {
  private func editor(_ text: String) throws -> StreamEditor {
    StreamEditor(try JSONDocument(reading: text, file: "test.json"))
  }

  /// The text after these edits.
  private func edited(_ text: String, _ edits: StreamEdit...) throws -> String {
    var editor = try editor(text)
    try editor.apply(edits)
    return editor.text
  }

  private func pointer(_ text: String) -> JSONPointer { (try? JSONPointer(parsing: text)) ?? JSONPointer() }

  /// Odd white space, spellings and order: all of that must stay.
  private static let odd = """
    { "stream" : [ {"value":1.0} ,
        {"value" : 1e0}],   "x-note":"caf\\u00e9",
      "operators":[
          {"map":{"expression":"value"}, "id":"m"},

          {"drop":{"count":0}}
      ] }
    """

  @Test("Only what is edited changes")
  func exact() throws {
    let set = try edited(Self.odd, .set(pointer("/operators/1/drop/count"), 2))
    #expect(set == Self.odd.replacing("\"count\":0", with: "\"count\":2"))
    let renamed = try edited(Self.odd, .renameMember(pointer("/x-note"), to: "x-other"))
    #expect(renamed == Self.odd.replacing("x-note", with: "x-other"))
    let removed = try edited(Self.odd, .remove(pointer("/stream/0")))
    #expect(removed == Self.odd.replacing("{\"value\":1.0} ,\n    {", with: "{"))
    let last = try edited(Self.odd, .remove(pointer("/operators/1")))
    #expect(last == Self.odd.replacing(",\n\n      {\"drop\":{\"count\":0}}", with: ""))
    let member = try edited(Self.odd, .remove(pointer("/operators/0/id")))
    #expect(member == Self.odd.replacing(", \"id\":\"m\"", with: ""))
    let moved = try edited(Self.odd, .moveOperator(from: .id("m"), to: 1))
    #expect(
      moved
        == Self.odd.replacing("{\"map\":{\"expression\":\"value\"}, \"id\":\"m\"}", with: "@")
        .replacing("{\"drop\":{\"count\":0}}", with: "{\"map\":{\"expression\":\"value\"}, \"id\":\"m\"}")
        .replacing("@", with: "{\"drop\":{\"count\":0}}"))
  }

  @Test("A value keeps the spelling that it is given")
  func spelling() throws {
    let value = try JSONFragment(parsing: #"{"a":1e3, "b":"\u0041"}"#, name: "value")
    let actual = try edited(#"{"stream": [{"value": 1}]}"#, .set(pointer("/stream/0/value"), value))
    #expect(actual == #"{"stream": [{"value": {"a": 1e3, "b": "\u0041"}}]}"#)
  }

  /// A file, an edit, and the result.
  static let layouts: [(String, StreamEdit, String)] = [
    (#"{"stream":[]}"#, .appendItem(1), #"{"stream":[{"value":1}]}"#),
    (
      #"{"stream": [{"value": 1}]}"#, .appendItem(2, delay: 1.5),
      #"{"stream": [{"value": 1}, {"value": 2, "operators": [{"delay": {"seconds": 1.5}}]}]}"#
    ),
    (
      "{\n\t\"stream\": [\n\t\t{ \"value\": 1 }\n\t]\n}", .appendItem(2),
      "{\n\t\"stream\": [\n\t\t{ \"value\": 1 },\n\t\t{ \"value\": 2 }\n\t]\n}"
    ),
    (
      "{\r\n  \"stream\": []\r\n}", .addOperator(JSONFragment(["drop": [:]])),
      "{\r\n  \"stream\": [],\r\n  \"operators\": [\r\n    { \"drop\": {} }\r\n  ]\r\n}"
    ),
    ("{\n    \"stream\": []\n}\n", .rename("n"), "{\n    \"name\": \"n\",\n    \"stream\": []\n}\n"),
    (
      "{\n  \"format\": 1,\n  \"stream\": []\n}\n", .rename("n"),
      "{\n  \"format\": 1,\n  \"name\": \"n\",\n  \"stream\": []\n}\n"
    ),
    (
      "{\n  \"stream\": [\n    {\n      \"value\": 1\n    }\n  ]\n}", .insertItem(2, at: 0),
      "{\n  \"stream\": [\n    {\n      \"value\": 2\n    },\n    {\n      \"value\": 1\n    }\n  ]\n}"
    ),
    (#"{"name": "a", "stream": []}"#, .rename("b\n"), #"{"name": "b\n", "stream": []}"#),
    (
      #"{"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}}"#, .setInput("a", 7),
      #"{"inputs": {"a": {"initialValue": 7, "type": "int"}}, "source": {"input": {"name": "a"}}}"#
    ),
    (
      #"{"stream": [{"value": 1}], "operators": [{"drop": {}}, {"prefix": {"count": 1}}]}"#, .removeOperator(.index(0)),
      #"{"stream": [{"value": 1}], "operators": [{"prefix": {"count": 1}}]}"#
    ),
    (#"{"stream": [ {"value": 1} ]}"#, .removeItem(at: 0), #"{"stream": []}"#),
    (
      #"{"stream": [], "x-a": {"b": [1]}}"#, .move(from: JSONPointer(["x-a", "b", "0"]), to: JSONPointer(["x-c"])),
      #"{"stream": [], "x-a": {"b": []}, "x-c": 1}"#
    ),
    (
      #"{"stream": [], "x-a": [1, 2, 3]}"#, .move(from: JSONPointer(["x-a", "0"]), to: JSONPointer(["x-a", "-"])),
      #"{"stream": [], "x-a": [2, 3, 1]}"#
    ),
    (#"{"stream": [], "x-a": [1]}"#, .set(JSONPointer(["x-a", "-"]), 2.5), #"{"stream": [], "x-a": [1, 2.5]}"#),
  ]

  @Test("A new part takes the layout of its neighbors", arguments: layouts.indices)
  func layout(_ index: Int) throws {
    let (text, edit, expected) = Self.layouts[index]
    let actual = try edited(text, edit)
    #expect(actual == expected)
  }

  /// Edits that are wrong: code, pointer, and what is said.
  static let wrong: [(StreamEdit, String)] = [
    (.set(JSONPointer(["nmae"]), 1), "S101 /nmae: unknown member 'nmae' in a stream"),
    (.set(JSONPointer(["stream", "5", "value"]), 1), "S011 /stream: there is nothing at '/stream/5'"),
    (
      .set(JSONPointer(["stream", "01"]), 1),
      "S011 /stream: '01' in '/stream/01' is not a position in an array of 1 elements"
    ),
    (.insert(JSONPointer(["stream"]), 1), "S118 /stream: the member 'stream' already exists"),
    (.insert(JSONPointer(["name", "a"]), 1), "S011 /name: '/name' is a string, which has no members"),
    (.remove(JSONPointer(["operatros"])), "S011 : there is nothing at '/operatros'"),
    (.remove(JSONPointer()), "S011 : the whole file cannot be removed"),
    (.remove(JSONPointer(["stream"])), "S103 : a stream needs 'stream' (an array of items) or 'source'"),
    (
      .move(from: JSONPointer(["stream"]), to: JSONPointer(["stream", "0", "x-a"])),
      "S011 /stream: '/stream' cannot be moved into itself, to '/stream/0/x-a'"
    ),
    (.renameMember(JSONPointer(["name"]), to: "stream"), "S118 /stream: the member 'stream' already exists"),
    (
      .renameMember(JSONPointer(["stream", "0"]), to: "a"),
      "S011 /stream/0: '/stream/0' is not a member of an object, so it has no name"
    ),
    (.removeItem(at: 1), "S104 /stream: there is no item 1: there is 1 item"),
    (.insertItem(1, at: 2), "S104 /stream: no item can be added at 2: there is 1 item"),
    (
      .appendItem(1, delay: -1),
      "S104 /stream/1/operators/0/delay/seconds: 'seconds' is -1; expected a number of seconds from 0 to 31536000"
    ),
    (.removeOperator(.id("q")), "S011 /operators: no operator has the id 'q'"),
    (.moveOperator(from: .index(0), to: 2), "S104 /operators: there is no operator 2: there are 2 operators"),
    (.addOperator(3), "S102 /operators/2: expected an operator, which is an object; found an integer"),
    (.addOperator(JSONFragment(["map": ["expression": "value +"]])), "S201 /operators/2/map/expression: "),
    (.setInput("a", 1), "S301 : the file has no input 'a'"),
  ]

  @Test("An invalid edit is reported, and changes nothing", arguments: wrong.indices)
  func refused(_ index: Int) throws {
    let text =
      #"{"name": "n", "stream": [{"value": 1}], "operators": [{"id": "s", "scan": {"expression": "acc"}}, {"drop": {}}]}"#
    let (edit, expected) = Self.wrong[index]
    var editor = try editor(text)
    let error = #expect(throws: Diagnostics.self) { try editor.apply(edit) }
    let told = error?.all.first.map { "\($0.code.rawValue) \($0.pointer): \($0.message)" } ?? ""
    #expect(told.hasPrefix(expected), "\(told)")
    #expect(error?.all.allSatisfy { $0.location != nil } == true)
    #expect(editor.text == text)
    #expect(!editor.canUndo)
  }

  @Test("Edits together are one step, and only their result must be valid")
  func together() throws {
    let text = #"{"source": {"just": {"value": 1}}}"#
    var editor = try editor(text)
    let items = JSONFragment([["value": 2]])
    #expect(throws: Diagnostics.self) { try editor.apply(.remove(JSONPointer(["source"]))) }
    try editor.apply([.remove(JSONPointer(["source"])), .set(JSONPointer(["stream"]), items)])
    #expect(editor.text == #"{"stream": [{"value": 2}]}"#)
    editor.undo()
    #expect(editor.text == text)
    editor.redo()
    #expect(editor.text == #"{"stream": [{"value": 2}]}"#)
    // An invalid edit in the middle is reported in the text that it would have changed.
    #expect(throws: Diagnostics.self) { try editor.apply([.rename("n"), .removeItem(at: 7)]) }
    #expect(editor.refused?.source.bytes.count ?? 0 > text.utf8.count)
  }

  @Test("A file that is wrong can be mended, and by nothing else edited")
  func mending() throws {
    var editor = try editor(#"{"stream": [], "nmae": "n"}"#)
    #expect(throws: Diagnostics.self) { try editor.apply(.appendItem(1)) }
    try editor.apply(.renameMember(JSONPointer(["nmae"]), to: "name"))
    #expect(editor.text == #"{"stream": [], "name": "n"}"#)
  }

  @Test("A new edit forgets what was undone, and only so many steps are remembered")
  func history() throws {
    var editor = try editor(#"{"stream": []}"#)
    editor.undoLimit = 2
    for value in 0..<4 { try editor.apply(.appendItem(JSONFragment(.int(Int64(value))))) }
    editor.undo()
    try editor.apply(.rename("n"))
    #expect(!editor.canRedo)
    editor.undo()
    editor.undo()
    #expect(!editor.canUndo)
    #expect(editor.text == #"{"stream": [{"value": 0}, {"value": 1}]}"#)
  }

  @Test("Setting the present value leaves the text and the steps alone")
  func nothing() throws {
    var editor = try editor(#"{"stream": [ { "value" : [1,  2] } ]}"#)
    let text = editor.text
    try editor.apply(.set(JSONPointer(["stream", "0", "value"]), JSONFragment([1, 2])))
    #expect(editor.text == text)
    #expect(!editor.canUndo)
  }
}
