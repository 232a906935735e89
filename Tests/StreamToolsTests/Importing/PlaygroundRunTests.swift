import StreamCore
import StreamEngine
import StreamKit
import StreamTools
import Testing

/// The values of imported playground files: the strings that the app showed.
@Suite("Values of imported files") struct PlaygroundRunTests {
  private static let streams = """
    {"id": "00000000-0000-4000-8000-000000000001", "isDefault": true, "name": "A", "stream": [
      {"operators": [{"delay": {"seconds": 1}}], "value": "1"}, {"operators": [{"delay": {"seconds": 1}}], "value": "2"},
      {"operators": [{"delay": {"seconds": 1}}], "value": "3"}]},
    {"id": "00000000-0000-4000-8000-000000000002", "isDefault": true, "name": "B", "stream": [
      {"operators": [{"delay": {"seconds": 1.5}}], "value": "x"}, {"operators": [], "value": "y"}]}
    """
  private static let linked = """
    {"id": "00000000-0000-4000-8000-000000000001", "isDefault": true, "name": "A", "stream": [
      {"value": "1", "operatorItem": {"delay": {"seconds": 1, "next": {"delay": {"seconds": 2}}}}},
      {"value": "3"}]}
    """

  /// The values of the last imported stream, as `value@seconds`.
  private func published(_ streams: String, _ operation: String) throws -> [String] {
    let imported = try imported("[\(streams), \(operation)]")
    let model = try #require(imported.last).model
    let history = VirtualRun(Execution(try StreamModel(json: model).compile())).run()
    return history.events.map { event in
      let what = if case .value(let value) = event.event { JSONWriter.compact(value) } else { "|" }
      return "\(what)@\(JSONWriter.compact(.double(event.time.seconds)))"
    }
  }

  @Test(
    "G3 to G5: operators in lists",
    arguments: [
      (#"{"filter": {"expression": "%d != 2"}}"#, [#""1"@1.0"#, #""3"@3.0"#, "|@3.0"]),
      (#"{"dropFirst": {"count": 2}}"#, [#""3"@3.0"#, "|@3.0"]),
      (#"{"map": {"expression": "%d * 2"}}"#, [#""2"@1.0"#, #""4"@2.0"#, #""6"@3.0"#, "|@3.0"]),
      (
        #"{"scan": {"expression": "%d + %d", "initialValue": 10}}"#,
        [#""11"@1.0"#, #""13"@2.0"#, #""16"@3.0"#, "|@3.0"]
      ),
      (#"{"scan": {"expression": "%d + %d"}}"#, [#""1"@1.0"#, #""3"@2.0"#, #""6"@3.0"#, "|@3.0"]),
    ])
  func lists(_ operation: String, _ expected: [String]) throws {
    let actual = try published(
      Self.streams, #"{"id": "00000000-0000-4000-8000-000000000003", "name": "O", "operators": [\#(operation)]}"#)
    #expect(actual == expected)
  }

  @Test(
    "G4 and G5: streams that are united and joined",
    arguments: [
      ("merge", [#""1"@1.0"#, #""x"@1.5"#, #""y"@1.5"#, #""2"@2.0"#, #""3"@3.0"#, "|@3.0"]),
      ("append", [#""1"@1.0"#, #""2"@2.0"#, #""3"@3.0"#, #""x"@4.5"#, #""y"@4.5"#, "|@4.5"]),
      ("zip", [#"["1","x"]@1.5"#, #"["2","y"]@2.0"#, "|@2.0"]),
      (
        "combineLatest",
        [#"["1","x"]@1.5"#, #"["1","y"]@1.5"#, #"["2","y"]@2.0"#, #"["3","y"]@3.0"#, "|@3.0"]
      ),
      (
        "flatMap",
        [#""x"@2.5"#, #""y"@2.5"#, #""x"@3.5"#, #""y"@3.5"#, #""x"@4.5"#, #""y"@4.5"#, "|@4.5"]
      ),
    ])
  func united(_ operation: String, _ expected: [String]) throws {
    let actual = try published(
      Self.streams, #"{"id": "00000000-0000-4000-8000-000000000003", "name": "O", "operatorItem": "\#(operation)"}"#)
    #expect(actual == expected)
  }

  @Test("G1 and G2: linked lists, the filter that was written as delay among them")
  func linkedLists() throws {
    let filtered = try published(
      Self.linked,
      #"{"name": "O", "streamModelId": "00000000-0000-4000-8000-000000000001", "operatorItem": {"delay": {"expression": "%d != 3"}}}"#
    )
    let mapped = try published(
      Self.linked,
      #"{"name": "O", "operatorItem": {"map": {"expression": "%d * 2", "next": {"dropFirst": {"count": 1}}}}}"#)
    #expect(filtered == [#""1"@3.0"#, "|@3.0"])
    #expect(mapped == [#""6"@3.0"#, "|@3.0"])
  }
}
