public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value and the completion after a delay.
  ///
  /// The completion is delayed, too, even if no value is pending; `finish` and `failures` change this.
  ///
  /// - Time: one timer, for any number of pending values.
  /// - Memory: values that are pending, bounded by `limit`.
  public struct Delay: OperatorDefinition {
    /// Length of the delay. A number of seconds from 0 to 31536000.
    public var seconds: Double
    /// Whether a failure is `delayed`, as in Combine, or `immediate`, which discards the pending values, as in RxJS.
    /// Default `delayed`.
    public var failures: Failures?
    /// Whether a finish is `delayed`, as in Combine, or `immediate`: it then follows the last pending value at once, as
    /// in RxJS. Default `delayed`.
    public var finish: Finish?
    /// Maximum number of pending values. One more fails the stream. An integer from 1 to 1000000000. Default `1000000`.
    public var limit: Int?

    public init(seconds: Double, failures: Failures? = nil, finish: Finish? = nil, limit: Int? = nil) {
      self.seconds = seconds
      self.failures = failures
      self.finish = finish
      self.limit = limit
    }

    public enum Failures: String, Hashable, Sendable, Codable, CaseIterable {
      case delayed, immediate
    }

    public enum Finish: String, Hashable, Sendable, Codable, CaseIterable {
      case delayed, immediate
    }
  }
}

extension Operator.Delay {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    DelayMachine(
      interval: Interval(seconds: seconds), failures: failures ?? Self.defaultFailures,
      finish: finish ?? Self.defaultFinish,
      limit: limit ?? Self.defaultLimit)
  }
}

private struct DelayMachine: Machine {
  struct State: Codable, Sendable {
    /// A constant delay keeps the order, so a queue and one timer suffice.
    var waiting = TaggedValues<Due>()
    /// The completion, behind the pending values.
    var ending: Ending?
    /// Whether upstream has finished, if the finish is not delayed.
    var isFinished = false
  }

  /// The time at which a value is due, and its order among events of that time.
  struct Due: Sendable {
    let deadline: StreamTime
    let ticket: Int64
  }

  struct Ending: Codable, Sendable {
    let deadline: StreamTime
    let ticket: Int64
    let completion: Completion
  }

  let interval: Interval
  let failures: Operator.Delay.Failures
  let finish: Operator.Delay.Finish
  let limit: Int
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard state.waiting.count < limit else {
      throw .beyondLimit(limit, "pending value", of: "delay", value: value)
    }
    let (deadline, ticket) = (effects.now + interval, effects.takeTicket())
    if state.waiting.isEmpty { effects.setTimer(0, at: deadline, ticket: ticket) }
    state.waiting.append(value, Due(deadline: deadline, ticket: ticket))
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    switch completion {
    case .failure where failures == .immediate:
      effects.complete(completion)
    case .finished where finish == .immediate:
      state.isFinished = true
      if state.waiting.isEmpty { effects.finish() }
    default:
      let ending = Ending(deadline: effects.now + interval, ticket: effects.takeTicket(), completion: completion)
      state.ending = ending
      if state.waiting.isEmpty { effects.setTimer(0, at: ending.deadline, ticket: ending.ticket) }
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) {
    guard let first = state.waiting.popFirst() else {
      if let ending = state.ending { effects.complete(ending.completion) }
      return
    }
    effects.publish(first)
    if let next = state.waiting.first {
      effects.setTimer(0, at: next.deadline, ticket: next.ticket)
    } else if let ending = state.ending {
      effects.setTimer(0, at: ending.deadline, ticket: ending.ticket)
    } else if state.isFinished {
      effects.finish()
    }
  }
}

extension DelayMachine.State {
  private enum CodingKeys: String, CodingKey {
    case waiting, ending, isFinished
  }

  private struct Late: Codable {
    let deadline: StreamTime
    let ticket: Int64
    let value: Value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for late in try container.decode([Late].self, forKey: .waiting) {
      waiting.append(late.value, DelayMachine.Due(deadline: late.deadline, ticket: late.ticket))
    }
    ending = try container.decodeIfPresent(DelayMachine.Ending.self, forKey: .ending)
    isFinished = try container.decode(Bool.self, forKey: .isFinished)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let late = waiting.all.map { Late(deadline: $0.tag.deadline, ticket: $0.tag.ticket, value: $0.value) }
    try container.encode(late, forKey: .waiting)
    try container.encodeIfPresent(ending, forKey: .ending)
    try container.encode(isFinished, forKey: .isFinished)
  }
}

extension Operator.Delay {
  private static let defaultFailures = Failures.delayed
  private static let defaultFinish = Finish.delayed
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "delay", "Publishes each value and the completion after a delay.",
    memory: .bounded("values that are pending", by: "limit"),
    fields: [
      .required("seconds", .seconds(0...31_536_000), "Length of the delay."),
      .optional(
        "failures", .choice(["delayed", "immediate"]),
        "Whether a failure is `delayed`, as in Combine, or `immediate`, which discards the pending values, as in "
          + "RxJS.",
        default: .of(defaultFailures)),
      .optional(
        "finish", .choice(["delayed", "immediate"]),
        "Whether a finish is `delayed`, as in Combine, or `immediate`: it then follows the last pending value at "
          + "once, as in RxJS.",
        default: .of(defaultFinish)),
      .optional(
        "limit", .count(1...1_000_000_000), "Maximum number of pending values. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .marbles("three milliseconds later", #"{"delay": {"seconds": 0.003}}"#, in: "-a-b|", out: "----a-b|"),
      .marbles("the finish of an empty stream is delayed", #"{"delay": {"seconds": 0.003}}"#, in: "|", out: "---|"),
      .marbles("a failure is delayed", #"{"delay": {"seconds": 0.003}}"#, in: "-a#", out: "----a#"),
      .marbles(
        "a failure at once", #"{"delay": {"seconds": 0.003, "failures": "immediate"}}"#, in: "-a#", out: "--#"),
      .marbles(
        "a finish with the last value", #"{"delay": {"seconds": 0.003, "finish": "immediate"}}"#, in: "-a-b|",
        out: "----a-(b|)"),
      .marbles(
        "the finish of an empty stream at once", #"{"delay": {"seconds": 0.003, "finish": "immediate"}}"#, in: "-|",
        out: "-|"),
      .rejects("a negative delay", #"{"delay": {"seconds": -1}}"#, .outOfRange, at: "/delay/seconds"),
      .rejects("a delay in quotes", #"{"delay": {"seconds": "1"}}"#, .wrongType, at: "/delay/seconds"),
      .rejects("no delay", #"{"delay": {}}"#, .missingField, at: "/delay"),
    ])
}
