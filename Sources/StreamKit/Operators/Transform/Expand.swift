internal import CEL
internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value and, recursively, the values of the stream it starts.
  ///
  /// A value is published when its stream starts. Finishes when upstream and all streams have finished; a stream
  /// without values ends its branch. A failure of any stream cancels the others.
  ///
  /// - Memory: waiting values and started streams, bounded by `limit`.
  /// - Failure: `S409` for more than `limit` streams, because the recursion may be endless.
  public struct Expand: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of streams that run at once. By default there is no limit. An integer, 1 or more.
    public var maxPublishers: Int?
    /// Maximum number of streams in total. One more fails the stream. An integer from 1 to 1000000000. Default `10000`.
    public var limit: Int?

    public init(stream: InnerStream, maxPublishers: Int? = nil, limit: Int? = nil) {
      self.stream = stream
      self.maxPublishers = maxPublishers
      self.limit = limit
    }
  }
}

extension Operator.Expand {
  public var joined: [JoinedStream] { [stream.joined(capturing: [.fixed("outer", .dyn), .fixed("outerIndex", .int)])] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.inputType.joined(with: context.joinedTypes.first ?? .dyn)
    return ExpandMachine(maxPublishers: maxPublishers ?? .max, limit: limit ?? Self.defaultLimit)
  }
}

private struct ExpandMachine: Machine {
  struct State: Codable, Sendable {
    var ports = InnerPorts()
    var demand = Demand.none
    /// Values to publish and to start streams for, in order of arrival.
    var waiting: Deque<Waiting> = []
    /// Number of streams started.
    @Counted var index: Int64 = 0
    var nesting = NestingGuard()
    var hasAskedUpstream = false
    var isUpstreamDone = false
  }

  struct Waiting: Codable, Sendable {
    /// The port to request another value from when this one is published; nil if that has been done.
    var port: Int?
    let value: Value
  }

  let maxPublishers: Int
  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    if let problem = saved.ports.problem(beside: state.ports) { return problem }
    // Each waiting value holds its port, which is released after the last one.
    let waiting = Dictionary(saved.waiting.compactMap(\.port).map { ($0, 1) }, uniquingKeysWith: +)
    return waiting.allSatisfy { $0 == 0 || saved.ports.isHeld($0, times: $1) } ? nil : "has values that wait on no port"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 : upstream == 1 && state.ports.hasGiven(port)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard state.index + Int64(state.waiting.count) < Int64(limit) else {
      throw .beyondLimit(limit, "stream", of: "expand", value: value)
    }
    try state.nesting.check(value, owner: "expand")
    if port > 0, isFull {
      state.waiting.append(Waiting(port: nil, value: value))
      return effects.request(Demand(1), from: port)
    }
    state.waiting.append(Waiting(port: port, value: value))
    if port > 0 { state.ports.hold(port) }
    expand(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 { state.isUpstreamDone = true } else { state.ports.end(port) }
    expand(effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    expand(effects)
    if state.demand.isUnlimited {
      for port in [0] + state.ports.active.sorted() { effects.request(.unlimited, from: port) }
    } else if !state.hasAskedUpstream {
      effects.request(Demand(1), from: 0)
    }
    state.hasAskedUpstream = true
  }

  mutating func resume(_ effects: Effects) { expand(effects) }

  /// Publishes the next value, if possible, starts its stream, and requests another value from the same port.
  ///
  /// Handles one value at a time: synchronous values of its stream come before the next one.
  private mutating func expand(_ effects: Effects) {
    if !isFull, !state.waiting.isEmpty, state.demand.takeOne() {
      let next = state.waiting.removeFirst()
      let source = next.port.flatMap { port in
        (port > 0 ? state.ports.letGo(port) : !state.isUpstreamDone) ? port : nil
      }
      effects.publish(next.value)
      let port = state.ports.take()
      effects.subscribe(to: 1, on: port, capturing: [next.value, .int(state.index)])
      state.index += 1
      effects.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: port)
      if let source { effects.request(Demand(1), from: source) }
      if isFull { requestFromRunning(effects) }
      if !state.waiting.isEmpty { effects.resume() }
    }
    if state.isUpstreamDone, state.waiting.isEmpty, state.ports.count == 0 { effects.finish() }
  }

  /// Whether no further stream starts before one of those that run has ended.
  ///
  /// They are then asked for their values without regard to demand: values that wait for their end would wait forever.
  private var isFull: Bool { state.ports.count >= maxPublishers }

  /// Requests another value from each running stream whose last one waits.
  private mutating func requestFromRunning(_ effects: Effects) {
    guard state.ports.active.contains(where: { state.ports.isHeld($0) }) else { return }
    for place in state.waiting.indices {
      guard let port = state.waiting[place].port, state.ports.active.contains(port) else { continue }
      state.waiting[place].port = nil
      state.ports.letGo(port)
      effects.request(Demand(1), from: port)
    }
  }
}

extension Operator.Expand {
  private static let defaultLimit = 10_000

  public static let spec = OperatorSpec(
    "expand", "Publishes each value and, recursively, the values of the stream it starts.",
    memory: .bounded("waiting values and started streams", by: "limit"),
    fields: [
      .innerStream,
      .optional(
        "maxPublishers", .count(1 ... .max), "Maximum number of streams that run at once. By default there is no limit."
      ),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of streams in total. One more fails the stream.", default: .of(defaultLimit)),
    ],
    examples: [
      .marbles(
        "doubled up to 16",
        #"{"expand": {"stream": {"source": {"just": {"expression": "outer * 2"}}, "operators": [{"filter": {"expression": "value <= 16"}}]}, "limit": 20}}"#,
        in: "-a|", out: "-[abdhp]|", values: ["a": 1, "b": 2, "d": 4, "h": 8, "p": 16]),
      .marbles(
        "with delays, one stream at a time",
        #"""
        {"expand": {"maxPublishers": 1, "limit": 20, "stream": {
          "source": {"just": {"expression": "outer * 2"}},
          "operators": [{"delay": {"seconds": 0.001}}, {"filter": {"expression": "value <= 4"}}]}}}
        """#, in: "a|", out: "abd|", values: ["a": 1, "b": 2, "d": 4]),
      .marbles(
        "an endless recursion fails",
        #"{"expand": {"stream": {"source": {"just": {"expression": "outer"}}}, "limit": 3}}"#,
        in: "-a-|", out: "-(aaa#)"),
      .rejects("no stream", #"{"expand": {}}"#, .missingField, at: "/expand"),
    ])
}
