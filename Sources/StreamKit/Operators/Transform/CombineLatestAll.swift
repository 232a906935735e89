internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value once upstream finishes, and publishes the newest values of all streams as arrays.
  ///
  /// Once all streams have published, each value publishes an array. Finishes when all streams have finished.
  ///
  /// - Memory: the values of upstream, then the newest value of each stream, bounded by `limit`.
  /// - SeeAlso: `combineLatest`, for streams that are known beforehand.
  public struct CombineLatestAll: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of values of upstream. One more fails the stream. An integer from 1 to 100000. Default `10000`.
    public var limit: Int?

    public init(stream: InnerStream, limit: Int? = nil) {
      self.stream = stream
      self.limit = limit
    }
  }
}

extension Operator.CombineLatestAll {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .list(context.joinedTypes.first ?? .dyn)
    return CombineLatestAllMachine(limit: limit ?? Self.defaultLimit)
  }
}

private struct CombineLatestAllMachine: Machine {
  struct State: Codable, Sendable {
    var starters = BufferedOuterValues()
    var latest = LatestValues(count: 0)
    var demand = Demand.none
    /// Values that arrived without demand, at most one of each stream, in order of arrival; nil if there are none.
    var held: [HeldValue]?
    var hasAskedStreams: Bool?
    /// Whether a combination waits for demand that is complete since a stream was skipped; nil if not.
    var isOwed: Bool?
  }

  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    saved.latest.problem(of: saved.latest.count) ?? HeldValue.problem(with: saved.held, on: 1..<saved.latest.count + 1)
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 && state.latest.count == 0 : upstream == 1 && port <= state.latest.count
  }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  // With finite demand each stream is asked for one value at a time, so that no combination is lost.
  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    while state.demand > .none, let first = state.held?.first {
      take(first.value, on: first.port, effects)
      state.held = state.held?.dropFirst().unlessEmpty
    }
    if state.isOwed == true, state.demand > .none { publish(effects) }
    guard state.latest.count > 0 else { return }
    if isDone { return effects.finish() }
    guard state.demand.isUnlimited || state.hasAskedStreams != true else { return }
    state.hasAskedStreams = true
    for stream in state.latest.running.sorted() { effects.request(unit, from: stream + 1) }
  }

  /// The demand for one stream.
  private var unit: Demand { state.demand.isUnlimited ? .unlimited : min(Demand(1), state.demand) }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == 0 { return try state.starters.add(value, limit: limit, owner: "combineLatestAll") }
    guard port <= state.latest.count else { return }
    if state.demand > .none, state.held == nil {
      take(value, on: port, effects)
    } else {
      state.held = (state.held ?? []) + [HeldValue(port: port, value: value)]
    }
  }

  /// Takes a value that there is demand for, then requests the next one.
  private mutating func take(_ value: Value, on port: Int, _ effects: Effects) {
    state.latest.set(value, at: port - 1)
    if state.latest.isComplete { publish(effects) }
    if state.latest.running.contains(port - 1) { effects.request(Demand(1), from: port) }
  }

  private mutating func publish(_ effects: Effects) {
    state.isOwed = nil
    effects.publish(.list(state.latest.combination))
    _ = state.demand.takeOne()
  }

  /// Whether nothing more can be published.
  private var isDone: Bool { state.latest.isDone && state.held == nil && state.isOwed != true }

  /// Continues without a stream that has published nothing.
  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
    guard skipped == .stream else { return effects.request(Demand(1), from: port) }
    guard port <= state.latest.count, !state.latest.hasPublished(port - 1),
      !(state.held ?? []).contains(where: { $0.port == port })
    else { return receive(.finished, on: port, effects) }
    if state.latest.skip(port - 1) {
      if state.demand > .none, state.held == nil { publish(effects) } else { state.isOwed = true }
    }
    if isDone { effects.finish() }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 {
      state.latest = LatestValues(count: state.starters.count)
      state.hasAskedStreams = unit > .none
      state.starters.begin(asking: unit, effects)
    } else {
      state.latest.finish(port - 1)
    }
    if isDone { effects.finish() }
  }
}

extension Operator.CombineLatestAll {
  private static let defaultLimit = 10_000

  public static let spec = OperatorSpec(
    "combineLatestAll",
    "Starts a stream for each value once upstream finishes, and publishes the newest values of all streams as arrays.",
    memory: .bounded("the values of upstream, then the newest value of each stream", by: "limit"),
    fields: [
      .innerStream,
      .optional(
        "limit", .count(1...100_000), "Maximum number of values of upstream. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .joins(
        "streams that use their value",
        #"{"combineLatestAll": {"stream": {"source": {"input": {"name": "b"}}, "operators": [{"map": {"expression": "outer + value"}}]}}}"#,
        in: ["(kl|)", "-x-y-|"], out: "-p-[qr]-|",
        values: ["p": ["kx", "lx"], "q": ["ky", "lx"], "r": ["ky", "ly"]]),
      .marbles(
        "no values, no streams", #"{"combineLatestAll": {"stream": {"source": {"never": {}}}}}"#, in: "--|", out: "--|"),
      .marbles(
        "more values than the limit", #"{"combineLatestAll": {"stream": {"source": {"never": {}}}, "limit": 1}}"#,
        in: "-a-b-|",
        out: "---#"),
      .rejects("no stream", #"{"combineLatestAll": {}}"#, .missingField, at: "/combineLatestAll"),
    ])
}
