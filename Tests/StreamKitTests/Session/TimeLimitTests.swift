import CEL
import StreamCore
import StreamEngine
import StreamKit
import Testing

/// The limit on the processor time for one event from outside.
@Suite struct TimeLimitTests {
  private static func session(_ operators: String, milliseconds: Int) throws -> StreamSession {
    let model = try StreamModel(
      parsing: #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {"type": "int"}}, "operators": [\#(operators)]}"#)
    let session = StreamSession(
      try model.compile(), origin: Timestamp(seconds: 0),
      limit: RunLimits(budget: .max, burst: .max, timePerValue: Interval(.milliseconds(milliseconds))))
    session.start()
    return session
  }

  /// Sends a value, and returns the values and the failure that follow.
  private static func send(_ value: Int64, to session: StreamSession) -> (values: Int, failure: StreamFailure?) {
    session.send(.int(value), to: 0, at: session.time)
    var count = 0
    while let effect = session.next() {
      switch effect {
      case .event(.value): count += 1
      case .event(.failure(let failure)), .limited(let failure): return (count, failure)
      default: continue
      }
    }
    return (count, nil)
  }

  private static func inner(_ operators: String) -> String {
    """
    {"flatMap": {"stream": {"source": {"generate": {"initialValue": 0, "next": "value + 1"}}, "operators": [\(operators)]}}}
    """
  }

  @Test(
    "An endless instant fails, and the failure names the operator that works longest",
    .timeLimit(.minutes(1)), arguments: [#"{"filter": {"expression": "value < 0"}}"#, ""])
  func endless(_ operators: String) throws {
    let session = try Self.session(Self.inner(operators), milliseconds: 10)
    let failure = try #require(Self.send(1, to: session).failure)
    #expect(failure.code == "S417")
    #expect(failure.message == "the stream works on one event for longer than 10ms; 'generate' takes most of it")
    #expect(failure.pointer.description == "/operators/0/flatMap/stream/source/generate")
  }

  @Test("A slow expression fails at its place", .timeLimit(.minutes(1)))
  func slowExpression() throws {
    let session = try Self.session(
      #"{"map": {"expression": "lists.range(value).map(x, x * x).size()"}}"#, milliseconds: 3)
    let before = Self.send(10, to: session)
    #expect(before.values == 1)
    let failure = try #require(Self.send(2_000_000, to: session).failure)
    #expect(failure.code == "S406")
    #expect(failure.message == "the evaluation took longer than 3ms")
    #expect(failure.pointer.description == "/operators/0/map/expression")
  }

  @Test("Many short events take as long as they need", .timeLimit(.minutes(1)))
  func shortEvents() throws {
    let session = try Self.session(Self.inner(#"{"prefix": {"count": 10}}"#), milliseconds: 20)
    var count = 0
    for value in 0..<20_000 {
      let sent = Self.send(Int64(value), to: session)
      try #require(sent.failure == nil, "\(sent)")
      count += sent.values
    }
    #expect(count == 200_000)
  }

  @Test("A stream that begins may publish for longer", .timeLimit(.minutes(1)))
  func beginning() throws {
    let model = try StreamModel(parsing: #"{"source": {"range": {"from": 1, "through": 300000}}}"#)
    let session = StreamSession(
      try model.compile(), origin: Timestamp(seconds: 0), limit: RunLimits(timePerValue: Interval(.milliseconds(5))))
    session.start()
    var count = 0
    while let effect = session.next() {
      if case .event(.value) = effect { count += 1 }
      if case .limited(let failure) = effect { Issue.record("\(failure)") }
    }
    #expect(count == 300_000)
  }

  // MARK: Pauses of evaluations

  private static let long = "lists.range(2000).map(x, x * 2).filter(x, x % 3 == 0).size()"

  @Test("Pauses change neither the result nor the number of steps of an evaluation")
  func pauses() throws {
    let environment = ExpressionEnvironment()
    let plan = try CELExpression(Self.long).plan(in: environment)
    let (plain, paused) = (Activation(slotCount: 0), Activation(slotCount: 0))
    var calls: [Bool] = []
    paused.pause(every: 1_000, failing: "") { isFirst in
      calls.append(isFirst)
      return true
    }
    for _ in 0..<3 {
      calls = []
      let expected = try plan.evaluate(plain)
      let actual = try plan.evaluate(paused)
      #expect(actual == expected)
      #expect(paused.steps == plain.steps)
      #expect(calls.count > 3)
      #expect(calls.first == true && !calls.dropFirst().contains(true))
    }
  }

  @Test("With pauses, too, an evaluation has a budget")
  func budget() throws {
    let environment = ExpressionEnvironment()
    let plan = try CELExpression(Self.long).plan(in: environment)
    let activation = Activation(slotCount: 0, limits: ExpressionLimits(budget: 5_000))
    activation.pause(every: 1_000, failing: "") { _ in true }
    let error = #expect(throws: EvaluationError.self) { try plan.evaluate(activation) }
    #expect(error?.message == "the evaluation took more than 5000 steps")
  }
}
