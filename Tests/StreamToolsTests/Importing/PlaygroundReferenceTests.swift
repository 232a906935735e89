import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

@Suite("Streams that the playground's operations work on")
struct PlaygroundReferenceTests {
  private func store(_ operations: String, key: String = "storedOperationStreams") -> String {
    #"{"\#(key)": [\#(operations)], "storedStreams": \#(defaultStreams)}"#
  }

  @Test("An operation works on the first default stream, which comes with it")
  func operation() throws {
    let streams = try imported(store(#"{"name": "Map Stream", "operators": [{"map": {"expression": "%d * 2"}}]}"#))
    let expected = try json(
      """
      {"format": 1, "name": "Map Stream",
       "streams": {"Serial Stream A": {"id": "00000000-0000-4000-8000-00000000000A",
         "stream": [{"value": "1", "operators": [{"delay": {"seconds": 1}}]},
                    {"value": "2", "operators": [{"delay": {"seconds": 1}}]}]}},
       "source": {"stream": {"name": "Serial Stream A"}},
       "operators": [{"map": {"expression": "string(int(value) * 2)"}}]}
      """)
    #expect(streams.map(\.name) == ["Map Stream", "Serial Stream A", "Serial Stream B"])
    #expect(streams[0].model == expected)
    let messages = streams[0].notes.map(\.message)
    #expect(messages.contains { $0.contains("'Serial Stream A'") })
    #expect(messages.contains { $0.contains("every value is an integer") })
    guard case .map(let map) = streams[0].model else { return }
    #expect(map.keys == ["format", "name", "streams", "source", "operators"])
  }

  @Test("A filter on integers needs no guard")
  func filter() throws {
    let streams = try imported(store(#"{"operators": [{"filter": {"expression": "%d != 3"}}]}"#))
    let operators = streams[0].model.memberOrNull("operators")
    #expect(operators == [["filter": ["expression": "int(value) != 3"]]])
  }

  @Test("Strings that Swift reads as numbers but writes otherwise are guarded, and so are numbers too large")
  func unusualNumbers() throws {
    for value in ["007", "+5", "99999999999999999999", "1.5", ""] {
      let streams = try imported(
        """
        [{"isDefault": true, "stream": [{"operators": [], "value": "\(value)"}]},
         {"operators": [{"map": {"expression": "%d * 2"}}]}]
        """)
      guard case .list(let operators) = streams[1].model.memberOrNull("operators") else { return }
      #expect(operators.count == 2)
    }
  }

  @Test("A stream of numbers stays one")
  func numbers() throws {
    let streams = try imported(
      """
      [{"isDefault": true, "stream": [{"operators": [], "value": 1}]},
       {"operators": [{"map": {"expression": "%d * 2"}}, {"scan": {"initialValue": 0, "expression": "%d + %d"}}]}]
      """)
    let operators = streams[1].model.memberOrNull("operators")
    #expect(
      operators == [
        ["map": ["expression": "value * 2"]], ["scan": ["initialValue": 0, "expression": "acc + value"]],
      ])
  }

  @Test(
    "`merge`, append, zip and combineLatest name the second stream",
    arguments: ["merge", "append", "zip", "combineLatest"])
  func unions(name: String) throws {
    let streams = try imported(store(#"{"operatorItem": "\#(name)"}"#, key: "storedJoinOperationStreams"))
    let model = streams[0].model
    #expect(model.memberOrNull("source") == ["stream": ["name": "Serial Stream A"]])
    #expect(model.memberOrNull("operators") == [[.string(name): ["with": ["Serial Stream B"]]]])
    guard case .map(let embedded) = model.memberOrNull("streams") else { return }
    #expect(embedded.keys == ["Serial Stream A", "Serial Stream B"])
  }

  @Test("`flatMap` repeats the last stream for each element of those before it")
  func flatMap() throws {
    let two = try imported(store(#"{"operatorItem": "flatMap"}"#, key: "storedUnifyingOperationStreams"))
    #expect(two[0].model.memberOrNull("source") == ["stream": ["name": "Serial Stream A"]])
    #expect(two[0].model.memberOrNull("operators") == [["flatMap": ["stream": "Serial Stream B"]]])
    let three = try imported(#"{"operationType": "flatMap", "streamModelIds": ["x", "y", "z"]}"#)
    #expect(three[0].model.memberOrNull("operators") == [["flatMap": ["stream": "B"]], ["flatMap": ["stream": "C"]]])
  }

  @Test("IDs are resolved, whatever the case of their letters, and others become inputs")
  func identifiers() throws {
    let streams = try imported(
      """
      {"storedGroupOperationStreams": [{"operationType": "merge", "streamModelIds":
         ["00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-0000000000FF",
          "00000000-0000-4000-8000-00000000000B"]}],
       "storedStreams": \(defaultStreams)}
      """)
    let model = streams[0].model
    #expect(model.memberOrNull("source") == ["stream": ["name": "Serial Stream B"]])
    #expect(model.memberOrNull("operators") == [["merge": ["with": ["B", "Serial Stream B"]]]])
    #expect(model.memberOrNull("inputs") == ["B": ["type": "string"]])
    #expect(streams[0].notes.map(path) == ["/storedGroupOperationStreams/0/streamModelIds/1"])
  }

  @Test("`zip` takes two of three streams, which is noted")
  func zipOfThree() throws {
    let streams = try imported(#"{"operatorType": "zip", "streamModelIds": ["x", "y", "z"]}"#)
    #expect(streams[0].model.memberOrNull("operators") == [["zip": ["with": ["B"]]]])
    #expect(streams[0].notes.contains { $0.message.contains("first two of the 3") })
  }

  @Test("Operations with too few streams behave as in the playground")
  func tooFew() throws {
    let zip = try imported(#"{"operatorType": "zip", "streamModelIds": ["x"]}"#)
    let merge = try imported(#"{"operationType": "merge", "streamModelIds": []}"#)
    let flatMap = try imported(#"{"operationType": "flatMap", "streamModelIds": []}"#)
    let append = try imported(#"{"operationType": "append", "streamModelIds": ["x"]}"#)
    #expect(zip[0].model == ["format": 1, "source": ["empty": [:]]])
    #expect(merge[0].model == ["format": 1, "source": ["empty": [:]]])
    #expect(flatMap[0].model == ["format": 1, "source": ["just": ["value": ""]]])
    #expect(append[0].model.memberOrNull("source") == ["input": ["name": "A"]])
    #expect(append[0].model.memberOrNull("operators") == .null)
  }

  @Test("Streams with one name, or none, are distinguished")
  func names() throws {
    let streams = try imported(
      """
      [{"isDefault": true, "name": "S", "stream": [{"operators": [], "value": "1"}]},
       {"isDefault": true, "name": "S", "stream": [{"operators": [], "value": "2"}]},
       {"operatorItem": "zip"}]
      """)
    #expect(streams[2].model.memberOrNull("operators") == [["zip": ["with": ["S 2"]]]])
    let nameless = try imported(
      #"[{"isDefault": true, "stream": []}, {"operators": [{"dropFirst": {"count": 1}}]}]"#)
    #expect(nameless[1].model.memberOrNull("source") == ["stream": ["name": "Stream 1"]])
  }

  @Test("A stream that is not a default one serves where those are too few")
  func notDefault() throws {
    let streams = try imported(
      """
      [{"isDefault": false, "name": "X", "stream": []}, {"isDefault": true, "name": "Y", "stream": []},
       {"operatorItem": "merge"}]
      """)
    #expect(streams[2].model.memberOrNull("source") == ["stream": ["name": "Y"]])
    #expect(streams[2].model.memberOrNull("operators") == [["merge": ["with": ["X"]]]])
  }
}
