internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// Port 0 is the upstream, port 1 the stream that goes on when the time is over.
struct TimeoutMachine: Machine {
  /// What happens when the time is over.
  enum Outcome: Sendable {
    case finish
    case failure(Value)
    /// The other stream is subscribed to.
    case other
  }

  struct State: Codable, Sendable {
    var lookAhead: LookAhead
    /// What is to come out in this moment.
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

  /// How long the first value may take; nil for any time.
  let first: Interval?
  /// How long may pass between two values; nil for any time.
  let each: Interval?
  let outcome: Outcome
  var state: State

  init(first: Interval?, each: Interval?, outcome: Outcome, limit: Int) {
    self.first = first
    self.each = each
    self.outcome = outcome
    state = State(lookAhead: LookAhead(limit: limit))
  }

  mutating func start(_ answers: Answers) {
    startClock(answers)
    answers.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    if state.hasSwitched { return answers.request(demand, from: 1) }
    if !state.hasBegun, !state.hasValue, !state.isUpstreamDone { startClock(answers) }
    state.hasBegun = true
    state.lookAhead.request(demand, answers)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    guard port == 0 else { return answers.publish(value) }
    state.hasValue = true
    startClock(answers)
    add(Due(ticket: answers.takeTicket(), value: value), answers)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    guard port == 0 else { return answers.complete(completion) }
    state.isUpstreamDone = true
    answers.cancelTimer(Self.clock)
    add(Due(ticket: answers.takeTicket(), completion: completion), answers)
  }

  mutating func fire(_ timer: Int, _ answers: Answers) throws(StreamFailure) {
    if timer == Self.clock { try end(answers) } else { deliver(answers) }
  }

  private func startClock(_ answers: Answers) {
    if let interval = state.hasValue ? each : first {
      answers.setTimer(Self.clock, at: answers.now + interval)
    } else {
      answers.cancelTimer(Self.clock)
    }
  }

  private mutating func add(_ due: Due, _ answers: Answers) {
    if state.due.isEmpty { answers.setTimer(Self.delivery, at: answers.now, ticket: due.ticket) }
    state.due.append(due)
  }

  private mutating func deliver(_ answers: Answers) {
    guard let due = state.due.popFirst() else { return }
    if let next = state.due.first { answers.setTimer(Self.delivery, at: answers.now, ticket: next.ticket) }
    if let completion = due.completion { return answers.complete(completion) }
    answers.publish(due.value)
    state.lookAhead.release(answers)
  }

  /// The time is over.
  private mutating func end(_ answers: Answers) throws(StreamFailure) {
    switch outcome {
    case .finish: answers.finish()
    case .failure(let error): throw StreamFailure(payload: error)
    case .other:
      state.hasSwitched = true
      answers.cancel(0)
      answers.subscribe(to: 1)
      answers.request(state.lookAhead.unanswered, from: 1)
    }
  }
}
