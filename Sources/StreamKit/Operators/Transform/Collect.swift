internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes lists of values: of a given number, or one of all at the end.
  ///
  /// Without `count` an empty stream gives an empty list. With it the rest comes at the end, unless there is none. A
  /// failure drops what has been collected.
  ///
  /// - Memory: grows with the values collected, bounded by `count`, else by `limit`.
  public struct Collect: OperatorDefinition {
    /// Values in a list, 1 or more. Without it all are collected.
    public var count: Int?
    /// The most values collected without `count`; one more fails the stream. Default 10,000,000.
    public var limit: Int?
  }
}

extension Operator.Collect {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .list(context.inputType)
    return CollectMachine(size: count, limit: limit ?? 10_000_000)
  }
}

private struct CollectMachine: Machine {
  struct State: Codable, Sendable {
    var values: [Value] = []
    var result = PendingResult()
  }

  let size: Int?
  let limit: Int
  var state = State()

  mutating func start(_ answers: Answers) {
    if size == nil { answers.subscribeToAll() } else { answers.subscribe(to: 0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    if size == nil, state.values.count >= limit {
      throw StreamFailure(.limitExceeded, "'collect' has its limit of \(limit) values", value: value)
    }
    state.values.append(value)
    if state.values.count == size {
      answers.publish(.list(state.values))
      state.values = []
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if size == nil {
      state.result.end(completion, with: .list(state.values), answers)
    } else {
      if case .finished = completion, !state.values.isEmpty { answers.publish(.list(state.values)) }
      answers.complete(completion)
    }
    state.values = []
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    if let size {
      answers.request(demand * size, from: 0)
    } else {
      state.result.request(demand, answers)
    }
  }
}

extension Operator.Collect {
  public static let spec = OperatorSpec(
    "collect", "Publishes lists of values: of a given number, or one of all at the end.",
    fields: [
      .optional("count", .count(1...10_000_000), "Values in a list, 1 or more. Without it all are collected."),
      .optional(
        "limit", .count(1...1_000_000_000),
        "The most values collected without `count`; one more fails the stream. Default 10,000,000."),
    ],
    examples: [
      .marbles(
        "all", #"{"collect": {}}"#, in: "-a-b-c|", out: "------(l|)", values: ["l": ["a", "b", "c"]]),
      .marbles("nothing", #"{"collect": {}}"#, in: "--|", out: "--(l|)", values: ["l": []]),
      .marbles(
        "by two, and the rest", #"{"collect": {"count": 2}}"#, in: "-a-b-c|", out: "---l--(m|)",
        values: ["l": ["a", "b"], "m": ["c"]]),
      .marbles("a failure drops the rest", #"{"collect": {"count": 2}}"#, in: "-a-#", out: "---#"),
      .rejects("lists of nothing", #"{"collect": {"count": 0}}"#, .outOfRange, at: "/collect/count"),
    ])
}
