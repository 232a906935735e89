internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the newest value at the end of a while that a value begins.
  ///
  /// Values within the while do not put its end off; the next while begins with the next value after it. A finish waits
  /// for the value that waits, a failure does not. A value that nobody has asked for is lost.
  ///
  /// - Time: one timer.
  /// - Memory: O(1), the newest value.
  /// - SeeAlso: `debounce`, where each value begins the while anew; `sample`, where the pace is steady; `throttle`, which
  ///   publishes the first value of a burst at once.
  public struct Audit: OperatorDefinition {
    /// How long a while is, in seconds. A millionth or more.
    public var seconds: Double?
    /// A stream in place of `seconds`: started with the value that begins a while, which is over when it publishes. Its
    /// expressions know the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a value, the
    /// while is over and nothing is published.
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

private struct AuditMachine: Machine {
  struct State: Codable, Sendable {
    var newest: Value?
    /// The number of the next value.
    @Counted var index: Int64 = 0
    /// Whether a while lasts.
    var isRunning = false
    var isUpstreamDone = false
    var demand = Demand.none
  }

  let span: GatePeriod
  var state = State()

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    effects.request(.unlimited, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == GatePeriod.port {
      span.end(effects)
      return publishNewest(effects)
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

  mutating func fire(_ timer: Int, _ effects: Effects) { publishNewest(effects) }

  private mutating func publishNewest(_ effects: Effects) {
    state.isRunning = false
    if let newest = state.newest, state.demand.takeOne() { effects.publish(newest) }
    state.newest = nil
    finishIfDone(effects)
  }

  private func finishIfDone(_ effects: Effects) {
    if state.isUpstreamDone, !state.isRunning { effects.finish() }
  }
}

extension Operator.Audit {
  public static let spec = OperatorSpec(
    "audit", "Publishes the newest value at the end of a while that a value begins.",
    memory: .constant("the newest value"),
    fields: [
      .optional("seconds", .seconds(1e-6...31_536_000), "How long a while is, in seconds. A millionth or more."),
      .optional(
        "stream", .stream,
        "In place of `seconds`: started with the value that begins a while, which is over when it publishes; it knows "
          + "`outer` and `outerIndex`."),
    ],
    rules: [.one(["seconds", "stream"])],
    examples: [
      .marbles(
        "three milliseconds after the first", #"{"audit": {"seconds": 0.003}}"#, in: "-ab----c-d-e--|",
        out: "----b-----d---(e|)"),
      .marbles("the end waits for a value", #"{"audit": {"seconds": 0.003}}"#, in: "-a|", out: "----(a|)"),
      .marbles("a failure does not", #"{"audit": {"seconds": 0.003}}"#, in: "-a#", out: "--#"),
      .marbles(
        "until a stream publishes, if it does",
        #"""
        {"audit": {"stream": {"source": {"just": {"expression": "outer"}},
                              "operators": [{"delay": {"seconds": 0.002}}, {"filter": {"expression": "value != 'c'"}}]}}}
        """#, in: "-ab-----c---|", out: "---b--------|"),
      .marbles(
        "a stream that fails", #"{"audit": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#, in: "-a---|",
        out: "---#"),
      .rejects("no time", #"{"audit": {"seconds": 0}}"#, .outOfRange, at: "/audit/seconds"),
      .rejects("nothing to go by", #"{"audit": {}}"#, .missingField, at: "/audit"),
    ])
}
