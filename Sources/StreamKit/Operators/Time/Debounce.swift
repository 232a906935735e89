public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes a value once the stream has been silent for a while.
  ///
  /// A value that arrives before the silence is over replaces the one waiting. A value that nobody has asked for is
  /// lost.
  ///
  /// - Order: with `seconds` the end comes through the scheduler, as Combine: in the same moment, later.
  /// - Time: one timer; each value restarts it.
  /// - Memory: O(1), the newest value.
  /// - SeeAlso: `audit`, which a steady flow of values does not put off.
  public struct Debounce: OperatorDefinition {
    /// Silence required before a value is published, in seconds. Greater than zero.
    public var seconds: Double?
    /// A stream in place of `seconds`: each value starts it, and is published when it publishes before the next value.
    /// Its expressions know the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a value,
    /// the value waits for the end.
    public var stream: InnerStream?
    /// What happens to the waiting value at the end. Default `drop`, as Combine; `flush` publishes it, as RxJS.
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
    DebounceMachine(silence: GatePeriod(seconds: seconds), onFinish: onFinish ?? .drop)
  }
}

private struct DebounceMachine: Machine {
  struct State: Codable, Sendable {
    var isWaiting = false
    var value = Value.null
    /// The number of the next value.
    @Counted var index: Int64 = 0
    var demand = Demand.none
    var ending: Completion?
  }

  private static let end = 1

  let silence: GatePeriod
  let onFinish: Operator.Debounce.OnFinish
  var state = State()

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    effects.request(.unlimited, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == GatePeriod.port {
      silence.end(effects)
      return publishWaiting(effects)
    }
    state.isWaiting = true
    state.value = value
    silence.begin(for: value, index: state.index, effects)
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == GatePeriod.port {
      if case .failure = completion { effects.complete(completion) }
      return
    }
    silence.end(effects)
    if case .finished = completion, onFinish == .flush { publishWaiting(effects) }
    state.isWaiting = false
    guard case .time = silence else { return effects.complete(completion) }
    state.ending = completion
    effects.setTimer(Self.end, at: effects.now)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) {
    if let ending = state.ending { effects.complete(ending) } else { publishWaiting(effects) }
  }

  private mutating func publishWaiting(_ effects: Effects) {
    guard state.isWaiting else { return }
    state.isWaiting = false
    if state.demand.takeOne() { effects.publish(state.value) }
    state.value = .null
  }
}

extension Operator.Debounce {
  public static let spec = OperatorSpec(
    "debounce", "Publishes a value once the stream has been silent for a while.",
    memory: .constant("the newest value"),
    fields: [
      .optional(
        "seconds", .seconds(0...31_536_000),
        "Silence required before a value is published, in seconds. Greater than zero."),
      .optional(
        "stream", .stream,
        "In place of `seconds`: started for each value, which is published with its first value; it knows `outer` and "
          + "`outerIndex`."),
      .optional(
        "onFinish", .choice(["drop", "flush"]),
        "What happens to the waiting value at the end. Default `drop`, as Combine; `flush` publishes it, as RxJS.",
        default: "drop"),
    ],
    rules: [.one(["seconds", "stream"]), .above("seconds", 0)],
    examples: [
      .marbles(
        "a burst becomes its last value", #"{"debounce": {"seconds": 0.003}}"#, in: "abcd----e---f-g----|",
        out: "------d----e-----g-|"),
      .marbles("the waiting value is dropped", #"{"debounce": {"seconds": 0.003}}"#, in: "-a|", out: "--|"),
      .marbles(
        "or published", #"{"debounce": {"seconds": 0.003, "onFinish": "flush"}}"#, in: "-a|", out: "--(a|)"),
      .marbles(
        "until a stream publishes",
        #"{"debounce": {"stream": {"source": {"timer": {"every": 0.003}}}, "onFinish": "flush"}}"#, in: "-a-b----c|",
        out: "------b--(c|)"),
      .marbles(
        "a stream that finishes silently",
        #"""
        {"debounce": {"stream": {"source": {"just": {"expression": "outer"}},
                                 "operators": [{"filter": {"expression": "value != 'b'"}}]}}}
        """#, in: "-a-b-c|", out: "-a---c|"),
      .marbles(
        "a stream that fails", #"{"debounce": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#,
        in: "-a---|", out: "---#"),
      .rejects("no silence at all", #"{"debounce": {"seconds": 0}}"#, .outOfRange, at: "/debounce/seconds"),
      .rejects("nothing to go by", #"{"debounce": {}}"#, .missingField, at: "/debounce"),
      .rejects(
        "an unknown word", #"{"debounce": {"seconds": 1, "onFinish": "flsh"}}"#, .outOfRange,
        at: "/debounce/onFinish"),
    ])
}
