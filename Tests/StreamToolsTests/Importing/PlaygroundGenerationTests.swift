import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

@Suite("Generations of the playground's files")
struct PlaygroundGenerationTests {
  @Test("A single item becomes a stream of that item, with its operators")
  func bareItem() throws {
    let text = #"{"value": "1", "operatorItem": {"delay": {"seconds": 1, "next": {"delay": {"seconds": 2}}}}}"#
    let streams = try imported(text)
    #expect(streams.count == 1)
    #expect(streams[0].notes.map(path) == [""])
    #expect(streams[0].notes.allSatisfy { $0.severity == .note })
    guard case .items(let items) = try StreamModel(json: streams[0].model).source else {
      throw Diagnostic(.wrongType, "")
    }
    #expect(items.map(\.value) == ["1"])
    #expect(items[0].operators.map(\.operator.name) == ["delay", "delay"])
  }

  @Test("G5: a stream keeps its id, name, items and delays, in the order of the format")
  func stream() throws {
    let streams = try imported(
      """
      {"id": "00000000-0000-4000-8000-000000000001", "isDefault": true, "name": "Serial Stream A",
       "description": "two values",
       "stream": [{"operators": [{"delay": {"seconds": 1}}, {"delay": {"seconds": 0.5}}], "value": "1"},
                  {"operators": [], "value": "2"}]}
      """)
    let expected = try json(
      """
      {"format": 1, "id": "00000000-0000-4000-8000-000000000001", "name": "Serial Stream A",
       "description": "two values",
       "stream": [{"value": "1", "operators": [{"delay": {"seconds": 1}}, {"delay": {"seconds": 0.5}}]},
                  {"value": "2"}]}
      """)
    #expect(streams.map(\.model) == [expected])
    #expect(streams.map(\.name) == ["Serial Stream A"])
    #expect(streams.map(\.generation) == ["G5"])
    #expect(streams[0].notes == [])
    guard case .map(let map) = streams[0].model else { return }
    #expect(map.keys == ["format", "id", "name", "description", "stream"])
  }

  @Test("Values that are lists or numbers are unchanged")
  func otherValues() throws {
    let streams = try imported(
      """
      [{"isDefault": false, "stream": [{"operators": [], "value": ["1", "A"]}]},
       {"isDefault": false, "stream": [{"operators": [{"delay": {"seconds": 0.5}}], "value": 7}]}]
      """)
    let values = streams.map { $0.model.memberOrNull("stream") }
    #expect(values[0] == [["value": ["1", "A"]]])
    #expect(values[1] == [["value": 7, "operators": [["delay": ["seconds": 0.5]]]]])
  }

  @Test("G5: scan has its initial value")
  func scan() throws {
    let streams = try imported(
      #"{"name": "Scan Stream", "operators": [{"scan": {"expression": "%d + %d", "initialValue": 5}}]}"#)
    let operators = streams[0].model.memberOrNull("operators")
    #expect(
      operators == [
        ["filter": ["expression": "value.matches('^[+-]?[0-9]+$')"]],
        ["scan": ["initialValue": 5, "expression": "acc + int(value)"]],
        ["map": ["expression": "string(value)"]],
      ])
    #expect(streams[0].generation == "G5")
  }

