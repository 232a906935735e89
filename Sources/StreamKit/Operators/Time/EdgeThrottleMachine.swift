internal import StreamCore
internal import StreamRuntime

/// RxJS's `throttle`: publishes at the beginning of a span, at its end, or both; nothing comes through the scheduler.
struct EdgeThrottleMachine: Machine {
  struct State: Codable, Sendable {
    /// The value that came within the span, if it is to be published at its end.
    var waiting: Value?
    @Counted var waitingIndex: Int64 = 0
    /// The number of the next value.
    @Counted var index: Int64 = 0
    /// Whether a span lasts.
    var isThrottled = false
    var isUpstreamDone = false
    var demand = Demand.none
  }

  let span: Span
  let isLeading: Bool
  let isTrailing: Bool
  let isLatest: Bool
  var state = State()

  init(span: Span, isLeading: Bool, isTrailing: Bool, isLatest: Bool) {
    self.span = span
    self.isLeading = isLeading
    self.isTrailing = isTrailing
    self.isLatest = isLatest
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    answers.request(.unlimited, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if port == Span.port {
      span.end(answers)
      return endSpan(answers)
    }
    if !state.isThrottled || (isTrailing && (isLatest || state.waiting == nil)) {
      state.waiting = value
      state.waitingIndex = state.index
    }
    state.index += 1
    guard !state.isThrottled else { return }
    if isLeading { publishWaiting(answers) } else { beginSpan(value, state.waitingIndex, answers) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    if port == Span.port {
      state.isThrottled = false
      state.waiting = nil
      if state.isUpstreamDone { answers.finish() }
    } else {
      state.isUpstreamDone = true
      if state.waiting == nil || !state.isThrottled { answers.finish() }
    }
  }

  mutating func fire(_ timer: Int, _ answers: Answers) { endSpan(answers) }

  private mutating func endSpan(_ answers: Answers) {
    state.isThrottled = false
    if isTrailing { publishWaiting(answers) }
    if state.isUpstreamDone { answers.finish() }
  }

  /// Publishes the value that waits, with which another span begins.
  private mutating func publishWaiting(_ answers: Answers) {
    guard let waiting = state.waiting else { return }
    state.waiting = nil
    if state.demand.takeOne() { answers.publish(waiting) }
    if !state.isUpstreamDone { beginSpan(waiting, state.waitingIndex, answers) }
  }

  private mutating func beginSpan(_ value: Value, _ index: Int64, _ answers: Answers) {
    state.isThrottled = true
    span.begin(for: value, index: index, answers)
  }
}
