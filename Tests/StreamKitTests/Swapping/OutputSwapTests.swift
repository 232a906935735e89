import CEL
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Files with outputs that are replaced while they run, and received by apps.
@Suite("Outputs of a file that runs", .timeLimit(.minutes(1)))
struct OutputSwapTests {
  /// A file whose outputs each sum what is fed, times a factor.
  private static func sums(_ outputs: [(name: String, factor: Int)]) -> String {
    let members = outputs.map { name, factor in
      """
      "\(name)": {"stream": {"source": {"input": {"name": "a"}}, "operators": [
        {"map": {"expression": "value * \(factor)"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}]}}
      """
    }
    return #"{"inputs": {"a": {"type": "int"}}, "outputs": {\#(members.joined(separator: ", "))}}"#
  }

  /// The events after a value of 1, a swap, and another 1.
  private func swap(_ old: [(String, Int)], _ new: [(String, Int)]) throws -> [String] {
    var run = try SwapRun(Self.sums(old))
    run.send(1)
    _ = run.take()
    try run.swap(Self.sums(new))
    run.send(1)
    run.finish()
    return run.take()
  }

  @Test("Outputs that are added, removed, moved and renamed leave the others their state; a new name is a new output")
  func keeps() throws {
    let three = [("x", 1), ("y", 10), ("z", 100)]
    #expect(try swap(three, three) == [#"{"x":2}@0"#, #"{"y":20}@0"#, #"{"z":200}@0"#, "|@0"])
    #expect(try swap(three, [("y", 10), ("z", 100)]) == [#"{"y":20}@0"#, #"{"z":200}@0"#, "|@0"])
    #expect(try swap(three, [("x", 1), ("z", 100)]) == [#"{"x":2}@0"#, #"{"z":200}@0"#, "|@0"])
    #expect(try swap(three, [("x", 1), ("y", 10)]) == [#"{"x":2}@0"#, #"{"y":20}@0"#, "|@0"])
    #expect(try swap(three, [("z", 100)]) == [#"{"z":200}@0"#, "|@0"])
    let added = try swap([("x", 1), ("y", 10)], [("w", 7), ("x", 1), ("v", 8), ("y", 10), ("u", 9)])
    #expect(added.sorted() == [#"{"u":9}@0"#, #"{"v":8}@0"#, #"{"w":7}@0"#, #"{"x":2}@0"#, #"{"y":20}@0"#, "|@0"])
    let renamed = try swap(three, [("x", 1), ("renamed", 10), ("z", 100)])
    #expect(renamed.sorted() == [#"{"renamed":10}@0"#, #"{"x":2}@0"#, #"{"z":200}@0"#, "|@0"])
    let changed = try swap(three, [("x", 1), ("y", 20), ("z", 100)])
    #expect(changed == [#"{"x":2}@0"#, #"{"y":30}@0"#, #"{"z":200}@0"#, "|@0"])
  }

