public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts an interval with a value, and publishes the newest value at its end.
  ///
  /// Later values do not extend the interval; the next interval starts with the next value after its end. A finish
  /// waits for the pending value, a failure does not. A value without demand waits.
  ///
  /// - Time: one timer.
  /// - Memory: the newest value, and values that downstream has not requested, at most 1,024.
  /// - Failure: `S409` for more of them.
  /// - SeeAlso: `debounce`, where each value restarts the interval; `sample`, where intervals are regular;
  ///   `throttle`, which publishes the first value of a burst at once.
  public struct Audit: OperatorDefinition {
    /// Length of the interval. A number of seconds from 1e-06 to 31536000.
    public var seconds: Double?
    /// Started with the value that starts an interval, instead of `seconds`: its first value ends the interval. Its
    /// expressions see the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a value,
    /// nothing is published.
    public var stream: InnerStream?

    public init(seconds: Double? = nil, stream: InnerStream? = nil) {
      self.seconds = seconds
      self.stream = stream
    }
  }
}

extension Operator.Audit {
  public var joined: [JoinedStream] { stream?.spans ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    AuditMachine(span: GatePeriod(seconds: seconds))
  }
}

private struct AuditMachine: UnpausedMachine {
  static let name = "audit"

  struct State: UnpausedState {
    var newest: Value?
    /// The number of the next value.
    @Counted var index: Int64 = 0
    /// Whether an interval is running.
    var isRunning = false
    var isUpstreamDone = false
    var demand = Demand.none
    var unrequested: UnrequestedValues?
  }

  let span: GatePeriod
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == GatePeriod.port {
      span.end(effects)
      return try publishNewest(effects)
    }
    state.newest = value
    if !state.isRunning {
      state.isRunning = true
      span.begin(for: value, index: state.index, effects)
    }
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == GatePeriod.port {
      state.isRunning = false
      state.newest = nil
    } else {
      state.isUpstreamDone = true
    }
    finishIfDone(effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) { try publishNewest(effects) }

  private mutating func publishNewest(_ effects: Effects) throws(StreamFailure) {
    state.isRunning = false
    let newest = state.newest
    state.newest = nil
    if let newest { try publish(newest, effects) }
    finishIfDone(effects)
  }

  private mutating func finishIfDone(_ effects: Effects) {
    if state.isUpstreamDone, !state.isRunning { complete(.finished, effects) }
  }
}

extension Operator.Audit {
  public static let spec = OperatorSpec(
    "audit", "Starts an interval with a value, and publishes the newest value at its end.",
    memory: .constant("the newest value, and values that downstream has not requested, at most 1,024"),
    fields: [
      .optional("seconds", .seconds(1e-6...31_536_000), "Length of the interval."),
      .optional(
        "stream", .stream,
        "Started with the value that starts an interval, instead of `seconds`: its first value ends the "
          + "interval. Its expressions see the value as `outer` and its number, from 0, as `outerIndex`. If it "
          + "finishes without a value, nothing is published."),
    ],
    rules: [.one(["seconds", "stream"])],
    examples: [
      .marbles(
        "three milliseconds after the first value", #"{"audit": {"seconds": 0.003}}"#, in: "-ab----c-d-e--|",
        out: "----b-----d---(e|)"),
      .marbles("a finish waits for the value", #"{"audit": {"seconds": 0.003}}"#, in: "-a|", out: "----(a|)"),
      .marbles("a failure does not wait", #"{"audit": {"seconds": 0.003}}"#, in: "-a#", out: "--#"),
      .marbles(
        "a stream ends the interval",
        #"""
        {"audit": {"stream": {"source": {"just": {"expression": "outer"}},
                              "operators": [{"delay": {"seconds": 0.002}}, {"filter": {"expression": "value != 'c'"}}]}}}
        """#, in: "-ab-----c---|", out: "---b--------|"),
      .marbles(
        "a stream that fails", #"{"audit": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#, in: "-a---|",
        out: "---#"),
      .rejects("an interval of zero", #"{"audit": {"seconds": 0}}"#, .outOfRange, at: "/audit/seconds"),
      .rejects("no interval", #"{"audit": {}}"#, .missingField, at: "/audit"),
    ])
}
