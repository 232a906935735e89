internal import StreamCore
internal import StreamEngine

/// RxJS's `throttle`: publishes at the start of an interval, at its end, or both, without a scheduler.
struct EdgeThrottleMachine: UnpausedMachine {
  static let name = "throttle"

  struct State: UnpausedState {
    /// The value to publish at the end of the interval, if any.
    var waiting: Value?
    @Counted var waitingIndex: Int64 = 0
    /// The number of the next value.
    @Counted var index: Int64 = 0
    /// Whether an interval is running.
    var isThrottled = false
    var isUpstreamDone = false
    var demand = Demand.none
    var unrequested: UnrequestedValues?
  }

  let span: GatePeriod
  let isLeading: Bool
  let isTrailing: Bool
  let isLatest: Bool
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == GatePeriod.port {
      span.end(effects)
      return try endSpan(effects)
    }
    if !state.isThrottled || (isTrailing && (isLatest || state.waiting == nil)) {
      state.waiting = value
      state.waitingIndex = state.index
    }
    state.index += 1
    guard !state.isThrottled else { return }
    if isLeading { try publishWaiting(effects) } else { beginSpan(value, state.waitingIndex, effects) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == GatePeriod.port {
      state.isThrottled = false
      state.waiting = nil
      if state.isUpstreamDone { complete(.finished, effects) }
    } else {
      state.isUpstreamDone = true
      if state.waiting == nil || !state.isThrottled { complete(.finished, effects) }
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) { try endSpan(effects) }

  private mutating func endSpan(_ effects: Effects) throws(StreamFailure) {
    state.isThrottled = false
    if isTrailing { try publishWaiting(effects) }
    if state.isUpstreamDone { complete(.finished, effects) }
  }

  /// Publishes the waiting value, which starts another interval.
  private mutating func publishWaiting(_ effects: Effects) throws(StreamFailure) {
    guard let waiting = state.waiting else { return }
    state.waiting = nil
    try publish(waiting, effects)
    if !state.isUpstreamDone { beginSpan(waiting, state.waitingIndex, effects) }
  }

  private mutating func beginSpan(_ value: Value, _ index: Int64, _ effects: Effects) {
    state.isThrottled = true
    span.begin(for: value, index: index, effects)
  }
}
