import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// `dyn(…)` around an expression hides the types from the checker. It must change neither a value nor its type.
@Suite struct DynamicTypeTests {
  private static let specs = Dictionary(
    (Source.table.map(\.spec) + Operator.table.map(\.spec)).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first }
  )

  /// Returns the operators, sources and streams in a part of a stream file with `dyn(…)` around each expression.
  private static func dynamic(_ part: Value) -> Value {
    switch part {
    case .list(let items): return .list(items.map(dynamic))
    case .map(let map):
      return .map(
        ValueMap(
          map.pairs.map { name, member in
            guard case .string(let text) = name, let spec = specs[text], case .map(let fields) = member else {
              return (name, dynamic(member))
            }
            return (name, .map(ValueMap(fields.pairs.map { ($0, dynamic($1, $0, of: spec)) })))
          }))
    default: return part
    }
  }

  private static func dynamic(_ content: Value, _ name: Value, of spec: OperatorSpec) -> Value {
    switch (spec.fields.first { .string($0.name) == name }?.kind, content) {
    case (.expression?, .string(let text)): .string("dyn(\(text))")
    case (.value?, _), (.list?, _), (.object?, _), (.events?, _): content
    default: dynamic(content)
    }
  }

  @Test("An example says the same without the types of its expressions", arguments: ExampleStream.running)
  func example(_ stream: ExampleStream) throws {
    guard case .marbles(let inputs, let output) = stream.example.outcome else { return }
    let json = JSONWriter.compact(Self.dynamic(try stream.fields()))
    let example = OperatorSpec.Example.joins(
      stream.title, json, in: inputs, out: output, values: stream.example.values)
    let broken = try Laws.doesWhatItSays(ExampleStream(example, of: stream.name, isSource: stream.isSource))
    #expect(broken == nil, "\(json)")
  }

  @Test("A random pipeline says the same without the types of its expressions")
  func random() throws {
    var ran = 0
    for seed in 0..<PropertyCount.cases(byDefault: 2_000) {
      let pipeline = RandomPipeline(seed: seed, atMost: 64)
      guard case .source = pipeline.feed, try Differential(pipeline) != nil else { continue }
      let (typed, dynamic) = (Self.history(of: pipeline.model), Self.history(of: Self.dynamic(pipeline.model)))
      guard let typed, let dynamic else { continue }
      ran += 1
      #expect(typed == dynamic, "seed \(seed): \(JSONWriter.compact(pipeline.model))")
    }
    #expect(ran > 100)
  }

  /// The events with the types of the values; failures without their messages, which contain places in expressions.
  private static func history(of model: Value) -> [String]? {
    guard let pipeline = try? StreamModel(json: model).compile(CompileOptions()) else { return nil }
    let run = VirtualRun(Execution(pipeline), until: StreamTime(seconds: 1_000), eventLimit: 1_000)
    return run.run().ofTheStream.events.map { event in
      switch event.event {
      case .value(let value): "\(event.time) \(value)"
      case .finished: "\(event.time) finished"
      default: "\(event.time) failed"
      }
    }
  }
}
