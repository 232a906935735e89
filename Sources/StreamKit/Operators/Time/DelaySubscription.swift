public import StreamCore
public import StreamEngine

extension Operator {
  /// Subscribes to upstream after a delay, or when another stream publishes.
  ///
  /// Events of a hot upstream before the subscription are missed. Demand is kept until then. If the other stream fails,
  /// the whole stream fails.
  ///
  /// - Time: one timer.
  /// - SeeAlso: `delay`, which delays each value.
  public struct DelaySubscription: OperatorDefinition {
    /// Length of the delay. A number of seconds from 0 to 31536000.
    public var seconds: Double?
    /// The stream that triggers the subscription with its first value or its finish, instead of `seconds`.
    public var stream: InnerStream?

    public init(seconds: Double? = nil, stream: InnerStream? = nil) {
      self.seconds = seconds
      self.stream = stream
    }
  }
}

extension Operator.DelaySubscription {
  public var joined: [JoinedStream] { stream.map { [$0.joined()] } ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DelaySubscriptionMachine(interval: seconds.map(Interval.init(seconds:)))
  }
}

private struct DelaySubscriptionMachine: Machine {
  struct State: Codable, Sendable {
    var hasSubscribed = false
    /// Demand before the subscription.
    var demand = Demand.none
  }

  private static let signal = 1

  /// The delay; nil if a stream triggers the subscription.
  let interval: Interval?
  var state = State()

  mutating func start(_ effects: Effects) {
    if let interval {
      effects.setTimer(0, at: effects.now + interval)
    } else {
      effects.subscribe(to: Self.signal)
      effects.request(Demand(1), from: Self.signal)
    }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    if state.hasSubscribed { effects.request(demand, from: 0) } else { state.demand += demand }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    guard port == Self.signal else { return effects.publish(value) }
    effects.cancel(Self.signal)
    subscribe(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.signal, case .finished = completion { subscribe(effects) } else { effects.complete(completion) }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { subscribe(effects) }

  private mutating func subscribe(_ effects: Effects) {
    state.hasSubscribed = true
    effects.subscribe(to: 0)
    effects.request(state.demand, from: 0)
  }
}

extension Operator.DelaySubscription {
  public static let spec = OperatorSpec(
    "delaySubscription", "Subscribes to upstream after a delay, or when another stream publishes.",
    fields: [
      .optional("seconds", .seconds(0...31_536_000), "Length of the delay."),
      .optional(
        "stream", .stream,
        "The stream that triggers the subscription with its first value or its finish, instead of `seconds`."),
    ],
    rules: [.one(["seconds", "stream"])],
    examples: [
      .marbles(
        "earlier values are missed", #"{"delaySubscription": {"seconds": 0.003}}"#, in: "-a-bc--d|",
        out: "----c--d|"),
      .marbles("an earlier finish", #"{"delaySubscription": {"seconds": 0.003}}"#, in: "-a|", out: "---|"),
      .joins(
        "when b publishes", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "--x--y"], out: "---b-c|"),
      .joins("when b finishes", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "----|"], out: "-----c|"),
      .joins("b fails", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "--#"], out: "--#"),
      .rejects("neither a time nor a stream", #"{"delaySubscription": {}}"#, .missingField, at: "/delaySubscription"),
      .rejects(
        "a time and a stream", #"{"delaySubscription": {"seconds": 1, "stream": "b"}}"#, .conflictingFields,
        at: "/delaySubscription/stream"),
    ])
}
