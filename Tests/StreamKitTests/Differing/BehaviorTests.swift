import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// The id of what a stream does.
@Suite struct BehaviorTests {
  private func id(_ text: String) throws -> String {
    try StreamModel(json: JSONDocument(reading: text, file: "test.json").value).behaviorID
  }

  private static let plain = #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "value > 2"}}]}"#

  /// Files that do what `plain` does.
  static let alike = [
    #"{"$schema": "s", "format": 1, "name": "n", "description": "d", "id": "5C5C1E0B-6C0B-4D5D-9E1C-2B8E1C0B9A11", "stream": [{"value": 1, "x-a": 1}], "x-b": 2, "operators": [{"filter": {"expression": "value > 2"}, "label": "l", "id": "i", "x-c": 3}]}"#,
    #"{"operators": [{"filter": {"expression": "value>2"}}], "stream": [{"value": 1}]}"#,
    #"{"stream": [{"value": 1, "operators": []}], "operators": [{"filter": {"expression": "  (value) > (0x2)"}, "onError": "fail"}]}"#,
    #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "value > 2"}}], "tests": [{"name": "t", "expect": {"values": []}}]}"#,
  ]

  @Test("Names, tests, order, spelling of expressions and written defaults make no difference", arguments: alike)
  func same(_ text: String) throws {
    let actual = try id(text)
    let expected = try id(Self.plain)
    #expect(actual == expected)
  }

  @Test("An operator whose fields name parameters has one spelling, too")
  func parameters() throws {
    func file(_ fields: String) -> String {
      #"{"parameters": {"s": {"default": 5}}, "stream": [], "operators": [{"distinct": {\#(fields)}}]}"#
    }
    let seconds = #""seconds": {"parameter": "s"}"#
    let plain = try id(file(#""key": "value", \#(seconds)"#))
    for same in [#""key": " value ", \#(seconds)"#, #""key": "value", "x-a": 1, "whenFull": "fail", \#(seconds)"#] {
      let actual = try id(file(same))
      #expect(actual == plain)
    }
    let other = try id(file(#""key": "value", "whenFull": "forgetOldest", \#(seconds)"#))
    #expect(other != plain)
    func applied(_ rest: String) -> String {
      #"{"definitions": {"d": {"operators": []}}, "stream": [], "operators": [{"apply": {"definition": "d"\#(rest)}}]}"#
    }
    let (apply, extended) = (try id(applied("")), try id(applied(#", "x-a": 1"#)))
    #expect(apply == extended)
  }

  /// Files that do something else.
  static let different = [
    #"{"stream": [{"value": 1.0}], "operators": [{"filter": {"expression": "value > 2"}}]}"#,
    #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "value > 2.0"}}]}"#,
    #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "2 < value"}}]}"#,
    #"{"stream": [{"value": 1}], "operators": [{"filter": {"expression": "value > 2"}, "onError": "skip"}]}"#,
    #"{"stream": [{"value": "1"}], "operators": [{"filter": {"expression": "value > 2"}}]}"#,
    #"{"source": {"just": {"value": 1}}, "operators": [{"filter": {"expression": "value > 2"}}]}"#,
    #"{"inputs": {"a": {}}, "stream": [{"value": 1}], "operators": [{"filter": {"expression": "value > 2"}}]}"#,
  ]

  @Test("Changes of behavior are reported", arguments: different)
  func other(_ text: String) throws {
    let actual = try id(text)
    let expected = try id(Self.plain)
    #expect(actual != expected)
  }

  @Test(
    "Seconds are numbers: 1 and 1.0 are the same, in fields, records and inputs of doubles; types have one spelling")
  func seconds() throws {
    let pairs = [
      (
        #"{"stream": [], "operators": [{"delay": {"seconds": 1}}]}"#,
        #"{"stream": [], "operators": [{"delay": {"seconds": 1.0}}]}"#
      ),
      (
        #"{"source": {"record": {"events": [{"at": 1, "value": 1}]}}}"#,
        #"{"source": {"record": {"events": [{"at": 1.0, "value": 1}]}}}"#
      ),
      (
        #"{"inputs": {"a": {"type": "double", "initialValue": 1}}, "source": {"input": {"name": "a"}}}"#,
        #"{"inputs": {"a": {"type": "double", "initialValue": 1.0}}, "source": {"input": {"name": "a"}}}"#
      ),
      (
        #"{"inputs": {"a": {"type": "list(int)"}}, "source": {"input": {"name": "a"}}}"#,
        #"{"inputs": {"a": {"type": "list( int )"}}, "source": {"input": {"name": "a"}}}"#
      ),
    ]
    for (first, second) in pairs {
      let ids = (try id(first), try id(second))
      #expect(ids.0 == ids.1, "\(first)")
    }
  }

  @Test("Inline streams, inner operators and items are compared too")
  func nested() throws {
    let first =
      #"{"stream": [], "operators": [{"merge": {"with": [{"name": "x", "stream": [{"value": 1, "operators": [{"drop": {}}]}]}]}}, {"groupBy": {"key": "value", "operators": [{"label": "l", "map": {"expression": "key"}}]}}]}"#
    let second =
      #"{"stream": [], "operators": [{"merge": {"with": [{"stream": [{"value": 1, "operators": [{"drop": {"count": 1}}]}]}]}}, {"groupBy": {"key": " value ", "limit": 10000000, "operators": [{"map": {"expression": "(key)"}}]}}]}"#
    let ids = (try id(first), try id(second))
    #expect(ids.0 == ids.1)
  }

  /// Every default that the catalogue knows, written into every example that leaves it out.
  static let defaults: [(example: ExampleStream, field: String, value: Value)] = ExampleStream.running.flatMap {
    example -> [(ExampleStream, String, Value)] in
    let spec = (Operator.table.map(\.spec) + Source.table.map(\.spec)).first { $0.name == example.name }
    guard let spec, case .map(let object)? = try? example.fields(), case .map(let fields)? = object[spec.name] else {
      return []
    }
    return spec.fields.compactMap { field in
      guard fields[field.name] == nil else { return nil }
      switch field.defaultValue {
      case .value(let value)?: return (example, field.name, value)
      case .field(let other)?: return fields[other].map { (example, field.name, $0) }
      case nil: return nil
      }
    }
  }

  @Test("A default that is written out changes neither what the stream does nor its id")
  func defaults() throws {
    var tried = 0
    for (example, field, value) in Self.defaults {
      guard case .map(let object) = try example.fields(), case .map(let fields)? = object[example.name] else {
        continue
      }
      let more = Value.map(
        ValueMap([(.string(example.name), .map(ValueMap(fields.pairs.map { ($0, $1) } + [(.string(field), value)])))]))
      // Some fields are only allowed beside others.
      guard let written = try? StreamModel(json: example.stream(more)) else { continue }
      let left = try StreamModel(json: example.stream())
      #expect(written.behaviorID == left.behaviorID, "\(example): \(field)")
      tried += 1
      let options = CompileOptions(files: ValueFilesInMemory.examples, host: .any)
      let histories = try [left, written].map { model in
        var recorder = HistoryRecorder(Execution(try model.compile(options)))
        recorder.run(try example.inputs()) { $0 }
        return recorder.history
      }
      #expect(histories[0] == histories[1], "\(example): \(field)")
    }
    #expect(tried > 150)
  }
}
