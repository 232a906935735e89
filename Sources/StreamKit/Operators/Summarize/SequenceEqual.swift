public import CEL
internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes whether another stream publishes the same values in the same order.
  ///
  /// False is published as soon as it is certain, and both streams are canceled; true when both have finished. Equal
  /// numbers of different types are the same value.
  ///
  /// - Memory: values of the stream that is ahead, bounded by `limit`.
  public struct SequenceEqual: OperatorDefinition {
    /// The other stream: an array with one element.
    public var with: StreamReferences
    /// Returns whether two values are equal, instead of `==`. `first` is the value of upstream. Variables: `first`,
    /// `second`.
    public var expression: CELExpression?
    /// Maximum number of values of one stream that wait for the other. One more fails the stream. An integer from 1 to
    /// 1000000000. Default `1000000`.
    public var limit: Int?

    public init(with: StreamReferences, expression: CELExpression? = nil, limit: Int? = nil) {
      self.with = with
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.SequenceEqual {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    var planned: PlannedExpression?
    if let expression {
      let variables = [
        Variable("first", context.inputType), Variable("second", context.joinedTypes.first ?? .dyn),
      ]
      planned = try context.plan(expression, field: "expression", over: variables, result: .bool)
    }
    context.outputType = .bool
    return SequenceEqualMachine(expression: planned, limit: limit ?? Self.defaultLimit)
  }
}

private struct SequenceEqualMachine: Machine {
  struct State: Codable, Sendable {
    /// The values of each stream that wait for the other; at least one queue is empty.
    var waiting: [Deque<Value>] = [[], []]
    var isDone = [false, false]
    var result = PendingResult()
  }

  let expression: PlannedExpression?
  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    saved.waiting.count == 2 && saved.isDone.count == 2 ? nil : "is of \(saved.waiting.count) streams, not of 2"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < 2 }

  mutating func start(_ effects: Effects) {
    for port in 0...1 {
      effects.subscribe(to: port)
      effects.request(.unlimited, from: port)
    }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let other = 1 - port
    if let counterpart = state.waiting[other].first {
      let (first, second) = port == 0 ? (value, counterpart) : (counterpart, value)
      guard try isSame(first, second, for: value, effects) else { return settle(false, effects) }
      state.waiting[other].removeFirst()
    } else if state.isDone[other] {
      settle(false, effects)
    } else {
      guard state.waiting[port].count < limit else {
        throw .beyondLimit(limit, "value", " waiting for the other stream", of: "sequenceEqual", value: value)
      }
      state.waiting[port].append(value)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    state.isDone[port] = true
    // The waiting values of the other stream have no counterpart.
    if !state.waiting[1 - port].isEmpty { return settle(false, effects) }
    if state.isDone[1 - port] { settle(true, effects) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  private mutating func settle(_ isSame: Bool, _ effects: Effects) {
    state.waiting = [[], []]
    state.result.settle(.bool(isSame), canceling: 0, 1, effects: effects)
  }

  private func isSame(
    _ first: Value, _ second: Value, for value: Value, _ effects: Effects
  ) throws(StreamFailure) -> Bool {
    guard let expression else { return first.isEqual(to: second) }
    return try expression.truth(
      of: expression.evaluate(effects, variables: [first, second], value: value), for: value)
  }
}

extension Operator.SequenceEqual {
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "sequenceEqual", "Publishes whether another stream publishes the same values in the same order.",
    memory: .bounded("values of the stream that is ahead", by: "limit"),
    fields: [
      .required("with", .streams, "The other stream: an array with one element."),
      .optional(
        "expression", .expression(["first", "second"]),
        "Returns whether two values are equal, instead of `==`. `first` is the value of upstream."),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values of one stream that wait for the other. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [.count("with", 1...1)],
    examples: [
      .joins(
        "equal streams", #"{"sequenceEqual": {"with": ["b"]}}"#, in: ["-a-b|", "--a--b--|"], out: "--------(t|)",
        values: ["t": true]),
      .joins(
        "a different value", #"{"sequenceEqual": {"with": ["b"]}}"#, in: ["-a-b---|", "--a--c--|"], out: "-----(f|)",
        values: ["f": false]),
      .joins(
        "one more value", #"{"sequenceEqual": {"with": ["b"]}}"#, in: ["-a-b|", "-a------|"], out: "--------(f|)",
        values: ["f": false]),
      .joins(
        "equality by an expression", #"{"sequenceEqual": {"with": ["b"], "expression": "first == second * 10"}}"#,
        in: ["-a|", "--b|"], out: "---(t|)", values: ["a": 10, "b": 1, "t": true]),
      .joins("a failure", #"{"sequenceEqual": {"with": ["b"]}}"#, in: ["-a-b|", "-a#"], out: "--#"),
      .rejects(
        "two other streams", #"{"sequenceEqual": {"with": ["b", "c"]}}"#, .outOfRange, at: "/sequenceEqual/with"),
      .rejects("no other stream", #"{"sequenceEqual": {}}"#, .missingField, at: "/sequenceEqual"),
    ])
}
