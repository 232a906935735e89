internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// A `timeout` that publishes a value and continues. Values and the completion pass at once.
struct TimeoutNoticeMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    /// The values that upstream has been asked for and has not published. A notice takes demand of downstream, so they
    /// may be more than downstream still wants.
    var asked = Demand.none
    /// Values that wait for demand.
    var waiting: Deque<Value> = []
    /// The last value, if the notice depends on it.
    var last: Value?
    var hasBegun = false
    var hasValue = false
    /// Whether the clock waits for the next value, since it has timed out.
    var isSilent = false
    var isUpstreamDone = false
  }

  private static let clock = 0

  /// Longest time to the first value; nil for no limit.
  let first: Interval?
  /// Longest time between two values; nil for no limit.
  let each: Interval?
  /// The value to publish, without an expression.
  let value: Value
  let expression: PlannedExpression?
  let limit: Int
  var state = State()

  init(first: Interval?, each: Interval?, value: Value, expression: PlannedExpression?, limit: Int) {
    self.first = first
    self.each = each
    self.value = value
    self.expression = expression
    self.limit = limit
  }

  mutating func start(_ effects: Effects) {
    startClock(effects)
    effects.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    if !state.hasBegun, !state.hasValue, !state.isSilent, !state.isUpstreamDone { startClock(effects) }
    state.hasBegun = true
    state.demand += demand
    publishWaiting(effects)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    _ = state.asked.takeOne()
    state.hasValue = true
    state.isSilent = false
    if expression != nil { state.last = value }
    startClock(effects)
    try publish(value, effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    effects.cancelTimer(Self.clock)
    if case .finished = completion, !state.waiting.isEmpty {
      state.isUpstreamDone = true
    } else {
      effects.complete(completion)
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    state.isSilent = true
    guard let expression else { return try publish(value, effects) }
    let last = state.last ?? .null
    let notice = try effects.skippingFailure { () throws(StreamFailure) in try expression.evaluate(effects, last) }
    if let notice { try publish(notice, effects) }
  }

  mutating func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) {
    if skipped == .stream { receive(.finished, on: port, effects) } else { ask(effects) }
  }

  private func startClock(_ effects: Effects) {
    if let interval = state.hasValue ? each : first {
      effects.setTimer(Self.clock, at: effects.now + interval)
    } else {
      effects.cancelTimer(Self.clock)
    }
  }

  private mutating func publish(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    if state.waiting.isEmpty, state.demand.takeOne() { return effects.publish(value) }
    guard state.waiting.count < limit else {
      throw .beyondLimit(limit, "value", " waiting for demand", of: "timeout", value: value)
    }
    state.waiting.append(value)
  }

  private mutating func publishWaiting(_ effects: Effects) {
    while !state.waiting.isEmpty, state.demand.takeOne() { effects.publish(state.waiting.removeFirst()) }
    guard state.waiting.isEmpty else { return }
    if state.isUpstreamDone { effects.finish() } else { ask(effects) }
  }

  /// Asks upstream for as many values as downstream wants.
  private mutating func ask(_ effects: Effects) {
    guard !state.asked.isUnlimited, state.demand > state.asked else { return }
    let more = state.demand.isUnlimited ? Demand.unlimited : Demand(state.demand.count - state.asked.count)
    state.asked += more
    effects.request(more, from: 0)
  }
}
