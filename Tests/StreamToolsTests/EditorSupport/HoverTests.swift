import StreamCore
import StreamKit
import StreamTools
import Testing

/// The information about the item under the cursor.
@Suite struct HoverTests {
  static let file =
    #"{"inputs": {"a": {"type": {"mag": "double"}, "initialValue": {"mag": 1.5}}}, "streams": "#
    + #"{"s": {"name": "Ones", "description": "One, once.", "stream": [{"value": 1}]}}, "source": {"input": {"name": "a"}}, "#

  /// Texts, and parts of the information there.
  static let told: [(String, [String])] = [
    (
      #""operators": [{"m¦ap": {"expression": "value.mag > 1.0"}}]}"#,
      [
        "**`map`** (transform)", "Publishes the result of an expression", "`{mag: double}` → `bool`",
        "- `expression` (required)",
        "```json\n{\"map\"",
      ]
    ),
    (
      #""operators": [{"map": {"expr¦ession": "value.mag"}}]}"#,
      ["**`expression`** (required): a CEL expression over `value`, `index`"]
    ),
    (#""operators": [{"map": {"expression": "val¦ue.mag"}}]}"#, ["```cel\nvalue: {mag: double}\n```"]),
    (#""operators": [{"map": {"expression": "value.m¦ag"}}]}"#, ["```cel\nmag: double\n```"]),
    (#""operators": [{"map": {"expression": "[1, 2].exists(it, i¦t > 1)"}}]}"#, ["```cel\nit: int\n```"]),
    (
      #""operators": [{"map": {"expression": "[1, 2].exi¦sts(it, it > 1)"}}]}"#,
      [
        "list.exists(x, expression)", "Whether the predicate holds for at least one element.",
        "Type of the result: `bool`.",
      ]
    ),
    (
      #""operators": [{"map": {"expression": "'a'.si¦ze()"}}]}"#,
      ["string.size() -> int", "The number of", "Type of the result: `int`."]
    ),
    (#""operators": [{"map": {"expression": "math.gr¦eatest(1, 2)"}}]}"#, ["math.greatest(int, int) -> int"]),
    (
      #""operators": [{"map": {"expression": "value.mag ¦> 1.0"}}]}"#,
      ["double > double -> bool", "Type of the result: `bool`."]
    ),
    (#""operators": [{"map": {"expression": "has(value.mag) ¦? 1 : 2"}}]}"#, ["Type of the result: `int`."]),
    (#""operators": [{"debounce": {"seconds": 1, "onFinish": "dr¦op"}}]}"#, ["**`onFinish`**: \"drop\" or \"flush\""]),
    (#""operators": [{"debounce": {"seconds": ¦1}}]}"#, ["**`seconds`**: a number of seconds"]),
    (#""operators": [{"zip": {"with": ["¦s"]}}]}"#, ["**Stream `s`**: `int`", "Ones", "One, once."]),
    (
      #""operators": [{"zip": {"with": ["¦a"]}}]}"#,
      ["**Input `a`**: `{mag: double}`", "Fed by the host", "Initial value `{\"mag\":1.5}`"]
    ),
    (#""operat¦ors": []}"#, ["**`operators`**: an array", "The operators, applied in order."]),
    (
      #""tests": [{"name": "t", "inputs": {"¦a": {"values": []}}, "expect": {"values": []}}]}"#,
      ["**Input `a`**", "Fed by the host"]
    ),
    (
      #""tests": [{"na¦me": "t", "expect": {"values": []}}]}"#,
      ["**`name`**: a string", "The name: a sentence that states the expected behavior."]
    ),
    (#""operators": [{"map": {"expression": "value.mag"}, "onErr¦or": "skip"}]}"#, ["Default `\"fail\"`."]),
    // Half written: the brackets are missing, the types are known still.
    (#""operators": [{"m¦ap": {"expression": "value.mag"}}, {"filter": {"expr"#, ["`{mag: double}` → `double`"]),
    (#""operators": [{"map": {"expression": "va¦lue.mag +"#, ["value"]),
  ]

  @Test("Information about an item is shown", arguments: told)
  func isTold(_ marked: String, _ pieces: [String]) {
    let text = MarkedText(Self.file + marked)
    let hover = text.document.hover(at: text.offset)
    for piece in pieces { #expect(hover?.text.contains(piece) == true, "\(piece) in \(hover?.text ?? "nothing")") }
    if let hover { #expect(hover.range.contains(text.offset), "the range is of the thing") }
  }

  @Test(
    "Nothing is shown for an unknown item",
    arguments: ["¦", "{} ¦", #"{"x-own": "¦x"}"#, #"{"stream": [{"value": {"a": "¦x"}}]}"#])
  func nothing(_ marked: String) {
    let text = MarkedText(marked)
    let told = text.document.hover(at: text.offset)?.text ?? ""
    #expect(!told.contains("CEL") && !told.contains("**Stream"))
  }

  @Test("Every operator, source and field has its documentation")
  func isComplete() {
    for entry in Operator.table {
      for field in entry.spec.fields {
        let text = MarkedText(#"{"stream": [], "operators": [{"\#(entry.spec.name)": {"¦\#(field.name)": 1}}]}"#)
        let told = text.document.hover(at: text.offset)?.text
        #expect(told?.contains(field.text) == true, "\(entry.spec.name).\(field.name)")
      }
    }
    for entry in Source.table {
      let text = MarkedText(#"{"source": {"¦\#(entry.spec.name)": {}}}"#)
      let told = text.document.hover(at: text.offset)?.text
      #expect(told?.contains(entry.spec.summary) == true, "\(entry.spec.name)")
    }
  }
}
