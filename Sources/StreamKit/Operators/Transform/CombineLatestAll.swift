internal import CEL
public import StreamCore
public import StreamRuntime

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
  }

  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? { saved.latest.problem(of: saved.latest.count) }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 && state.latest.count == 0 : upstream == 1 && port <= state.latest.count
  }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    for stream in state.latest.running.sorted() { effects.request(demand, from: stream + 1) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == 0 { return try state.starters.add(value, limit: limit, owner: "combineLatestAll") }
    guard port <= state.latest.count else { return }
    state.latest.set(value, at: port - 1)
    // Without demand a value is only stored.
    if state.latest.isComplete, state.demand.takeOne() { effects.publish(.list(state.latest.values)) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 {
      state.latest = LatestValues(count: state.starters.count)
      state.starters.begin(asking: state.demand, effects)
    } else {
      state.latest.finish(port - 1)
    }
    if state.latest.isDone { effects.finish() }
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
