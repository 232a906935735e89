public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the first values of all streams together, then the second ones, and so on.
  ///
  /// Finishes as soon as no more tuples are possible: a stream has finished and its queue is empty. With
  /// `onError: "skip"`, all values of a tuple for which the expression fails are dropped.
  ///
  /// - Memory: values of the streams that are ahead, bounded by `limit`.
  /// - SeeAlso: `combineLatest`, which publishes for every value.
  public struct Zip: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names of the values, upstream's first. With names, an object is published instead of an array.
    public var names: [String]?
    /// Returns the value to publish. `values` is the list of all values; each name is a variable, too. Variables:
    /// `values`, the names.
    public var expression: CELExpression?
    /// Maximum number of values of one stream that wait for the others. One more fails the stream. An integer from 1 to
    /// 1000000000. Default `1000000`.
    public var limit: Int?

    public init(with: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil, limit: Int? = nil) {
      self.with = with
      self.names = names
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.Zip {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    let output = try JoinOutput(names: names, expression: expression, count: count, &context)
    return ZipMachine(output: output, limit: limit ?? Self.defaultLimit, state: ValueQueues(count: count))
  }
}

private struct ZipMachine: LoweredMachine {
  let output: JoinOutput
  let limit: Int
  var state: ValueQueues

  func problem(with saved: ValueQueues) -> String? {
    saved.count == state.count ? nil : "has \(saved.count) queues for \(state.count) streams"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.count }

  var lowering: Lowering<ValueQueues>? {
    output.program.map { program in
      .join(
        JoinLowering(
          program, .tuples, values: { $0.isIdle ? [] : nil },
          store: { for (stream, value) in $0 { $1.append(value, from: stream) } }))
    }
  }

  mutating func start(_ effects: Effects) {
    for port in 0..<state.count { effects.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    for port in state.running { effects.request(demand, from: port) }
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    let isLast = state.isExhausted(withTupleOf: port)
    guard let values = state.takeTuple(with: value, from: port) else {
      try state.append(value, from: port, limit: limit, owner: "zip")
      return .nothing
    }
    value = try output.make(values, effects)
    guard isLast else { return .value }
    effects.publish(value)
    finish(effects)
    return .nothing
  }

  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
    guard skipped == .value else { return receive(.finished, on: port, effects) }
    if state.isExhausted { return finish(effects) }
    for stream in state.running { effects.request(Demand(1), from: stream) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    state.finish(port)
    if state.isExhausted { finish(effects) }
  }

  private func finish(_ effects: Effects) {
    effects.noteDrop(.ended, count: state.leftCount)
    effects.finish()
  }
}

extension Operator.Zip {
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "zip", "Publishes the first values of all streams together, then the second ones, and so on.",
    memory: .bounded("values of the streams that are ahead", by: "limit"),
    fields: FieldSpec.joining + [
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values of one stream that wait for the others. One more fails the stream.",
        default: .of(defaultLimit))
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "arrays", #"{"zip": {"with": ["b"]}}"#, in: ["-a-b-|", "--x---y---|"], out: "--p---(q|)",
        values: ["p": ["a", "x"], "q": ["b", "y"]]),
      .joins(
        "objects with names", #"{"zip": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "--x|"],
        out: "--(p|)",
        values: ["p": ["left": "a", "right": "x"]]),
      .joins(
        "the result of an expression", #"{"zip": {"with": ["b"], "names": ["l", "r"], "expression": "l + r"}}"#,
        in: ["-a|", "--x|"], out: "--('ax'|)"),
      .rejects("no other stream", #"{"zip": {"with": []}}"#, .outOfRange, at: "/zip/with"),
      .rejects("an unknown stream", #"{"zip": {"with": ["x"]}}"#, .unknownStream, at: "/zip/with/0"),
      .rejects(
        "too few names", #"{"zip": {"with": ["b"], "names": ["l"]}}"#, .outOfRange, at: "/zip/names"),
    ])
}
