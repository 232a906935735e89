internal import StreamCore
internal import StreamRuntime

/// RxJS's `throttle`: publishes at the start of an interval, at its end, or both, without a scheduler.
struct EdgeThrottleMachine: DroppingMachine {
  struct State: DemandState {
    /// The value to publish at the end of the interval, if any.
    var waiting: Value?
    @Counted var waitingIndex: Int64 = 0
    /// The number of the next value.
    @Counted var index: Int64 = 0
    /// Whether an interval is running.
    var isThrottled = false
    var isUpstreamDone = false
    var demand = Demand.none
  }

  let span: GatePeriod
  let isLeading: Bool
  let isTrailing: Bool
  let isLatest: Bool
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == GatePeriod.port {
      span.end(effects)
      return endSpan(effects)
    }
    if !state.isThrottled || (isTrailing && (isLatest || state.waiting == nil)) {
      state.waiting = value
      state.waitingIndex = state.index
    }
    state.index += 1
    guard !state.isThrottled else { return }
    if isLeading { publishWaiting(effects) } else { beginSpan(value, state.waitingIndex, effects) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == GatePeriod.port {
      state.isThrottled = false
      state.waiting = nil
      if state.isUpstreamDone { effects.finish() }
    } else {
      state.isUpstreamDone = true
      if state.waiting == nil || !state.isThrottled { effects.finish() }
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { endSpan(effects) }

  private mutating func endSpan(_ effects: Effects) {
    state.isThrottled = false
    if isTrailing { publishWaiting(effects) }
    if state.isUpstreamDone { effects.finish() }
  }

  /// Publishes the waiting value, which starts another interval.
  private mutating func publishWaiting(_ effects: Effects) {
    guard let waiting = state.waiting else { return }
    state.waiting = nil
    if state.demand.takeOne() { effects.publish(waiting) }
    if !state.isUpstreamDone { beginSpan(waiting, state.waitingIndex, effects) }
  }

  private mutating func beginSpan(_ value: Value, _ index: Int64, _ effects: Effects) {
    state.isThrottled = true
    span.begin(for: value, index: index, effects)
  }
}
