internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes how many values there were when the stream finishes.
  public struct Count: OperatorDefinition {}
}

extension Operator.Count {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .int
    return CountMachine()
  }
}

private struct CountMachine: Machine {
  struct State: Codable, Sendable {
    var count: Int64 = 0
    var result = PendingResult()
  }

  var state = State()

  mutating func start(_ answers: Answers) { answers.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) { state.count += 1 }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    state.result.end(completion, with: .int(state.count), answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.result.request(demand, answers) }
}

extension Operator.Count {
  public static let spec = OperatorSpec(
    "count", "Publishes how many values there were when the stream finishes.",
    examples: [
      .marbles("two", #"{"count": {}}"#, in: "-a-b|", out: "----(n|)", values: ["n": 2]),
      .marbles("none", #"{"count": {}}"#, in: "--|", out: "--(n|)", values: ["n": 0]),
      .marbles("a failure has no count", #"{"count": {}}"#, in: "-a-#", out: "---#"),
    ])
}
