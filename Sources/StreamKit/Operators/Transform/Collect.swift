internal import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Collects values into arrays of a fixed size, or all values into one array.
  ///
  /// Without `count`, an empty stream gives an empty array. With it, the rest is published at the finish, unless it is
  /// empty. A failure discards the collected values.
  ///
  /// - Memory: the values of an array, bounded by `count`, else by `limit`.
  public struct Collect: NodeDefinition {
    /// Number of values in an array. By default all values are collected. An integer from 1 to 10000000.
    public var count: Int?
    /// Number of values between the starts of two arrays. Arrays overlap if it is less than `count`; if it is more, the
    /// values between them are dropped. A finish publishes the incomplete arrays. An integer from 1 to 10000000.
    /// Default: the value of `count`.
    public var startEvery: Int?
    /// Maximum number of values collected without `count`, and in the overlapping arrays at the finish. One more fails
    /// the stream. An integer from 1 to 1000000000. Default `10000000`.
    public var limit: Int?

    public init(count: Int? = nil, startEvery: Int? = nil, limit: Int? = nil) {
      self.count = count
      self.startEvery = startEvery
      self.limit = limit
    }
  }
}

extension Operator.Collect {
  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    context.outputType = .list(context.inputType)
    let limit = limit ?? Self.defaultLimit
    if let count, let startEvery, startEvery != count {
      return place.node(running: OverlappingCollectMachine(size: count, every: startEvery, limit: limit))
    }
    return place.node(running: CollectMachine(size: count, limit: limit))
  }
}

private struct CollectMachine: Machine {
  struct State: Codable, Sendable {
    var values: [Value] = []
    /// The array to publish at the end; nil for arrays of a fixed size, which are published when they are full.
    var result: PendingResult?
  }

  let size: Int?
  let limit: Int
  var state: State

  init(size: Int?, limit: Int) {
    self.size = size
    self.limit = limit
    state = State(result: size == nil ? PendingResult() : nil)
  }

  mutating func start(_ effects: Effects) {
    if size == nil { effects.subscribeToAll() } else { effects.subscribe(to: 0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if size == nil, state.values.count >= limit {
      throw .beyondLimit(limit, "value", of: "collect", value: value)
    }
    state.values.append(value)
    if let size, state.values.count >= size {
      effects.publish(.list(state.values))
      state.values = []
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if size == nil {
      state.result?.end(completion, with: .list(state.values), effects)
    } else {
      if case .finished = completion, !state.values.isEmpty { effects.publish(.list(state.values)) }
      effects.complete(completion)
    }
    state.values = []
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    if let size {
      effects.request(demand * size, from: 0)
    } else {
      state.result?.request(demand, effects)
    }
  }
}

extension Operator.Collect {
  public var stateForm: String {
    if let count, let startEvery, startEvery != count { "overlapping lists" } else { "a list" }
  }

  private static let defaultLimit = 10_000_000

  public static let spec = OperatorSpec(
    "collect", "Collects values into arrays of a fixed size, or all values into one array.",
    memory: .bounded("the values of an array", by: "count", "limit"),
    fields: [
      .optional("count", .count(1...10_000_000), "Number of values in an array. By default all values are collected."),
      .optional(
        "startEvery", .count(1...10_000_000),
        "Number of values between the starts of two arrays. Arrays overlap if it is less than `count`; if it is "
          + "more, the values between them are dropped. A finish publishes the incomplete arrays.",
        default: .field("count")),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values collected without `count`, and in the overlapping arrays at the finish. One "
          + "more fails the stream.", default: .of(defaultLimit)),
    ],
    rules: [.needs("startEvery", ["count"])],
    examples: [
      .marbles(
        "all values", #"{"collect": {}}"#, in: "-a-b-c|", out: "------(l|)", values: ["l": ["a", "b", "c"]]),
      .marbles("no values", #"{"collect": {}}"#, in: "--|", out: "--(l|)", values: ["l": []]),
      .marbles(
        "two at a time, and the rest", #"{"collect": {"count": 2}}"#, in: "-a-b-c|", out: "---l--(m|)",
        values: ["l": ["a", "b"], "m": ["c"]]),
      .marbles("a failure discards the rest", #"{"collect": {"count": 2}}"#, in: "-a-#", out: "---#"),
      .marbles(
        "arrays that overlap", #"{"collect": {"count": 3, "startEvery": 2}}"#, in: "-a-b-c-d-e-f|",
        out: "-----l---m--(n|)", values: ["l": ["a", "b", "c"], "m": ["c", "d", "e"], "n": ["e", "f"]]),
      .marbles(
        "arrays with gaps", #"{"collect": {"count": 1, "startEvery": 3}}"#, in: "-a-b-c-d|", out: "-l-----m|",
        values: ["l": ["a"], "m": ["d"]]),
      .rejects(
        "`startEvery` without `count`", #"{"collect": {"startEvery": 2}}"#, .conflictingFields,
        at: "/collect/startEvery"),
      .rejects("a count of zero", #"{"collect": {"count": 0}}"#, .outOfRange, at: "/collect/count"),
    ])
}
