import StreamCore
import StreamKit
import StreamTools
import Testing

@Suite("Faulty files of the playground")
struct PlaygroundFaultTests {
  @Test("Unknown keys are left out with a warning that names them")
  func unknownKeys() throws {
    let streams = try imported(
      """
      {"isDefault": true, "color": "red", "stream": [
        {"value": "1", "size": 3, "operators": [{"delay": {"seconds": 1, "on": "main"}}]}]}
      """)
    let warnings = streams[0].notes
    #expect(warnings.map(path) == ["/color", "/stream/0/size", "/stream/0/operators/0/delay/on"])
    #expect(warnings.allSatisfy { $0.severity == .warning && $0.code == .assumption && $0.part == .key })
    #expect(warnings.first?.message.contains("'color'") == true)
  }

  @Test("Keys of UserDefaults that are not the playground's are left out with a warning")
  func unknownStoreKeys() throws {
    let streams = try imported(#"{"AppleLanguages": ["en"], "storedStreams": [{"isDefault": true, "stream": []}]}"#)
    #expect(streams.count == 1)
    #expect(streams[0].notes.map(path) == ["/AppleLanguages"])
  }

  @Test("All errors are reported at once, at their places")
  func everything() throws {
    let problems = try refused(
      """
      [{"isDefault": true, "name": 5, "stream": [{"operators": []}, 7, {"value": "1", "operators": [{"delay": {}}]}]},
       {"operators": [{"map": {"expression": "friends.age * 2"}}, {"frob": {}}, {}, {"filter": {}},
                      {"dropFirst": {"count": -1}}, {"dropFirst": {"count": 1.5}},
                      {"delay": {"seconds": "1"}}, {"map": {"expression": 3}}, {"map": 3},
                      {"scan": {"initialValue": true, "expression": "%d"}}]},
       {"operatorItem": "frob"},
       {"operatorItem": 3},
       {"operationType": "merge", "streamModelIds": "x"},
       3,
       {"isDefault": 1, "stream": {}}]
      """)
    let found = problems.map { "\(path($0)) \($0.code.rawValue)" }.sorted()
    #expect(
      found == [
        "/0/name S102", "/0/stream/0 S103", "/0/stream/1 S102", "/0/stream/2/operators/0/delay S103",
        "/1/operators/0/map/expression S117", "/1/operators/1/frob S105", "/1/operators/2 S106",
        "/1/operators/3/filter S103", "/1/operators/4/dropFirst/count S104", "/1/operators/5/dropFirst/count S102",
        "/1/operators/6/delay/seconds S102", "/1/operators/7/map/expression S102", "/1/operators/8/map S102",
        "/1/operators/9/scan/initialValue S102", "/2/operatorItem S105", "/3/operatorItem S102",
        "/4/streamModelIds S102", "/5 S102", "/6/isDefault S102", "/6/stream S102",
      ])
  }

  @Test("An error in an expression points into the text")
  func insideExpression() throws {
    let problems = try refused(#"{"operators": [{"filter": {"expression": "%d > FUNCTION(1)"}}]}"#)
    #expect(problems.map(path) == ["/operators/0/filter/expression"])
    #expect(problems.map(\.part) == [.text(5..<16)])
  }

  @Test("An invalid UUID is left out, but still found")
  func invalidIdentifier() throws {
    let streams = try imported(
      """
      [{"id": "a", "isDefault": true, "name": "A", "stream": []},
       {"streamModelId": "a", "operatorItem": {"dropFirst": {"count": 1}}}]
      """)
    #expect(streams[0].model.memberOrNull("id") == .null)
    #expect(streams[0].notes.map(path) == ["/0/id"])
    #expect(streams[1].model.memberOrNull("source") == ["stream": ["name": "A"]])
  }

  @Test("A negative delay is none, and an initial value that is a string is the number in it")
  func repairs() throws {
    let streams = try imported(
      """
      {"operators": [{"delay": {"seconds": -1}}, {"scan": {"initialValue": "5", "expression": "%d + %d"}}]}
      """)
    guard case .list(let operators) = streams[0].model.memberOrNull("operators") else { return }
    #expect(operators[0] == ["delay": ["seconds": 0]])
    #expect(operators[2].memberOrNull("scan").memberOrNull("initialValue") == 5)
    let paths = streams[0].notes.map(path)
    #expect(paths.contains("/operators/0/delay/seconds"))
    #expect(paths.contains("/operators/1/scan/initialValue"))
  }

  @Test(
    "A file that is not the playground's is refused", arguments: ["3", "{}", #"{"format": 1, "stream": []}"#, "null"])
  func foreign(text: String) throws {
    let problems = try refused(text)
    #expect(problems.map(\.code) == [.unsupportedImport])
  }

  @Test("An empty store holds no streams")
  func empty() throws {
    let streams = try imported(#"{"storedStreams": []}"#)
    #expect(streams.isEmpty)
  }

  @Test("A linked list as long as the reader's depth allows is read")
  func longChain() throws {
    var chain: Value = ["delay": ["seconds": 1]]
    for _ in 1..<250 { chain = ["delay": ["seconds": 1, "next": chain]] }
    let streams = try PlaygroundImporter().read(["operatorItem": chain])
    guard case .list(let operators) = streams[0].model.memberOrNull("operators") else { return }
    #expect(operators.count == 250)
  }

  @Test("No arrangement of the playground's keys makes the importer crash")
  func arrangements() {
    let keys = [
      "stream", "operators", "operatorItem", "operationType", "operatorType", "streamModelIds", "streamModelId", "id",
      "value", "next", "delay", "map", "scan", "filter", "expression", "seconds", "initialValue", "merge", "type",
      "isDefault", "storedStreams", "count", "dropFirst",
    ]
    let leaves: [Value] = ["merge", "zip", "%d + %d", 1, -1, 2.5, true, .null, "1", .double(.infinity), .uint(.max)]
    var seed: UInt64 = 7
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    func value(_ depth: Int) -> Value {
      switch depth == 0 ? 9 : random(10) {
      case 0...5: .map(ValueMap((0...random(4)).map { _ in (.string(keys[random(keys.count)]), value(depth - 1)) }))
      case 6...8: .list((0..<random(4)).map { _ in value(depth - 1) })
      default: leaves[random(leaves.count)]
      }
    }
    for _ in 0..<5_000 {
      let arrangement = value(6)
      _ = PlaygroundImporter.recognizes(arrangement)
      _ = try? PlaygroundImporter().read(arrangement)
    }
  }
}
