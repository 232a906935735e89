import StreamCore
import StreamEditing
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// The stable form of stream files.
@Suite struct StreamFormatTests {
  private func format(_ text: String) throws -> String {
    String(decoding: StreamFormat.text(of: try JSONDocument(reading: text, file: "test.json")), as: UTF8.self)
  }

  private func formatWithIDs(_ text: String) throws -> String {
    String(decoding: try StreamFormat.textWithIDs(of: JSONDocument(reading: text, file: "test.json")), as: UTF8.self)
  }

  @Test("Keys are in the order of the format; numbers and escapes keep their spelling")
  func order() throws {
    let text = #"""
      {"x-b": 1, "operators": [{"onError": "skip", "x-c": {"z": 1, "y": 2}, "debounce": {"onFinish": "flush",
       "seconds": 1e-1}, "label": "caf\u00e9", "id": "q"}], "name": "n", "stream": [{"operators": [], "value": 1.0}],
       "x-a": -0.0, "$schema": "s", "format": 1}
      """#
    let expected = #"""
      {
        "$schema": "s",
        "format": 1,
        "name": "n",
        "stream": [
          { "value": 1.0, "operators": [] }
        ],
        "operators": [
          {
            "id": "q",
            "label": "caf\u00e9",
            "debounce": { "seconds": 1e-1, "onFinish": "flush" },
            "onError": "skip",
            "x-c": { "z": 1, "y": 2 }
          }
        ],
        "x-b": 1,
        "x-a": -0.0
      }

      """#
    let actual = try format(text)
    #expect(actual == expected)
  }

  @Test("The keys of inputs, streams, tests and streams in place have their order too; values keep theirs")
  func everywhere() throws {
    let text = #"""
      {"tests": [{"expect": {"frame": 1, "values": {"b": 1, "a": 2}, "marbles": "-a"}, "calls": {"f": {"value": {"z": 1,
      "a": 2}, "after": 1, "argument": 1}}, "name": "t", "inputs": {"z": {"events": [{"value": 1, "at": 0}]}, "a":
      {"values": []}}}], "source": {"iif": {"else": {"operators": [], "source": {"empty": {}}}, "then": "z",
      "condition": "true"}}, "inputs": {"z": {"buffer": {"whenFull": "fail", "capacity": 1}, "initialValue": {"b": 1,
      "a": 2}}}}
      """#
    let keys = try JSONDocument(reading: format(text), file: "").value
    #expect(
      JSONWriter.compact(keys)
        == #"{"inputs":{"z":{"initialValue":{"b":1,"a":2},"buffer":{"capacity":1,"whenFull":"fail"}}},"#
        + #""source":{"iif":{"condition":"true","then":"z","else":{"source":{"empty":{}},"operators":[]}}},"#
        + #""tests":[{"name":"t","inputs":{"z":{"events":[{"at":0,"value":1}]},"a":{"values":[]}},"#
        + #""calls":{"f":{"argument":1,"after":1,"value":{"z":1,"a":2}}},"#
        + #""expect":{"marbles":"-a","values":{"b":1,"a":2},"frame":1}}]}"#)
  }

  @Test("Unknown keys follow the known ones, and nothing is lost")
  func unknown() throws {
    let actual = try format(#"{"x-a": 1, "nmae": 2, "operators": 7, "name": 3}"#)
    #expect(actual == "{\n  \"name\": 3,\n  \"operators\": 7,\n  \"nmae\": 2,\n  \"x-a\": 1\n}\n")
  }

  @Test("A text that is not a stream file is formatted too", arguments: ["[ 1,2 ]", "null", "\"a\\/b\"", "[]", "{}"])
  func others(_ text: String) throws {
    let once = try format(text)
    let twice = try format(once)
    #expect(once == twice)
    #expect(try JSONDocument(reading: once, file: "").value == JSONDocument(reading: text, file: "").value)
  }

  @Test("Operators that keep state are given IDs, which stay and do not collide")
  func ids() throws {
    let text = #"""
      {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}], "operators": [{"map": {"expression":
      "value"}}, {"scan": {"expression": "acc"}}, {"id": "scan-2", "scan": {"expression": "acc"}}, {"scan":
      {"expression": "acc"}}, {"filter": {"expression": "index > 1"}}, {"merge": {"with": [{"stream": [], "operators":
      [{"count": {}}]}]}}]}
      """#
    let once = try formatWithIDs(text)
    let twice = try formatWithIDs(once)
    let model = try StreamModel(json: JSONDocument(reading: once, file: "").value)
    #expect(model.operators.map(\.id) == [nil, "scan", "scan-2", "scan-3", "filter", "merge"])
    #expect(once.contains(#"{ "id": "delay", "delay": { "seconds": 1 } }"#))
    #expect(once.contains(#"{ "id": "count", "count": {} }"#))
    #expect(once == twice)
    #expect(try StreamModel(json: JSONDocument(reading: text, file: "").value).behaviorID == model.behaviorID)
  }

  @Test("Only readable operators are given IDs")
  func noIDs() {
    let error = #expect(throws: Diagnostics.self) { try formatWithIDs(#"{"stream": [], "operators": [{"scna": {}}]}"#) }
    #expect(
      error?.all.map { "\($0.code.rawValue) \($0.pointer) \($0.location?.column ?? 0)" } == [
        "S105 /operators/0/scna 31"
      ])
  }

  @Test("An operator that says it keeps no state does to each value what it does to it alone")
  func stateless() throws {
    var names: Set<String> = []
    for example in ExampleStream.running where !example.isSource {
      let model = try StreamModel(json: example.stream())
      guard model.operators.allSatisfy({ !$0.operator.definition.keepsState }) else { continue }
      let inputs = try example.inputs()
      // For streams whose values do not fail and that have no other input.
      let events = inputs.first?.events.filter { if case .value = $0.event { true } else { false } } ?? []
      guard inputs.count == 1, !events.isEmpty else { continue }
      names.insert(example.name)
      let together = try heard(example, events)
      let apart = try events.flatMap { try heard(example, [$0]) }
      let end = apart.firstIndex { if case .value = $0.event { false } else { true } }
      #expect(together == Array(apart.prefix(end.map { $0 + 1 } ?? apart.count)), "\(example)")
    }
    #expect(names.isSuperset(of: ["map", "filter", "compactMap", "unwrap", "encode", "decode", "replaceNil"]))
    #expect(names.isDisjoint(with: ["scan", "count", "removeDuplicates", "debounce"]))
  }

  private func heard(_ example: ExampleStream, _ events: [History.Event]) throws -> [History.Event] {
    var recorder = HistoryRecorder(Execution(try example.pipeline()))
    recorder.run([History(events)]) { $0 }
    return recorder.history.events
  }
}
