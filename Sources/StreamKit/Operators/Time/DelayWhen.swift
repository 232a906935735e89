public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value, and publishes the value when that stream publishes.
  ///
  /// A value whose stream finishes without a value is dropped. A finish waits for pending values; a failure, also of
  /// one of these streams, does not.
  ///
  /// - Order: values may overtake each other.
  /// - Memory: values that are pending, bounded by `limit`.
  public struct DelayWhen: OperatorDefinition {
    /// The stream to start for each value; its first value releases the value. Its expressions see the value as `outer`
    /// and its number, from 0, as `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of pending values. One more fails the stream. An integer from 1 to 1000000. Default `100000`.
    public var limit: Int?

    public init(stream: InnerStream, limit: Int? = nil) {
      self.stream = stream
      self.limit = limit
    }
  }
}

extension Operator.DelayWhen {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DelayWhenMachine(limit: limit ?? Self.defaultLimit)
  }
}

/// Port 0 is upstream; each pending value has a port of its own.
private struct DelayWhenMachine: Machine {
  struct State: Codable, Sendable {
    var waiting: [Int: Value] = [:]
    var ports = InnerPorts()
    /// The number of the next value.
    @Counted var index: Int64 = 0
    var isUpstreamDone = false
  }

  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    if let problem = saved.ports.problem(beside: state.ports) { return problem }
    return saved.ports.active.isSuperset(of: saved.waiting.keys) ? nil : "has values that no stream releases"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 : upstream == 1 && state.ports.hasGiven(port)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard port == 0 else { return release(port, effects) }
    guard state.waiting.count < limit else {
      throw .beyondLimit(limit, "pending value", of: "delayWhen", value: value)
    }
    let inner = state.ports.take()
    state.waiting[inner] = value
    effects.subscribe(to: 1, on: inner, capturing: [value, .int(state.index)])
    effects.request(Demand(1), from: inner)
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 {
      state.isUpstreamDone = true
    } else {
      state.waiting[port] = nil
      state.ports.end(port)
      // Requests another value instead of the dropped one.
      if !state.isUpstreamDone { effects.request(Demand(1), from: 0) }
    }
    finishIfDone(effects)
  }

  private mutating func release(_ port: Int, _ effects: Effects) {
    // NB: canceled before the value is published, because downstream's reaction may reuse the port.
    effects.cancel(port)
    state.ports.end(port)
    if let value = state.waiting.removeValue(forKey: port) { effects.publish(value) }
    finishIfDone(effects)
  }

  private func finishIfDone(_ effects: Effects) {
    if state.isUpstreamDone, state.waiting.isEmpty { effects.finish() }
  }
}

extension Operator.DelayWhen {
  private static let defaultLimit = 100_000

  public static let spec = OperatorSpec(
    "delayWhen", "Starts a stream for each value, and publishes the value when that stream publishes.",
    memory: .bounded("values that are pending", by: "limit"),
    fields: [
      .required(
        "stream", .stream,
        "The stream to start for each value; its first value releases the value. Its expressions see the value "
          + "as `outer` and its number, from 0, as `outerIndex`."),
      .optional(
        "limit", .count(1...1_000_000), "Maximum number of pending values. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .marbles(
        "a different delay for each value",
        #"""
        {"delayWhen": {"stream": {"source": {"timer": {"every": 0.001}},
                                  "operators": [{"filter": {"expression": "value == outer"}}]}}}
        """#, in: "-a-b|", out: "----b-(a|)", values: ["a": 4, "b": 0]),
      .marbles(
        "a stream without a value", #"{"delayWhen": {"stream": {"source": {"marbles": {"diagram": "--|"}}}}}"#,
        in: "-a|", out: "---|"),
      .marbles(
        "a stream that fails", #"{"delayWhen": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#, in: "-a---|",
        out: "---#"),
      .marbles(
        "more pending values than the limit", #"{"delayWhen": {"stream": {"source": {"never": {}}}, "limit": 1}}"#,
        in: "-ab",
        out: "--#"),
      .rejects("no stream", #"{"delayWhen": {}}"#, .missingField, at: "/delayWhen"),
    ])
}
