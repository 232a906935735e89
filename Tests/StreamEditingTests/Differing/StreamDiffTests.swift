import StreamCore
import StreamEditing
import StreamKit
import TestSupport
import Testing

/// The differences of two files, by meaning.
@Suite struct StreamDiffTests {
  /// A stream of one item with these operators.
  private static func file(_ operators: String, beside: String = "") -> String {
    #"{"inputs": {"a": {}, "b": {}}, "stream": [{"value": 1}], "operators": [\#(operators)]\#(beside)}"#
  }

  /// The changes, each as `kind subject name effect [fields]`.
  private static func changes(_ old: String, _ new: String) throws -> [String] {
    let diff = try StreamDiff(from: StreamModel(json: json(old)), to: StreamModel(json: json(new)))
    return diff.changes.map { change in
      let fields = change.fields.map(\.name).joined(separator: ",")
      return [change.kind.rawValue, change.subject.rawValue, change.name, change.effect.rawValue, fields]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Operators before and after, and what has changed.
  static let ofOperators: [(String, String, [String])] = [
    // Nothing.
    (#"{"map": {"expression": "value"}}"#, #"{"map": {"expression": "value"}}"#, []),
    // No behavior.
    (
      #"{"map": {"expression": "value"}, "label": "x"}"#, #"{"map": {"expression": " (value) "}, "x-y": 1}"#,
      ["changed operator map noBehavior expression,label,x-y"]
    ),
    (
      #"{"debounce": {"seconds": 1}}"#, #"{"debounce": {"seconds": 1, "onFinish": "drop"}}"#,
      ["changed operator debounce noBehavior onFinish"]
    ),
    (
      #"{"id": "a", "map": {"expression": "1"}}"#, #"{"map": {"expression": "1"}}"#,
      ["changed operator map noBehavior id"]
    ),
    // State kept.
    (
      #"{"filter": {"expression": "value > 1"}}"#, #"{"filter": {"expression": "value > 2"}}"#,
      ["changed operator filter stateKept expression"]
    ),
    (
      #"{"debounce": {"seconds": 1}}"#, #"{"debounce": {"seconds": 2}}"#,
      ["changed operator debounce stateKept seconds"]
    ),
    (
      #"{"map": {"expression": "1"}}"#, #"{"map": {"expression": "1"}, "onError": "skip"}"#,
      ["changed operator map stateKept onError"]
    ),
    // State lost.
    (
      #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
      #"{"scan": {"initialValue": 1, "expression": "acc + value"}}"#, ["changed operator scan stateLost initialValue"]
    ),
    (#"{"prefix": {"count": 2}}"#, #"{"prefix": {"count": 3}}"#, ["changed operator prefix stateLost count"]),
    (
      #"{"collect": {"count": 2}}"#, #"{"collect": {"count": 2, "startEvery": 1}}"#,
      ["changed operator collect stateLost startEvery"]
    ),
    (#"{"id": "a", "count": {}}"#, #"{"id": "b", "count": {}}"#, ["changed operator count stateLost id"]),
    (#"{"count": {}}"#, "", ["removed operator count stateLost"]),
    (#"{"count": {}}"#, #"{"unwrap": {}}"#, ["changed operator unwrap stateLost operator"]),
    (
      #"{"zip": {"with": ["a"]}}"#, #"{"zip": {"with": ["a", "b"]}}"#, ["added streamReference b stateLost"]
    ),
    // Structure.
    ("", #"{"count": {}}"#, ["added operator count structure"]),
    (#"{"unwrap": {}}"#, "", ["removed operator unwrap structure"]),
    (#"{"map": {"expression": "1"}}"#, #"{"unwrap": {}}"#, ["changed operator unwrap structure operator"]),
    // Order.
    (
      #"{"map": {"expression": "1"}}, {"unwrap": {}}"#, #"{"unwrap": {}}, {"map": {"expression": "1"}}"#,
      ["moved operator unwrap structure"]
    ),
    (
      #"{"count": {}}, {"unwrap": {}}, {"toResult": {}}"#, #"{"unwrap": {}}, {"toResult": {}}, {"count": {}}"#,
      ["moved operator count stateLost"]
    ),
    (
      #"{"id": "c", "count": {}}, {"unwrap": {}}, {"toResult": {}}"#,
      #"{"unwrap": {}}, {"toResult": {}}, {"id": "c", "count": {}}"#, ["moved operator count structure"]
    ),
    // Found again by id, though all else has changed, and by equality though there are many.
    (
      #"{"id": "c", "filter": {"expression": "value > 1"}}, {"count": {}}"#,
      #"{"filter": {"expression": "true"}}, {"id": "c", "filter": {"expression": "false"}}, {"count": {}}"#,
      ["added operator filter structure", "changed operator filter stateKept expression"]
    ),
    (
      #"{"map": {"expression": "1"}}, {"map": {"expression": "2"}}, {"map": {"expression": "3"}}"#,
      #"{"map": {"expression": "1"}}, {"map": {"expression": "3"}}"#, ["removed operator map structure"]
    ),
    // Inside.
    (
      #"{"flatMap": {"stream": {"stream": [{"value": 1}], "operators": [{"count": {}}]}}}"#,
      #"{"flatMap": {"stream": {"stream": [{"value": 2}], "operators": [{"unwrap": {}}]}}}"#,
      ["changed item structure value", "changed operator unwrap stateLost operator"]
    ),
    (
      #"{"merge": {"with": ["a"]}}"#, #"{"merge": {"with": [{"source": {"input": {"name": "a"}}}]}}"#,
      ["changed streamReference stateLost stream"]
    ),
    (
      #"{"retryWhen": {"operators": [{"delay": {"seconds": 1}}]}}"#,
      #"{"retryWhen": {"operators": [{"delay": {"seconds": 2}}]}}"#, ["changed operator delay stateKept seconds"]
    ),
  ]

  @Test("The lines of the differences are for people")
  func lines() {
    let old = StreamModel(
      inputs: ["query": InputDeclaration(type: .string)], source: .input("query"),
      operators: [.debounce(seconds: 0.3), .removeDuplicates()])
    var new = old
    new.operators = [.filter("size(value) > 2"), .debounce(seconds: 0.5)]
    #expect(
      StreamDiff(from: old, to: new).lines == [
        "removed operator 2 (removeDuplicates)", "added operator 1 (filter)",
        "operator 2 (debounce): seconds was 0.3, is 0.5",
      ])
    #expect("\(StreamDiff(from: old, to: old))" == "no changes")
  }

  @Test("Changes of operators", arguments: ofOperators)
  func operators(_ old: String, _ new: String, _ expected: [String]) throws {
    let actual = try Self.changes(Self.file(old), Self.file(new))
    #expect(actual == expected)
  }

  /// Files before and after, and what has changed.
  static let ofFiles: [(String, String, [String])] = [
    (
      #"{"name": "a", "stream": []}"#, #"{"name": "b", "format": 1, "x-a": 1, "stream": []}"#,
      ["changed stream a noBehavior name,format,x-a"]
    ),
    (#"{"requires": ["map"], "stream": []}"#, #"{"stream": []}"#, ["changed stream structure requires"]),
    (
      #"{"inputs": {"a": {"initialValue": 1}}, "stream": []}"#,
      #"{"inputs": {"a": {"initialValue": 2}}, "stream": []}"#,
      ["changed input a stateLost initialValue"]
    ),
    (
      #"{"inputs": {"a": {}, "b": {"type": "int"}}, "stream": []}"#,
      #"{"inputs": {"c": {"type": "int"}}, "stream": []}"#,
      ["removed input a structure", "moved input b structure"]
    ),
    (
      #"{"streams": {"s": {"stream": [], "operators": [{"count": {}}]}}, "stream": []}"#, #"{"stream": []}"#,
      ["removed namedStream s stateLost"]
    ),
    (
      #"{"stream": [{"value": 1}, {"value": 2}, {"value": 3}]}"#,
      #"{"stream": [{"value": 1}, {"value": 4}, {"value": 3}]}"#,
      ["changed item structure value"]
    ),
    (#"{"stream": [{"value": 1}]}"#, #"{"source": {"empty": {}}}"#, ["changed source empty structure source"]),
    (
      #"{"source": {"timer": {"every": 1}}}"#, #"{"source": {"timer": {"every": 2}}}"#,
      ["changed source timer structure every"]
    ),
    (#"{"source": {"timer": {"every": 1}}}"#, #"{"source": {"timer": {"every": 1.0}}}"#, []),
    (
      #"{"stream": [], "tests": [{"name": "t", "expect": {"values": []}}]}"#,
      #"{"stream": [], "tests": [{"name": "u", "expect": {"values": [1]}}, {"name": "t", "expect": {"values": [2]}}]}"#,
      ["added test u noBehavior", "changed test t noBehavior expect"]
    ),
    (
      #"{"parameters": {"n": {"type": "int", "default": 1}}, "types": {"A": "int"}, "stream": []}"#,
      #"{"parameters": {"n": {"type": "int", "default": 2}, "m": {"default": 1}}, "types": {"A": "double"}, "stream": []}"#,
      ["changed parameter n structure default", "added parameter m structure", "changed type A structure type"]
    ),
    (
      #"{"definitions": {"d": {"operators": [{"count": {}}, {"map": {"expression": "value"}}]}}, "stream": []}"#,
      #"{"definitions": {"d": {"description": "e", "operators": [{"map": {"expression": "value + 1"}}]}}, "stream": []}"#,
      [
        "changed definition d noBehavior description", "removed operator count stateLost",
        "changed operator map stateKept expression",
      ]
    ),
  ]

  @Test("Changes of files", arguments: ofFiles)
  func files(_ old: String, _ new: String, _ expected: [String]) throws {
    let actual = try Self.changes(old, new)
    #expect(actual == expected)
  }

  @Test("A change of the output type is reported")
  func outputType() throws {
    let old = try StreamModel(json: json(Self.file(#"{"map": {"expression": "value + 1"}}"#)))
    let new = try StreamModel(json: json(Self.file(#"{"map": {"expression": "string(value)"}}"#)))
    let type = StreamDiff(from: old, to: new).outputType
    #expect(type.map { "\($0.old) \($0.new)" } == "int string")
    #expect(StreamDiff(from: old, to: old).outputType == nil)
  }

  @Test("A patch is along what is the same: few operations, and moves")
  func patch() throws {
    let old = try json(
      Self.file(#"{"map": {"expression": "1"}}, {"count": {}}, {"unwrap": {}}, {"debounce": {"seconds": 1}}"#))
    let new = try json(
      Self.file(#"{"count": {}}, {"unwrap": {}}, {"debounce": {"seconds": 2}}, {"map": {"expression": "1"}}"#))
    let operations = JSONPatch(from: old, to: new).operations
    #expect(
      operations == [
        .move(from: JSONPointer(["operators", "0"]), to: JSONPointer(["operators", "3"])),
        .replace(JSONPointer(["operators", "2", "debounce", "seconds"]), 2),
      ])
  }

  @Test("Places are described in words")
  func words() throws {
    let file = try json(
      #"""
      {"streams": {"s": {"stream": [{"value": 1, "operators": [{"id": "late", "delay": {"seconds": 1}}]}]}},
       "source": {"stream": {"name": "s"}},
       "operators": [{"zip": {"with": ["s", {"stream": [], "operators": [{"count": {}}]}]}}],
       "tests": [{"name": "t", "expect": {"values": []}}]}
      """#)
    func words(_ pointer: String) throws -> String { StreamPlace.words(try JSONPointer(parsing: pointer), in: file) }
    #expect(try words("") == "the stream")
    #expect(try words("/streams/s/stream/0/operators/0") == "stream 's', item 1, operator 1 (delay 'late')")
    #expect(
      try words("/operators/0/zip/with/1/operators/0")
        == "operator 1 (zip), stream 2 of 'with', operator 1 (count)")
    #expect(try words("/operators/0/zip/with/0") == "operator 1 (zip), stream 1 of 'with' ('s')")
    #expect(try words("/tests/0/expect") == "test 1 't', expect")
  }

  @Test("Lists of thousands are compared too")
  func long() throws {
    let items = (0..<3_000).map { StreamItem(.int(Int64($0))) }
    var others = items
    others.append(others.remove(at: 7))
    others[2_000].value = "changed"
    others.removeSubrange(100..<200)
    let diff = StreamDiff(from: StreamModel(source: .items(items)), to: StreamModel(source: .items(others)))
    #expect(diff.changes.count == 102)
    #expect(diff.changes.count { $0.kind == .moved } == 1)
    let reversed = StreamModel(source: .items(items.reversed()))
    let back = try StreamDiff(from: StreamModel(source: .items(items)), to: reversed).patch
      .applied(to: StreamModel(source: .items(items)).json)
    #expect(back == reversed.json)
  }
}
