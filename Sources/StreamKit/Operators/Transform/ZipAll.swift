internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value once upstream finishes, and publishes their first values as an array, then the
  /// second ones, and so on.
  ///
  /// Finishes as soon as no more arrays are possible: a stream has finished and its queue is empty.
  ///
  /// - Memory: the values of upstream, then values of the streams that are ahead, bounded by `limit`.
  /// - SeeAlso: `zip`, for streams that are known beforehand.
  public struct ZipAll: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of values of upstream, and of values of one stream that wait for the others. One more fails the
    /// stream. An integer from 1 to 100000. Default `10000`.
    public var limit: Int?

    public init(stream: InnerStream, limit: Int? = nil) {
      self.stream = stream
      self.limit = limit
    }
  }
}

extension Operator.ZipAll {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .list(context.joinedTypes.first ?? .dyn)
    return ZipAllMachine(limit: limit ?? Self.defaultLimit)
  }
}

private struct ZipAllMachine: Machine {
  struct State: Codable, Sendable {
    var starters = BufferedOuterValues()
    var queues = ValueQueues(count: 0)
    var demand = Demand.none
    /// Whether a tuple has been published, so that every stream has published a value.
    var hasPublished: Bool?
  }

  let limit: Int
  var state = State()

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 && state.queues.count == 0 : upstream == 1 && port <= state.queues.count
  }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    for stream in state.queues.running { effects.request(demand, from: stream + 1) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == 0 { return try state.starters.add(value, limit: limit, owner: "zipAll") }
    guard port <= state.queues.count else { return }
    guard let values = state.queues.takeTuple(with: value, from: port - 1) else {
      return try state.queues.append(value, from: port - 1, limit: limit, owner: "zipAll")
    }
    publish(values, effects)
    finishIfExhausted(effects)
  }

  private func finishIfExhausted(_ effects: Effects) {
    guard state.queues.isExhausted else { return }
    effects.noteDrop(.ended, count: state.queues.leftCount)
    effects.finish()
  }

  private mutating func publish(_ values: [Value], _ effects: Effects) {
    if state.hasPublished == nil { state.hasPublished = true }
    effects.publish(.list(values))
  }

  /// Continues without a stream that has published nothing.
  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
    guard skipped == .stream else { return effects.request(Demand(1), from: port) }
    guard state.hasPublished == nil, state.queues.skip(port - 1) else {
      return receive(.finished, on: port, effects)
    }
    while let values = state.queues.takeTuple() { publish(values, effects) }
    finishIfExhausted(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    guard port <= state.queues.count else { return }
    if port == 0 {
      guard state.starters.count > 0 else { return effects.finish() }
      state.queues = ValueQueues(count: state.starters.count)
      state.starters.begin(asking: state.demand, effects)
    } else {
      state.queues.finish(port - 1)
      finishIfExhausted(effects)
    }
  }
}

extension Operator.ZipAll {
  private static let defaultLimit = 10_000

  public static let spec = OperatorSpec(
    "zipAll",
    "Starts a stream for each value once upstream finishes, and publishes their first values as an array, then "
      + "the second ones, and so on.",
    memory: .bounded("the values of upstream, then values of the streams that are ahead", by: "limit"),
    fields: [
      .innerStream,
      .optional(
        "limit", .count(1...100_000),
        "Maximum number of values of upstream, and of values of one stream that wait for the others. One more "
          + "fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .marbles(
        "streams of different speed",
        #"""
        {"zipAll": {"stream": {"source": {"timer": {"every": 0.001, "count": 2}},
                               "operators": [{"map": {"expression": "outer + string(value)"}},
                                             {"delay": {"seconds": 0.002}}]}}}
        """#, in: "(kl|)", out: "---p(q|)", values: ["p": ["k0", "l0"], "q": ["k1", "l1"]]),
      .marbles("no values, no streams", #"{"zipAll": {"stream": {"source": {"never": {}}}}}"#, in: "--|", out: "--|"),
      .marbles(
        "a stream that fails", #"{"zipAll": {"stream": {"source": {"marbles": {"diagram": "-x#"}}}}}"#, in: "(kl|)",
        out: "-p#", values: ["p": ["x", "x"]]),
      .rejects("no stream", #"{"zipAll": {}}"#, .missingField, at: "/zipAll"),
    ])
}
