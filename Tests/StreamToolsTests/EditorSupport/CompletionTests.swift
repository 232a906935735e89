import StreamCore
import StreamKit
import StreamTools
import Testing

/// The completions while a file is written.
@Suite struct CompletionTests {
  static let typed =
    #"{"inputs": {"a": {"type": {"mag": "double", "items": [{"id": "int"}]}}, "b": {}}, "#
    + #""streams": {"s": {"stream": [{"value": 1}]}}, "source": {"input": {"name": "a"}}, "#

  /// Texts, and what is offered first there.
  static let first: [(String, [String])] = [
    ("{ ¦ }", ["$schema", "format", "id", "name"]),
    (
      #"{ "name": "n", "stream": [], ¦ }"#,
      ["$schema", "format", "id", "description", "requires", "parameters", "types"]
    ),
    (#"{ "source": { ¦ } }"#, ["just", "range", "timer"]),
    (#"{ "stream": [], "operators": [ { "de¦ } ] }"#, ["map", "compactMap"]),
    (#"{ "stream": [], "operators": [ { fil¦ } ] }"#, ["map"]),
    (#"{ "stream": [], "operators": [ ¦ ] }"#, ["map", "compactMap"]),
    (#"{ "stream": [], "operators": [ { "label": "x", "map": {}, ¦ } ] }"#, ["id", "onError"]),
    (#"{ "stream": [], "operators": [ { "debounce": { "seconds": 1, ¦ } } ] }"#, ["stream", "onFinish"]),
    (#"{ "stream": [], "operators": [ { "debounce": { "seconds": 1 ¦ } } ] }"#, ["stream", "onFinish"]),
    (#"{ "stream": [], "operators": [ { "debounce": { "onFinish": "¦" } } ] }"#, ["drop", "flush"]),
    (#"{ "stream": [], "operators": [ { "debounce": { "onFinish": ¦ } } ] }"#, ["drop", "flush"]),
    (#"{ "stream": [], "operators": [ { "debounce": { "onFinish": "fl¦"#, ["drop", "flush"]),
    (#"{ "stream": [], "operators": [ { "map": {}, "onError": ¦"#, ["fail", "skip"]),
    (typed + #""operators": [{"zip": {"with": [¦]}}]}"#, ["s", "a", "b"]),
    (typed + #""operators": [{"zip": {"with": ["s", "¦"]}}]}"#, ["s", "a", "b"]),
    (typed + #""operators": [{"merge": {"with": [{"source": {"stream": {"name": "¦"#, ["s", "a", "b"]),
    (#"{"inputs": {"a": {}}, "streams": {"s": {}}, "source": {"input": {"name": "¦"}}}"#, ["a"]),
    (#"{"inputs": {"a": {}}, "streams": {"s": {}}, "source": {"stream": {"name": ¦}}}"#, ["s", "a"]),
    (#"{"inputs": {"a": {"type": "¦"}}}"#, ["any", "bool", "bytes"]),
    (#"{"inputs": {"a": {"buffer": {"capacity": 1, "whenFull": ¦}}}}"#, ["dropOldest", "dropNewest", "fail"]),
    (typed + #""tests": [{"name": "x", "inputs": {¦}}]}"#, ["s", "a", "b"]),
    (#"{ "stream": [], "tests": [ { "name": "x", ¦"#, ["parameters", "inputs", "calls", "for"]),
    (typed + #""operators": [{"filter": {"expression": "value.¦"}}]}"#, ["mag", "items", "size"]),
    (typed + #""operators": [{"filter": {"expression": "value.m¦"#, ["mag", "items", "size"]),
    (typed + #""operators": [{"filter": {"expression": "value.m¦ } } ], "tests": [] }"#, ["mag", "items"]),
    (typed + #""operators": [{"filter": {"expression": "value.items[0].¦"}}]}"#, ["id"]),
    (typed + #""operators": [{"filter": {"expression": "value.items.exists(x, x.¦ > 3"}}]}"#, ["id"]),
    (typed + #""operators": [{"filter": {"expression": "value.items.exists(item, ¦"}}]}"#, ["item", "value", "index"]),
    (typed + #""operators": [{"filter": {"expression": "true ? value.items.map(x, x.id)[0] : value.¦"#, ["mag"]),
    (
      typed + #""operators": [{"map": {"expression": "value.mag"}}, {"filter": {"expression": "val¦"}}]}"#,
      ["value", "index"]
    ),
    (typed + #""operators": [{"map": {"expression": "value.items"}}, {"map": {"expression": "value[0].¦"}}]}"#, ["id"]),
    (typed + #""operators": [{"map": {"expression": "math.¦"}}]}"#, ["greatest", "least"]),
    (typed + #""operators": [{"map": {"expression": "value ¦"}}]}"#, ["in"]),
    (typed + #""operators": [{"map": {"expression": "'te¦xt'"}}]}"#, []),
    (#"{ "stream": [], "operators": [{"scan": {"expression": "¦"}}]}"#, ["value", "index", "acc"]),
    (
      #"{ "stream": [], "operators": [{"flatMap": {"stream": {"stream": [], "operators": [{"map": {"expression": "¦"}}]}}}]}"#,
      ["outer", "outerIndex", "value", "index"]
    ),
    ("¦", ["a stream file"]),
    (#"{"stream": [{"value": "¦"}]}"#, []),
    (#"{"x-own": {¦}}"#, []),
    ("{} ¦", []),
  ]

  @Test("The completions of a place", arguments: first)
  func offered(_ marked: String, _ expected: [String]) {
    let labels = MarkedText(marked).labels
    if expected.isEmpty { #expect(labels == []) }
    #expect(Array(labels.prefix(expected.count)) == expected, "\(marked)")
  }

  @Test("A field has its type, a function its signature, an operator its summary")
  func details() {
    let fields = MarkedText(Self.typed + #""operators": [{"filter": {"expression": "value.¦"}}]}"#).completions
    #expect(fields.first { $0.label == "mag" }?.detail == "double")
    #expect(fields.first { $0.label == "items" }?.detail == "list({id: int})")
    let names = MarkedText(Self.typed + #""operators": [{"filter": {"expression": "¦"}}]}"#).completions
    #expect(names.first { $0.label == "double" }?.detail.hasPrefix("double(") == true)
    #expect(names.first { $0.label == "math.abs" }?.edit.text == "math.abs(${1:int})")
    #expect(!names.contains { $0.label.hasPrefix("_") || $0.label.hasPrefix("@") })
    let operators = MarkedText(#"{"stream": [], "operators": [{"¦"}]}"#).completions
    let debounce = operators.first { $0.label == "debounce" }
    #expect(debounce?.detail.hasPrefix("Publishes a value once") == true)
    #expect(debounce?.documentation.contains("- `onFinish`") == true)
    #expect(debounce?.filter == #""debounce""#)
  }

  /// The text after a completion was accepted.
  static let taken: [(String, String, String)] = [
    ("{ ¦ }", "name", #"{ "name": "" }"#),
    (#"{ "na¦ }"#, "name", #"{ "name": "" }"#),
    (#"{ "nmae¦": "x" }"#, "name", #"{ "name": "x" }"#),
    (#"{ ¦ "name": "x" }"#, "id", #"{ "id": "", "name": "x" }"#),
    (#"{ "name": "x" ¦ }"#, "id", #"{ "name": "x", "id": "" }"#),
    (
      #"{"source": {"input": {"name": "o¦ther"}}, "inputs": {"a": {}}}"#, "a",
      #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {}}}"#
    ),
    (
      #"{"stream": [], "operators": [{"filter": {"expression": "valu¦e > 1"}}]}"#, "value",
      #"{"stream": [], "operators": [{"filter": {"expression": "value > 1"}}]}"#
    ),
    (
      #"{"stream": [], "operators": [{"map": {"expression": "\"\u00e9\" + str¦"}}]}"#, "string",
      #"{"stream": [], "operators": [{"map": {"expression": "\"\u00e9\" + string(string)"}}]}"#
    ),
    (
      #"{"stream": [], "operators": [ deb¦ ]}"#, "debounce",
      #"{"stream": [], "operators": [ { "debounce": { "seconds": 1 } } ]}"#
    ),
  ]

  @Test("A completion replaces the begun word, and adds the needed commas", arguments: taken)
  func isTaken(_ marked: String, _ label: String, _ expected: String) {
    let text = MarkedText(marked).taking(label)
    #expect(text == expected)
  }

  static let places: [(String, String)] = [
    ("operator", #"{ "stream": [], "operators": [ { "¦" } ] }"#), ("source", #"{ "source": { ¦ } }"#),
    ("operator in a list", #"{ "stream": [], "operators": [ ¦ ] }"#), ("source behind its key", #"{ "source": ¦ }"#),
  ]

  @Test("Every operator and source that is taken is read, with all fields that it cannot do without", arguments: places)
  func isReadable(_ what: String, _ marked: String) throws {
    let text = MarkedText(marked)
    let names = what.hasPrefix("operator") ? Operator.table.map(\.spec.name) : Source.table.map(\.spec.name)
    for name in names {
      let taken = try #require(text.taking(name), "\(name)")
      let document = try JSONDocument(reading: taken, file: name)
      let problems: [Diagnostic]
      do throws(Diagnostics) {
        _ = try StreamModel(json: document.value)
        problems = []
      } catch {
        problems = error.all
      }
      let missing = problems.filter {
        $0.code == .missingField || $0.code == .unknownKey || $0.code == .unknownOperator
      }
      #expect(missing == [], "\(name): \(taken)")
    }
  }
}
