internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to upstream a while later, or when another stream publishes.
  ///
  /// What upstream says before that is not heard. What is asked for meanwhile is asked of upstream then. If the other
  /// stream fails, so does this.
  ///
  /// - Time: one timer.
  /// - SeeAlso: `delay`, which puts off each value.
  public struct DelaySubscription: OperatorDefinition {
    /// How much later, in seconds.
    public var seconds: Double?
    /// The stream that is waited for, in place of `seconds`: its first value, or its finish.
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
    /// What was asked for before that.
    var demand = Demand.none
  }

  private static let signal = 1

  /// Nil where a stream says when.
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
    "delaySubscription", "Subscribes to upstream a while later, or when another stream publishes.",
    fields: [
      .optional("seconds", .seconds(0...31_536_000), "How much later, in seconds."),
      .optional(
        "stream", .stream, "The stream that is waited for, in place of `seconds`: its first value, or its finish."),
    ],
    rules: [.one(["seconds", "stream"])],
    examples: [
      .marbles(
        "what was said before is not heard", #"{"delaySubscription": {"seconds": 0.003}}"#, in: "-a-bc--d|",
        out: "----c--d|"),
      .marbles("a finish before", #"{"delaySubscription": {"seconds": 0.003}}"#, in: "-a|", out: "---|"),
      .joins(
        "until b publishes", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "--x--y"], out: "---b-c|"),
      .joins("or finishes", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "----|"], out: "-----c|"),
      .joins("b fails", #"{"delaySubscription": {"stream": "b"}}"#, in: ["-a-b-c|", "--#"], out: "--#"),
      .rejects("nothing to wait for", #"{"delaySubscription": {}}"#, .missingField, at: "/delaySubscription"),
      .rejects(
        "a time and a stream", #"{"delaySubscription": {"seconds": 1, "stream": "b"}}"#, .conflictingFields,
        at: "/delaySubscription/stream"),
    ])
}
