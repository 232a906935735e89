import StreamCore
import StreamEngine
import StreamTesting
import TestSupport
import Testing

@testable import StreamKit

/// Time ends after 292 years. No operator waits forever there, or fires forever.
@Suite("A stream comes to rest at the last instant")
struct LastInstantTests {
  private static let specs = Dictionary(
    (Source.specs + Operator.specs).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The examples with the longest lengths of time that their fields accept.
  private static let examples = ExampleStream.running.filter { example in
    specs[example.name]?.fields.contains { $0.kind.isTimed } == true
  }

  @Test("With the longest lengths of time", .timeLimit(.minutes(1)), arguments: examples)
  func longest(_ example: ExampleStream) throws {
    let spec = try #require(Self.specs[example.name])
    guard case .map(let whole) = try example.fields(), case .map(var fields)? = whole[.string(example.name)] else {
      return
    }
    for field in spec.fields {
      guard case .seconds(let range) = field.kind, fields[.string(field.name)] != nil else { continue }
      fields = fields.setting(field.name, .double(range.upperBound))
    }
    let longest = Value.map(whole.setting(example.name, .map(fields)))
    // Some lengths must be shorter than others.
    guard let pipeline = try? StreamModel(json: example.stream(longest)).compile(example.options) else { return }
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    for (number, history) in try example.inputs().enumerated() {
      for case .value(let value) in history.events.map(\.event) { execution.send(value, to: number, at: .zero) }
    }
    execution.advance(to: .distantFuture)
    var progress = Execution.Progress.unfinished
    for _ in 0..<20_000 where progress != .idle { progress = execution.step(atMost: 1_000) }
    #expect(progress == .idle)
  }

  @Test(
    "With intervals in which nothing happens", .timeLimit(.minutes(1)),
    arguments: [
      #"{"collectTime": {"seconds": 31536000}}"#, #"{"collectTime": {"seconds": 0.001}}"#,
      #"{"sample": {"seconds": 0.001}}"#, #"{"collectTime": {"seconds": 2, "startEvery": 1}}"#,
    ])
  func idle(_ operators: String) throws {
    let execution = Execution(try stream(fed(operators, #""inputs": {"a": {}}"#)).model.compile())
    execution.request(.unlimited)
    execution.advance(to: .distantFuture)
    #expect(execution.step(atMost: 1_000_000) == .idle)
    execution.send(1, to: 0, at: .distantFuture)
    execution.advance(to: .distantFuture)
    var count = 0
    while execution.step(atMost: 1_000) != .idle, count < 1_000 { count += 1 }
    #expect(count < 1_000)
  }
}
