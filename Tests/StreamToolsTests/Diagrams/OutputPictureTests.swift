import StreamCore
import StreamEngine
import StreamKit
import StreamTools
import TestSupport
import Testing

/// The named outputs of a file in pictures and explanations.
@Suite struct OutputPictureTests {
  private static let file = """
    {
      "inputs": {"level": {"type": "int"}},
      "streams": {"high": {"source": {"input": {"name": "level"}}, "operators": [{"filter": {"expression": "value > 5"}}]}},
      "outputs": {
        "alerts": {"description": "What wakes someone.", "stream": "high"},
        "twice": {"stream": {"source": {"stream": {"name": "high"}}, "operators": [{"map": {"expression": "value * 2"}}]}}
      },
      "tests": [{"name": "t", "inputs": {"level": {"marbles": "-a-b|", "values": {"a": 7, "b": 2}}},
                 "expect": {"outputs": {}}}]
    }
    """

  @Test("A marble diagram has a line for each output")
  func marbles() throws {
    let file = try stream(Self.file)
    var run = PictureRun(file)
    let test = try #require(file.model.tests.first)
    let lanes = try run.picture(of: test).lanes
    #expect(lanes.map(\.title) == ["level", "alerts", "twice"])
    #expect(lanes.map { History($0.events).values } == [[7, 2], [7], [14]])
    run.showsStages = true
    #expect(
      try run.picture(of: test).lanes.map(\.title) == ["level", "high · filter", "twice · map", "alerts", "twice"])
  }

  @Test("A graph ends in a node for each output; so does the tree")
  func graph() throws {
    let outline = StreamOutline(try stream(Self.file).model)
    let graph = StreamGraph(outline)
    #expect(graph.nodes.filter { $0.kind == .output }.map(\.name) == ["alerts", "twice"])
    #expect(
      outline.tree(isASCII: true) == """
        input level: int

        |- input level
        |- filter  value > 5
        `> stream high

        |- stream high
        `> output alerts

        |- stream high
        |- map  value * 2
        `> output twice
        """)
  }

  @Test("An explanation names each output with its type, and the output of a file that is used")
  func explanation() throws {
    let explanation = try StreamExplanation(stream(Self.file))
    let outputs = explanation.parts.filter { $0.kind == .output }
    #expect(outputs.map(\.name) == ["alerts", "twice"])
    #expect(outputs.map { $0.output?.description } == ["int", "int"])
    #expect(outputs.first?.text == "What wakes someone.")
    let user = try stream(
      #"{"inputs": {"level": {"type": "int"}}, "source": {"stream": {"file": "f", "output": "twice"}}}"#)
    let files = FilesInMemory(files: ["f": Self.file])
    let other = try StreamExplanation(user, options: CompileOptions(loader: files))
    let used = other.parts.first { $0.kind == .source && $0.name == "file f" }
    #expect(used?.text == "Publishes the values of the output twice in the file f, through a separate subscription.")
  }
}
