public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the newest value at regular intervals, or whenever another stream publishes, if there is a new one.
  ///
  /// A finish or failure is published at once and discards the waiting value. A failure of the other stream fails the
  /// whole; its finish is ignored. A sample without demand waits.
  ///
  /// - Time: with `seconds`, one timer while a value waits. Samples are multiples of the interval after the
  ///   subscription, so they do not drift.
  /// - Memory: the newest value, and values that downstream has not requested, at most 1,024.
  /// - Failure: `S409` for more of them.
  /// - SeeAlso: `throttle`, which publishes the first value of a burst at once.
  public struct Sample: OperatorDefinition {
    /// Interval between samples. A number of seconds from 1e-06 to 31536000.
    public var seconds: Double?
    /// The stream that triggers a sample, instead of `seconds`.
    public var stream: InnerStream?

    public init(seconds: Double? = nil, stream: InnerStream? = nil) {
      self.seconds = seconds
      self.stream = stream
    }
  }
}

extension Operator.Sample {
  public var joined: [JoinedStream] { stream?.joined(in: "stream") ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    SampleMachine(interval: seconds.map(Interval.init(seconds:)))
  }
}

private struct SampleMachine: UnpausedMachine {
  static let name = "sample"

  struct State: UnpausedState {
    var newest: Value?
    var demand = Demand.none
    var unrequested: UnrequestedValues?
  }

  private static let signal = 1

  /// The interval; nil if a stream triggers the samples.
  let interval: Interval?
  var state = State()

  mutating func start(_ effects: Effects) {
    effects.subscribeToAll()
    if interval != nil {
      // The timers of upstream are set first, as in RxJS.
      effects.resume()
    } else {
      effects.subscribe(to: Self.signal)
      effects.request(.unlimited, from: Self.signal)
    }
  }

  mutating func resume(_ effects: Effects) {
    setTimer(effects)
    if state.newest != nil { _ = effects.wakeIdleTimer(0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == Self.signal { return try sample(effects) }
    if state.newest == nil { _ = effects.wakeIdleTimer(0) }
    state.newest = value
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.signal, case .finished = completion { return }
    if case .finished = completion, state.newest != nil { effects.noteDrop(.ended) }
    complete(completion, effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    setTimer(effects)
    try sample(effects)
  }

  private mutating func sample(_ effects: Effects) throws(StreamFailure) {
    guard let newest = state.newest else { return }
    state.newest = nil
    try publish(newest, effects)
  }

  /// Sets the timer of the next samples, which is idle until there is a value.
  private func setTimer(_ effects: Effects) {
    guard let interval else { return }
    effects.setIdleTimer(0, at: effects.now + interval, every: interval, ticket: effects.takeTicket())
  }
}

extension Operator.Sample {
  public static let spec = OperatorSpec(
    "sample",
    "Publishes the newest value at regular intervals, or whenever another stream publishes, if there is a new one.",
    memory: .constant("the newest value, and values that downstream has not requested, at most 1,024"),
    fields: [
      .optional("seconds", .seconds(0...31_536_000), "Interval between samples."),
      .optional("stream", .stream, "The stream that triggers a sample, instead of `seconds`."),
    ],
    rules: [.one(["seconds", "stream"]), .atLeast("seconds", 1e-6)],
    examples: [
      .marbles(
        "every four milliseconds", #"{"sample": {"seconds": 0.004}}"#, in: "-ab-------c-d--|",
        out: "----b-------d--|"),
      .marbles("a finish discards the waiting value", #"{"sample": {"seconds": 0.004}}"#, in: "-a|", out: "--|"),
      .marbles("a failure discards it, too", #"{"sample": {"seconds": 0.004}}"#, in: "-a#", out: "--#"),
      .joins(
        "whenever b publishes", #"{"sample": {"stream": "b"}}"#, in: ["-a-b-----c|", "----x-y---z|"],
        out: "----b-----|"),
      .joins("b fails", #"{"sample": {"stream": "b"}}"#, in: ["-a-b|", "--#"], out: "--#"),
      .rejects("no interval", #"{"sample": {}}"#, .missingField, at: "/sample"),
      .rejects(
        "an interval and a stream", #"{"sample": {"seconds": 1, "stream": "b"}}"#, .conflictingFields,
        at: "/sample/stream"),
      .rejects("an interval of zero", #"{"sample": {"seconds": 0}}"#, .outOfRange, at: "/sample/seconds"),
    ])
}
