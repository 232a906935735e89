import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

/// `apply` in pictures and explanations.
@Suite struct AppliedOperatorTests {
  private static let file = #"""
    {"parameters": {"n": {"type": "int", "default": 3}},
     "definitions": {
       "mean": {"description": "The mean of the last values.", "parameters": {"window": {"type": "int"}},
         "operators": [{"nwise": {"count": {"parameter": "window"}}}, {"map": {"expression": "value.average()"}}]},
       "calm": {"parameters": {"window": {"type": "int"}},
         "operators": [{"apply": {"definition": "mean", "window": {"parameter": "window"}}}, {"removeDuplicates": {}}]}},
     "inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
     "operators": [{"apply": {"definition": "calm", "window": {"parameter": "n"}}},
       {"apply": {"file": "in.json", "unit": "m"}}, {"filter": {"expression": "value > n"}}]}
    """#
  private static let options = CompileOptions(
    loader: FilesInMemory(files: [
      "in.json": #"""
      {"parameters": {"factor": {"type": "double", "default": 2}, "unit": {"type": "string"}},
       "inputs": {"x": {"type": "double"}, "b": {}}, "streams": {"s": {"stream": [{"value": 1}]}},
       "source": {"input": {"name": "x"}},
       "operators": [{"map": {"expression": "value * factor"}}, {"merge": {"with": ["b", "s"]}}]}
      """#
    ]))

  @Test("An explanation has the operators of an apply below it, with their types and costs")
  func explanation() throws {
    let parts = try StreamExplanation(stream(Self.file), options: Self.options).parts
    let operators = parts.filter { $0.kind == .operator }
    #expect(
      operators.map(\.name) == [
        "apply", "apply", "nwise", "map", "removeDuplicates", "apply", "map", "merge", "filter",
      ])
    #expect(operators.map(\.depth) == [0, 1, 2, 2, 1, 0, 1, 1, 0])
    #expect(operators.allSatisfy { $0.output != nil })
    #expect(operators[3].expressions.map(\.text) == ["value.average()"])
    #expect(operators[2].memory?.bound == 3)
    #expect(operators[2].text.contains("Here count is 3 (window)"))
    #expect(
      operators[1].text
        == "Applies the operators of the definition mean, at /definitions/mean. The mean of the last values. "
        + "Here window is 3 (window).")
    #expect(operators[5].text == "Applies the operators of the file in.json. Here unit is \"m\".")
  }

  @Test("A picture with stages has a line for each operator of an apply, named after the definition")
  func stages() throws {
    var run = PictureRun(try stream(Self.file), options: Self.options)
    run.showsStages = true
    let values = (1...4).map { Value.int($0) }
    let picture = try run.picture(
      of: StreamTest(
        name: "", inputs: ["a": StreamTest.EventScript(.values(values)), "b": StreamTest.EventScript(.values([]))],
        expect: StreamTest.EventScript(.values([]))))
    #expect(
      picture.lanes.map(\.title) == [
        "a", "b", "calm › mean › nwise", "calm › mean › map", "calm › removeDuplicates", "in.json › s · stream",
        "in.json › map", "in.json › merge", "filter → output",
      ])
  }

  @Test("A graph connects the operators of an apply in its place, and a tree has them below it")
  func graph() throws {
    let outline = StreamOutline(try stream(Self.file), options: Self.options)
    let graph = StreamGraph(outline)
    let edges = graph.edges.map { "\(graph.nodes[$0.from].name)→\(graph.nodes[$0.to].name)" }
    #expect(
      Set(edges) == [
        "a→calm › mean › nwise", "calm › mean › nwise→calm › mean › map", "calm › mean › map→calm › removeDuplicates",
        "calm › removeDuplicates→in.json › map", "in.json › map→in.json › merge", "b→in.json › merge",
        "s→in.json › merge", "in.json › stream→s", "in.json › merge→filter", "filter→output",
      ])
    let tree = outline.tree(isASCII: true)
    #expect(
      tree.contains(
        """
        |- apply  calm, window 3 (n)
        |  |- apply  mean, window 3 (window)
        |  |  |- nwise  count 3 (window)
        |  |  |- map  value.average()
        |  |  `> mean
        |  |- removeDuplicates
        |  `> calm
        """))
  }

  @Test("A definition within itself, or one that is not there, is drawn as one operator")
  func incomplete() throws {
    let file = try stream(
      #"""
      {"definitions": {"a": {"operators": [{"apply": {"definition": "b"}}, {"apply": {"definition": "b"}}]},
       "b": {"operators": [{"apply": {"definition": "a"}}]}}, "stream": [],
       "operators": [{"apply": {"definition": "a"}}, {"apply": {"definition": "gone"}}, {"apply": {"file": "x.json"}}]}
      """#)
    let graph = StreamGraph(StreamOutline(file, options: CompileOptions(host: .any)))
    #expect(
      graph.nodes.map(\.name) == ["stream", "a › b › apply", "a › b › apply", "apply", "apply", "output"])
  }

  @Test("Definitions that double each other are drawn as far as that is useful")
  func doubling() throws {
    let definitions = (1...60).map { number in
      #""d\#(number)": {"operators": [{"apply": {"definition": "d\#(number - 1)"}}, {"apply": {"definition": "d\#(number - 1)"}}]}"#
    }
    let file = try stream(
      #"{"definitions": {"d0": {"operators": [{"count": {}}]}, \#(definitions.joined(separator: ", "))}, "stream": [], "operators": [{"apply": {"definition": "d60"}}]}"#
    )
    let tree = StreamOutline(file, options: CompileOptions(host: .any)).tree()
    #expect(tree.utf8.count { $0 == UInt8(ascii: "\n") } < 40_000)
  }

  @Test("The streams in the fields of an operator with a parameter are drawn, too")
  func parameters() throws {
    let file = try stream(
      #"""
      {"parameters": {"n": {"type": "int", "default": 2}, "m": {"type": "int"}}, "stream": [],
       "operators": [{"flatMap": {"limit": {"parameter": "n"}, "stream": {"source": {"just": {"expression": "outer"}}}}},
        {"collect": {"count": {"parameter": "m"}}}]}
      """#)
    var options = CompileOptions(host: .any)
    let outline = StreamOutline(file, options: options)
    #expect(outline.steps.map(\.detail) == ["", "limit 2 (n)", "count m"])
    #expect(outline.steps[1].branches.count == 1)
    options.parameters = ["n": 5, "m": 7]
    #expect(StreamOutline(file, options: options).steps.map(\.detail) == ["", "limit 5 (n)", "count 7 (m)"])
  }

  @Test("A stream of another file has the parameters and inputs that its source gives it")
  func givenToFile() throws {
    let files = FilesInMemory(files: [
      "in.json": #"""
      {"parameters": {"n": {"type": "int", "default": 1}}, "inputs": {"x": {"type": "int"}},
       "source": {"input": {"name": "x"}}, "operators": [{"prefix": {"count": {"parameter": "n"}}}]}
      """#
    ])
    let file = try stream(
      #"""
      {"inputs": {"b": {"type": "int"}},
       "source": {"stream": {"file": "in.json", "inputs": {"x": "b"}, "parameters": {"n": 2}}},
       "operators": [{"merge": {"with": [{"source": {"stream": {"file": "in.json"}}}]}}]}
      """#)
    let options = CompileOptions(loader: files)
    let parts = try StreamExplanation(file, options: options).parts
    #expect(parts.filter { $0.kind == .file }.map(\.name).starts(with: ["in.json", "in.json 2"]))
    #expect(parts.filter { $0.kind == .input }.map(\.text).contains("Fed by b."))
    let counts = parts.filter { $0.name == "prefix" }.map(\.text)
    for count in ["count is 1 (n)", "count is 2 (n)"] {
      #expect(counts.contains { $0.contains(count) }, "\(counts)")
    }
    let graph = StreamGraph(StreamOutline(file, options: options))
    func number(_ name: String, _ detail: String) throws -> Int {
      try #require(graph.nodes.firstIndex { $0.name == name && $0.detail == detail })
    }
    let (input, first) = (try number("b", "int"), try number("prefix", "count 2 (n)"))
    #expect(graph.edges.contains { $0.from == input && $0.to == first })
  }

  @Test("Definitions within definitions are drawn as far as they compile, and files within files once")
  func manyUses() throws {
    let doubling = (0..<40).map { level in
      let next = #"{"apply": {"definition": "d\#(level + 1)"}}"#
      return #""d\#(level)": {"operators": [\#(next), \#(next)]}"#
    }.joined(separator: ", ")
    let file = try stream(
      #"""
      {"definitions": {\#(doubling), "d40": {"operators": [{"count": {}}]}}, "stream": [],
       "operators": [{"apply": {"definition": "d0"}}]}
      """#)
    let steps = StreamOutline(file, options: CompileOptions()).stages.count
    #expect((2_000..<5_000).contains(steps))
    var files: [String: String] = [:]
    for level in 0..<30 {
      files["\(level).json"] = #"""
        {"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [{"apply": {"file": "\#(level + 1).json"}}]}
        """#
    }
    files["30.json"] = #"{"inputs": {"in": {}}, "source": {"input": {"name": "in"}}, "operators": [{"count": {}}]}"#
    let chain = try stream(#"{"stream": [], "operators": [{"apply": {"file": "0.json"}}]}"#)
    let outline = StreamOutline(chain, options: CompileOptions(loader: FilesInMemory(files: files)))
    #expect(outline.stages.map(\.step.name) == ["stream", "count"])
  }
}
