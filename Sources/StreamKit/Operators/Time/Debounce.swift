internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a value once the stream has been silent for a while.
  ///
  /// A value that arrives earlier replaces the pending one. A value without demand waits.
  ///
  /// - Order: with `seconds`, the completion is delivered by the scheduler, as in Combine: at the same instant, after
  ///   its other events.
  /// - Time: one timer; each value restarts it.
  /// - Memory: the newest value, and values that downstream has not requested, at most 1,024.
  /// - Failure: `S409` for more of them.
  /// - SeeAlso: `audit`, which a steady flow of values does not delay.
  public struct Debounce: OperatorDefinition {
    /// Silence required before a value is published. A number of seconds greater than 0, up to 31536000.
    public var seconds: Double?
    /// Started for each value, instead of `seconds`: its first value publishes the pending value. Its expressions see
    /// the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a value, the pending value
    /// waits for the finish.
    public var stream: InnerStream?
    /// Effect of a finish on the pending value: `drop` discards it, as in Combine; `flush` publishes it, as in RxJS.
    /// Default `drop`.
    public var onFinish: OnFinish?

    public init(seconds: Double? = nil, stream: InnerStream? = nil, onFinish: OnFinish? = nil) {
      self.seconds = seconds
      self.stream = stream
      self.onFinish = onFinish
    }

    public enum OnFinish: String, Hashable, Sendable, Codable, CaseIterable {
      case drop, flush
    }
  }
}

extension Operator.Debounce {
  public var joined: [JoinedStream] { stream?.spans ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DebounceMachine(silence: GatePeriod(seconds: seconds), onFinish: onFinish ?? Self.defaultOnFinish)
  }
}

private struct DebounceMachine: UnpausedMachine, LoweredMachine {
  static let name = "debounce"

  struct State: UnpausedState {
    var isWaiting = false
    var value = Value.null
    /// The number of the next value.
    @Counted var index: Int64 = 0
    var demand = Demand.none
    var unrequested: UnrequestedValues?
    var ending: Completion?
  }

  private static let end = 1

  let silence: GatePeriod
  let onFinish: Operator.Debounce.OnFinish
  var state = State()

  /// Entry 1 publishes the pending value.
  var lowering: Lowering<State>? {
    guard case .time(let interval) = silence else { return nil }
    let clock = RowClock(each: interval, flushes: onFinish == .flush, drops: onFinish == .drop)
    let lowering = TimedLowering<State>(clock: clock) { state, due in
      var state = state
      if !due.isEmpty { (state.ending, state.isWaiting, state.value) = (.finished, false, .null) }
      return state
    } fitsRow: { state in
      state.demand.isUnlimited && state.unrequested == nil && state.ending == nil
    } steps: { _ in
      Steps { segment in
        let (pending, isWaiting) = (segment.cell(for: .dyn), segment.cell(.bool(false), .bool))
        let index = segment.index(isRead: false)
        segment.store(segment.value, in: pending)
        segment.store(segment.constant(.bool(true)), in: isWaiting)
        segment.wait()
        segment.beginEntry()
        segment.branch(unless: isWaiting, to: segment.drop())
        segment.store(segment.constant(.bool(false)), in: isWaiting)
        segment.value = pending
        segment.keep { cells in
          let waits = cells[isWaiting] == .bool(true)
          return State(
            isWaiting: waits, value: waits ? cells[pending] : .null, index: cells[index], demand: .unlimited)
        } loading: { state, cells in
          cells[isWaiting] = .bool(state.isWaiting)
          cells[pending] = state.value
          cells[index] = state.index
        }
      }
    }
    return .timed(lowering)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == GatePeriod.port {
      silence.end(effects)
      return try publishWaiting(effects)
    }
    state.isWaiting = true
    state.value = value
    silence.begin(for: value, index: state.index, effects)
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == GatePeriod.port {
      if case .failure = completion { effects.complete(completion) }
      return
    }
    silence.end(effects)
    if case .finished = completion, state.isWaiting {
      if onFinish == .flush { try publishWaiting(effects) } else { effects.noteDrop(.ended) }
    }
    (state.isWaiting, state.value) = (false, .null)
    guard case .time = silence else { return complete(completion, effects) }
    state.ending = completion
    effects.setTimer(Self.end, at: effects.now)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    if let ending = state.ending { complete(ending, effects) } else { try publishWaiting(effects) }
  }

  private mutating func publishWaiting(_ effects: Effects) throws(StreamFailure) {
    guard state.isWaiting else { return }
    let value = state.value
    (state.isWaiting, state.value) = (false, .null)
    try publish(value, effects)
  }
}

extension Operator.Debounce {
  private static let defaultOnFinish = OnFinish.drop

  public static let spec = OperatorSpec(
    "debounce", "Publishes a value once the stream has been silent for a while.",
    memory: .constant("the newest value, and values that downstream has not requested, at most 1,024"),
    fields: [
      .optional(
        "seconds", .seconds(0...31_536_000),
        "Silence required before a value is published."),
      .optional(
        "stream", .stream,
        "Started for each value, instead of `seconds`: its first value publishes the pending value. Its "
          + "expressions see the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a "
          + "value, the pending value waits for the finish."),
      .optional(
        "onFinish", .choice(["drop", "flush"]),
        "Effect of a finish on the pending value: `drop` discards it, as in Combine; `flush` publishes it, as in "
          + "RxJS.",
        default: .of(defaultOnFinish)),
    ],
    rules: [.one(["seconds", "stream"]), .above("seconds", 0)],
    examples: [
      .marbles(
        "the last value of each burst", #"{"debounce": {"seconds": 0.003}}"#, in: "abcd----e---f-g----|",
        out: "------d----e-----g-|"),
      .marbles("a finish discards the pending value", #"{"debounce": {"seconds": 0.003}}"#, in: "-a|", out: "--|"),
      .marbles(
        "a finish publishes the pending value", #"{"debounce": {"seconds": 0.003, "onFinish": "flush"}}"#, in: "-a|",
        out: "--(a|)"),
      .marbles(
        "until a stream publishes",
        #"{"debounce": {"stream": {"source": {"timer": {"every": 0.003}}}, "onFinish": "flush"}}"#, in: "-a-b----c|",
        out: "------b--(c|)"),
      .marbles(
        "a stream that finishes without a value",
        #"""
        {"debounce": {"stream": {"source": {"just": {"expression": "outer"}},
                                 "operators": [{"filter": {"expression": "value != 'b'"}}]}}}
        """#, in: "-a-b-c|", out: "-a---c|"),
      .marbles(
        "a stream that fails", #"{"debounce": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#,
        in: "-a---|", out: "---#"),
      .rejects("a silence of zero", #"{"debounce": {"seconds": 0}}"#, .outOfRange, at: "/debounce/seconds"),
      .rejects("neither a time nor a stream", #"{"debounce": {}}"#, .missingField, at: "/debounce"),
      .rejects(
        "an unknown word", #"{"debounce": {"seconds": 1, "onFinish": "flsh"}}"#, .outOfRange,
        at: "/debounce/onFinish"),
    ])
}
