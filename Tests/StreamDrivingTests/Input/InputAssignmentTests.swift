import StreamCore
import StreamEngine
import StreamKit
import Testing

@testable import StreamDriving

/// The assignment of arguments to a stream's inputs.
@Suite struct InputAssignmentTests {
  private static let json = """
    {"inputs": {"a": {"initialValue": 1}},
     "streams": {"s": {"source": {"input": {"name": "a"}}, "operators": [{"share": {"replay": 1}}]}},
     "source": {"stream": {"name": "s"}}, "operators": [{"merge": {"with": ["s"]}}]}
    """

  @Test("A stream with `share` and an input with an initial value is saved and continues")
  func restored() throws {
    let stream = try StreamFile(JSONDocument(reading: Self.json, file: "s.json"), identity: "/s.json")
    var assignment = InputAssignment(stream, try stream.compile(), readsStandardInput: false)
    let argument = try #require(NamedArgument(argument: "a=7"))
    let pipeline = assignment.pipeline(setting: [argument])
    #expect(assignment.problems.all.isEmpty)
    let first = Execution(pipeline)
    first.request(.unlimited)
    #expect(Self.values(of: first) == [7, 7])
    let second = try Execution(pipeline, restoring: Snapshot(text: first.snapshot().text()))
    second.send(8, to: 0, at: StreamTime(seconds: 1))
    #expect(Self.values(of: second) == [8, 8])
  }

  @Test(
    "Standard input feeds the only input that the file gives no value, and otherwise the only one without any",
    arguments: [("{}", "", "a"), ("{}", "a", "a"), ("{}, \"b\": {}", "b", "a"), ("{}, \"b\": {}", "", "")])
  func standardInput(_ rest: String, _ set: String, _ fed: String) throws {
    let json = """
      {"inputs": {"rate": {"initialValue": 2}, "a": \(rest)}, "source": {"input": {"name": "rate"}}, \
      "operators": [{"merge": {"with": ["a"\(rest.contains("b") ? ", \"b\"" : "")]}}]}
      """
    let stream = try StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json")
    var assignment = InputAssignment(stream, try stream.compile(), readsStandardInput: true)
    let arguments = set.isEmpty ? [] : [try #require(NamedArgument(argument: "\(set)=3"))]
    let pipeline = try stream.compile()
    let files = assignment.files([], setting: arguments)
    #expect(files.map { pipeline.inputs[$0.number].name } == (fed.isEmpty ? [] : [fed]))
  }

  private static func values(of execution: Execution) -> [Value] {
    var values: [Value] = []
    while true {
      switch execution.step(atMost: 100) {
      case .event(.value(let value)): values.append(value)
      case .event, .unfinished: continue
      case .idle: return values
      }
    }
  }
}