  @Test("G4: scan without initial value begins with 0, which is noted")
  func scanWithoutInitialValue() throws {
    let streams = try imported(#"{"operators": [{"scan": {"expression": "%d + %d"}}]}"#)
    let operators = streams[0].model.memberOrNull("operators")
    guard case .list(let list) = operators else { return }
    #expect(list[1] == ["scan": ["initialValue": 0, "expression": "acc + int(value)"]])
    let notes = streams[0].notes.filter { $0.message.contains("began with 0") }
    #expect(notes.map(path) == ["/operators/0/scan"])
    #expect(streams[0].generation == "G4")
  }

  @Test("G1: a linked list of operators is flattened in order")
  func linkedList() throws {
    let streams = try imported(
      """
      [{"isDefault": true, "name": "A", "stream": [
         {"value": "1", "operatorItem": {"delay": {"seconds": 1, "next": {"delay": {"seconds": 2}}}}},
         {"value": "2"}]},
       {"name": "Chain", "streamModelId": "x",
        "operatorItem": {"dropFirst": {"count": 1, "next": {"map": {"expression": "%d * 2", "next": {"filter": {
          "expression": "%d != 3"}}}}}}}]
      """)
    let items = streams[0].model.memberOrNull("stream")
    #expect(
      items == [
        ["value": "1", "operators": [["delay": ["seconds": 1]], ["delay": ["seconds": 2]]]], ["value": "2"],
      ])
    let operators = streams[1].model.memberOrNull("operators")
    #expect(
      operators == [
        ["drop": ["count": 1]],
        ["filter": ["expression": "value.matches('^[+-]?[0-9]+$')"]],
        ["map": ["expression": "string(int(value) * 2)"]],
        ["filter": ["expression": "int(value) != 3"]],
      ])
    #expect(streams.map(\.generation) == ["G1", "G1"])
  }

  @Test("G1: a filter that was written as delay is a filter again, which is noted")
  func filterBug() throws {
    let streams = try imported(
      #"{"streamModelId": "x", "operatorItem": {"delay": {"expression": "%d != 3", "next": {"delay": {"seconds": 1}}}}}"#
    )
    let operators = streams[0].model.memberOrNull("operators")
    #expect(
      operators == [
        ["filter": ["expression": "value.matches('^[+-]?[0-9]+$')"]],
        ["filter": ["expression": "int(value) != 3"]],
        ["delay": ["seconds": 1]],
      ])
    let notes = streams[0].notes.filter { $0.message.contains("read as 'filter'") }
    #expect(notes.map(path) == ["/operatorItem/delay"])
    #expect(streams[0].generation == "G1")
  }

  @Test("G2: an operation without references")
  func withoutReferences() throws {
    let streams = try imported(#"{"name": "Drop Stream", "operatorItem": {"dropFirst": {"count": 2}}}"#)
    let expected = try json(
      """
      {"format": 1, "name": "Drop Stream", "inputs": {"stream": {"type": "string"}},
       "source": {"input": {"name": "stream"}}, "operators": [{"drop": {"count": 2}}]}
      """)
    #expect(streams.map(\.model) == [expected])
    #expect(streams.map(\.generation) == ["G2"])
  }

  @Test(
    "Operations on several streams, in the words of every generation",
    arguments: [
      (#"{"operationType": "merge", "streamModelIds": ["a", "b"]}"#, "G1"),
      (#"{"operatorItem": {"merge": null}, "streamModelIds": ["a", "b"]}"#, "G1b"),
      (#"{"operatorItem": "merge", "streamModelIds": ["a", "b"]}"#, "G1b"),
      (#"{"operatorItem": {"merge": null}}"#, "G2"),
      (#"{"operatorItem": {"merge": {}}}"#, "G2"),
      (#"{"operatorItem": "merge"}"#, "G5"),
    ])
  func unions(text: String, generation: String) throws {
    let streams = try imported(text)
    let expected = try json(
      """
      {"format": 1, "inputs": {"A": {"type": "string"}, "B": {"type": "string"}},
       "source": {"input": {"name": "A"}}, "operators": [{"merge": {"with": ["B"]}}]}
      """)
    #expect(streams.map(\.model) == [expected])
    #expect(streams.map(\.generation) == [generation])
  }

  @Test("G1: zip and combineLatest have their own key")
  func joins() throws {
    let streams = try imported(#"{"operatorType": "combineLatest", "streamModelIds": ["a", "b"]}"#)
    let operators = streams[0].model.memberOrNull("operators")
    #expect(operators == [["combineLatest": ["with": ["B"]]]])
  }

  @Test("G1b: operators after the joining one")
  func operatorsBehindUnion() throws {
    let streams = try imported(
      #"{"operatorItem": {"append": {"dropFirst": {"count": 1, "next": {"delay": {"seconds": 2}}}}}}"#)
    let operators = streams[0].model.memberOrNull("operators")
    #expect(operators == [["append": ["with": ["B"]]], ["drop": ["count": 1]], ["delay": ["seconds": 2]]])
  }

  @Test("G0: the shape before the first release is read too")
  func typed() throws {
    let streams = try imported(
      """
      {"isDefault": true, "stream": [
        {"value": "1", "operatorItem": {"type": "delay", "value": 1.5, "next": {"type": "drop", "value": 2}}}]}
      """)
    let items = streams[0].model.memberOrNull("stream")
    #expect(items == [["value": "1", "operators": [["delay": ["seconds": 1.5]], ["drop": ["count": 2]]]]])
    #expect(streams[0].generation == "G0")
  }

  @Test("A neighbor shows the generation that a model alone does not")
  func context() throws {
    let streams = try imported(
      #"[{"operatorItem": "merge"}, {"operators": [{"scan": {"expression": "%d + %d"}}]}]"#)
    #expect(streams.map(\.generation) == ["G4", "G4"])
  }
}
