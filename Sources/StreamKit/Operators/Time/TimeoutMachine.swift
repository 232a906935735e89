internal import CEL
internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Port 0 is upstream, port 1 the stream that continues after a timeout.
struct TimeoutMachine: LoweredMachine {
  /// The effect of a timeout.
  enum Outcome: Sendable {
    case finish
    case failure(Value)
    /// Subscribes to the other stream.
    case other
  }

  struct State: Codable, Sendable {
    var lookAhead: LookAhead
    /// The events to deliver at this instant.
    var due: Deque<Due> = []
    var hasBegun = false
    var hasValue = false
    var isUpstreamDone = false
    var hasSwitched = false
  }

  struct Due: Codable, Sendable {
    let ticket: Int64
    var value = Value.null
    var completion: Completion?
  }

  private static let clock = 0
  private static let delivery = 1

  /// Longest time to the first value; nil for no limit.
  let first: Interval?
  /// Longest time between two values; nil for no limit.
  let each: Interval?
  let outcome: Outcome
  var state: State

  init(first: Interval?, each: Interval?, outcome: Outcome, limit: Int) {
    self.first = first
    self.each = each
    self.outcome = outcome
    state = State(lookAhead: LookAhead(limit: limit))
  }

  /// Entry 1 ends the stream after a timeout, entry 2 publishes a value.
  var lowering: Lowering<State>? {
    let limit = state.lookAhead.limit
    let isSwitching = if case .other = outcome { true } else { false }
    let error: Value? = if case .failure(let error) = outcome { error } else { nil }
    let clock = RowClock(first: first, each: each, limit: limit)
    let lowering = TimedLowering<State>(clock: clock, error: error) { state, due in
      var state = state
      state.due = Deque(
        due.map { Due(ticket: $0.ticket, value: $0.value ?? .null, completion: $0.value == nil ? .finished : nil) })
      state.isUpstreamDone = state.due.last?.completion != nil
      return state
    } fitsRow: { state in
      state.due.isEmpty && state.hasBegun && !state.isUpstreamDone && !state.hasSwitched && state.lookAhead.isFull
    } steps: { other in
      guard (other != nil) == isSwitching else { return nil }
      return Steps { segment in
        let (delivered, hasValue) = (segment.cell(for: .dyn), segment.cell(.bool(false), .bool))
        segment.store(segment.value, in: delivered)
        segment.store(segment.constant(.bool(true)), in: hasValue)
        segment.wait(delivering: delivered)
        segment.beginEntry()
        let continuation = segment.label()
        if let other {
          segment.compute(other)
          segment.store(segment.value, in: delivered)
          segment.endWithValue(unless: segment.constant(.bool(false)))
          segment.jump(to: continuation)
        } else {
          segment.jump(to: segment.stop())
        }
        segment.beginEntry()
        segment.place(continuation)
        segment.value = delivered
        segment.keep { cells in
          var state = State(lookAhead: .full(limit: limit), hasBegun: true)
          state.hasValue = cells[hasValue] == .bool(true)
          return state
        } loading: { state, cells in
          cells[hasValue] = .bool(state.hasValue)
        }
      }
    }
    return .timed(lowering)
  }

  mutating func start(_ effects: Effects) {
    startClock(effects)
    effects.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    if state.hasSwitched { return effects.request(demand, from: 1) }
    if !state.hasBegun, !state.hasValue, !state.isUpstreamDone { startClock(effects) }
    state.hasBegun = true
    state.lookAhead.request(demand, effects)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    guard port == 0 else { return effects.publish(value) }
    state.hasValue = true
    startClock(effects)
    add(Due(ticket: effects.takeTicket(), value: value), effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    guard port == 0 else { return effects.complete(completion) }
    state.isUpstreamDone = true
    effects.cancelTimer(Self.clock)
    add(Due(ticket: effects.takeTicket(), completion: completion), effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    if timer == Self.clock { try end(effects) } else { deliver(effects) }
  }

  private func startClock(_ effects: Effects) {
    if let interval = state.hasValue ? each : first {
      effects.setTimer(Self.clock, at: effects.now + interval)
    } else {
      effects.cancelTimer(Self.clock)
    }
  }

  private mutating func add(_ due: Due, _ effects: Effects) {
    if state.due.isEmpty { effects.setTimer(Self.delivery, at: effects.now, ticket: due.ticket) }
    state.due.append(due)
  }

  private mutating func deliver(_ effects: Effects) {
    guard let due = state.due.popFirst() else { return }
    if let next = state.due.first { effects.setTimer(Self.delivery, at: effects.now, ticket: next.ticket) }
    if let completion = due.completion { return effects.complete(completion) }
    effects.publish(due.value)
    state.lookAhead.release(effects)
  }

  /// Handles a timeout.
  private mutating func end(_ effects: Effects) throws(StreamFailure) {
    switch outcome {
    case .finish: effects.finish()
    case .failure(let error): throw StreamFailure(payload: error)
    case .other:
      state.hasSwitched = true
      effects.cancel(0)
      effects.subscribe(to: 1)
      effects.request(state.lookAhead.unanswered, from: 1)
    }
  }
}
