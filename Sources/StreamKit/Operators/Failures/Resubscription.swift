internal import StreamCore
internal import StreamEngine

/// The machine of `retryWhen` and `repeatWhen`: sends the ends of upstream through operators, and subscribes to
/// upstream again for each value that they publish.
///
/// Port 0 is upstream, port 1 the stream of its ends.
struct ResubscriptionMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    var isRunning = true
    /// Whether the stream of ends has been started, and whether it has finished.
    var hasEnds = false
    var isEndsDone = false
    var barrenRuns = ResubscribeLoopGuard()
  }

  /// Whether failures are sent through the operators, or finishes.
  let hearsFailures: Bool
  var state = State()

  private static let ends = 1

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    if state.isRunning { effects.request(demand, from: 0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if port == 0 {
      _ = state.demand.takeOne()
      state.barrenRuns.end()
      effects.publish(value)
    } else {
      try state.barrenRuns.add(hearsFailures ? "retryWhen" : "repeatWhen", effects)
      if state.isRunning { effects.cancel(0) }
      state.isRunning = true
      effects.subscribe(to: 0)
      effects.request(state.demand, from: 0)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if port == Self.ends {
      state.isEndsDone = true
      if case .failure = completion { return effects.complete(completion) }
      // `repeatWhen` finishes with the current run; `retryWhen` has none.
      if hearsFailures || !state.isRunning { effects.finish() }
      return
    }
    state.isRunning = false
    let end: Value
    switch completion {
    case .failure(let failure) where hearsFailures: end = failure.errorValue
    case .finished where !hearsFailures: end = .null
    default: return effects.complete(completion)
    }
    if state.isEndsDone { return effects.finish() }
    if !state.hasEnds {
      state.hasEnds = true
      effects.subscribe(to: 1, on: Self.ends, capturing: [])
      effects.request(.unlimited, from: Self.ends)
    }
    effects.feed(end, to: Self.ends)
  }
}
