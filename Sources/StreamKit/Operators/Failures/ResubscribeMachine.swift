internal import StreamCore
internal import StreamEngine

/// Subscribes to upstream again when it ends: `retry` after a failure, `repeat` after a finish.
///
/// Each run gets the demand that is still unmet. Port 0 is upstream, port 1 the stream that starts the next run.
struct ResubscribeMachine: Machine {
  /// The kind of end that starts another run.
  enum Trigger: Sendable {
    case failure, finish
  }

  /// The pause before another run.
  enum Pause: Sendable {
    case none
    case time(Backoff)
    /// Until the stream publishes. Its expressions see the failure and the number of runs. If it ends without a value,
    /// the whole stream ends.
    case stream
  }

  struct State: Codable, Sendable {
    var demand = Demand.none
    /// Number of finished runs, since the last value if `resetsOnValue`.
    @Counted var attempt: Int64 = 0
    var random: RandomSequence
    var barrenRuns = ResubscribeLoopGuard()
  }

  let name: String
  let trigger: Trigger
  /// Maximum number of runs after the first; nil for no limit.
  let count: Int?
  /// Returns whether another run follows a failure.
  let condition: PlannedExpression?
  let pause: Pause
  let resetsOnValue: Bool
  var state: State

  init(
    _ name: String, after trigger: Trigger, count: Int?, condition: PlannedExpression? = nil, pause: Pause,
    seed: Int = 0, resetsOnValue: Bool = false
  ) {
    self.name = name
    self.trigger = trigger
    self.count = count
    self.condition = condition
    self.pause = pause
    self.resetsOnValue = resetsOnValue
    state = State(random: RandomSequence(seed: seed))
  }

  mutating func start(_ effects: Effects) {
    if let count, count < 0 { effects.finish() } else { effects.subscribe(to: 0) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    effects.request(demand, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port == 1 {
      effects.cancel(1)
      return resubscribe(effects)
    }
    _ = state.demand.takeOne()
    state.barrenRuns.end()
    if resetsOnValue { state.attempt = 0 }
    effects.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard port == 0, try isFollowed(completion, effects) else { return effects.complete(completion) }
    state.attempt += 1
    switch pause {
    case .none: resubscribe(effects)
    case .time(let backoff):
      effects.setTimer(0, at: effects.now + backoff.interval(before: state.attempt, &state.random))
    case .stream:
      let attempt = Value.int(state.attempt)
      let captured: [Value] =
        if case .failure(let failure) = completion { [failure.errorValue, attempt] } else { [attempt] }
      effects.subscribe(to: 1, on: 1, capturing: captured)
      effects.request(Demand(1), from: 1)
    }
  }

  mutating func fire(_ timer: Int, _ effects: Effects) { resubscribe(effects) }

  private mutating func resubscribe(_ effects: Effects) {
    effects.subscribe(to: 0)
    effects.request(state.demand, from: 0)
  }

  private mutating func isFollowed(_ completion: Completion, _ effects: Effects) throws(StreamFailure) -> Bool {
    if let count, state.attempt >= count { return false }
    switch (trigger, completion) {
    case (.finish, .finished): break
    case (.failure, .failure(let failure)):
      guard let condition else { break }
      let error = failure.errorValue
      let variables = [error, .int(state.attempt + 1)]
      let answer = try condition.evaluate(effects, variables: variables, value: error)
      guard try condition.truth(of: answer, for: error) else { return false }
    default: return false
    }
    try state.barrenRuns.add(name, effects)
    return true
  }
}