  @Test("Outputs are swapped again and again; one that has ended stays ended, and the last one ends the stream")
  func ends() throws {
    func file(_ outputs: String...) -> String {
      let one =
        #"{"source": {"input": {"name": "a"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}, {"prefix": {"count": 2}}]}"#
      let other = one.replacing(#""name": "a""#, with: #""name": "b""#).replacing(
        #", {"prefix": {"count": 2}}"#, with: "")
      let members = outputs.map { "\"\($0)\": {\"stream\": \($0.hasPrefix("short") ? one : other)}" }
      return
        #"{"inputs": {"a": {"type": "int"}, "b": {"type": "int"}}, "outputs": {\#(members.joined(separator: ", "))}}"#
    }
    var run = try SwapRun(file("short", "long"))
    for _ in 0..<3 { run.send(1) }
    #expect(run.take() == [#"{"short":1}@0"#, #"{"short":2}@0"#])
    try run.swap(file("new", "short", "long"))
    run.send(5, to: "b")
    run.send(1)
    #expect(run.take().sorted() == [#"{"long":5}@0"#, #"{"new":5}@0"#])
    try run.swap(file("short", "new", "short 2"))
    run.send(5, to: "b")
    run.send(1)
    #expect(run.take().sorted() == [#"{"new":10}@0"#, #"{"short 2":1}@0"#])
    #expect(!run.report.contains("outputs"), "\(run.report)")
    try run.swap(file("short"))
    #expect(run.take() == ["|@0"])
  }

  @Test("An output that gets another stream starts again; the others keep their state")
  func other() throws {
    func file(_ stream: String, _ rest: String) -> String {
      """
      {"inputs": {"a": {"type": "int"}},
       "streams": {"s": {"source": {"input": {"name": "a"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]},
                   "t": {"source": {"stream": {"name": "s"}}}},
       "outputs": {"x": {"stream": "\(stream)"}, "y": {"stream": "s"\(rest)}, "source": {"stream": "s"}}}
      """
    }
    var run = try SwapRun(file("s", ""))
    run.send(1)
    _ = run.take()
    try run.swap(file("t", #", "description": "of another kind""#))
    run.send(1)
    #expect(run.take().sorted() == [#"{"source":2}@0"#, #"{"x":1}@0"#, #"{"y":2}@0"#])
  }

  @Test("A loop receives one output of a file; all of them run")
  func live() async throws {
    let model = try StreamModel(parsing: Self.sums([("x", 1), ("y", 10)]))
    let input = PassthroughInput<Int>()
    let live = try LiveStream(model, inputs: ["a": input])
    var sums = live.values(of: Int.self, output: "y", bufferingPolicy: .bounded(1)).makeAsyncIterator()
    input.send(1)
    #expect(try await sums.next() == 10)
    input.send(2)
    #expect(try await sums.next() == 30)
    input.finish()
    #expect(try await sums.next() == nil)
    var unknown = live.values(of: Int.self, output: "z").makeAsyncIterator()
    let failure = await #expect(throws: StreamFailure.self) { try await unknown.next() }
    #expect(failure?.code == "S109")
    #expect(failure?.message == "the stream has no output 'z'")
  }

  @Test("A changing stream takes the outputs of its file, and new ones with a version")
  func changing() async throws {
    let input = PassthroughInput<Int>()
    let stream = try ChangingStream(StreamModel(parsing: Self.sums([("x", 1)])), inputs: ["a": input])
    var first = stream.values(of: Int.self, output: "x").makeAsyncIterator()
    var unknown = stream.values(of: Int.self, output: "y").makeAsyncIterator()
    await #expect(throws: StreamFailure.self) { try await unknown.next() }
    input.send(1)
    #expect(try await first.next() == 1)
    _ = try await stream.swap(to: StreamModel(parsing: Self.sums([("x", 1), ("y", 10)])))
    var second = stream.values(of: Int.self, output: "y").makeAsyncIterator()
    input.send(1)
    #expect(try await first.next() == 2)
    #expect(try await second.next() == 10)
    input.finish()
    #expect(try await first.next() == nil)
  }

  @Test("Outputs publish what a merge of the same streams publishes, for random streams")
  func isMerge() throws {
    var count = 0
    for seed in 0..<PropertyCount.cases(byDefault: 60) {
      let pipelines = (0..<3).map { RandomPipeline(seed: seed &* 3 &+ $0, atMost: 20) }
      let models = pipelines.compactMap { pipeline in
        if case .source = pipeline.feed { try? StreamModel(json: pipeline.model) } else { nil }
      }
      let inputs = models.reduce(into: Members<InputDeclaration>()) { all, model in
        for (name, input) in model.inputs where all[name] == nil { all[name] = input }
      }
      let streams = models.map { model in
        var inner = model
        (inner.inputs, inner.tests) = ([:], [])
        return inner
      }
      guard streams.count > 1 else { continue }
      var outputs: Members<StreamModel.Output> = [:]
      for (index, model) in streams.enumerated() { outputs["o\(index)"] = StreamModel.Output(.model(model)) }
      let tagged = streams.enumerated().map { index, model in
        StreamReference.model(
          StreamModel(
            streams: ["s": model], source: .stream(Source.Stream(name: "s")),
            operators: [.map(CELExpression("{'o\(index)': value}"))]))
      }
      let merged = StreamModel(
        inputs: inputs, source: .empty(Source.Empty()),
        operators: [PlacedOperator(.merge(Operator.Merge(with: StreamReferences(tagged))))])
      let found = [StreamModel(inputs: inputs, outputs: outputs), merged].map { model -> [String]? in
        guard let pipeline = try? model.compile() else { return nil }
        return VirtualRun(Execution(pipeline), until: StreamTime(seconds: 100), eventLimit: 500).run().texts()
      }
      #expect(found[0] == found[1], "seed \(seed)")
      if found[0]?.isEmpty == false { count += 1 }
    }
    #expect(count > 10)
  }
}
