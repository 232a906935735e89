internal import StreamCore
internal import StreamEngine

/// Runs streams one after another: the machine of `append`, `prepend`, `catch`, `switchIfEmpty` and the items of
/// `stream`.
///
/// The next stream starts when the current one ends as `handover` requires, with the demand that is still unmet. Any
/// other end is passed downstream.
struct ConcatenateMachine: Machine {
  /// The kind of end that starts the next stream.
  enum Handover: Sendable {
    case finish
    /// The next stream is started with the error captured.
    case failure
    /// Failures are ignored, including a failure of the last stream.
    case anyEnd
    case finishWithoutValue
  }

  struct State: Codable, Sendable {
    /// Number of streams that have ended.
    var done = 0
    var demand = Demand.none
    var hasPublished = false
  }

  /// The ports in the order in which they run.
  let order: [Int]
  let handover: Handover
  var state = State()

  init(order: [Int], after handover: Handover = .finish) {
    self.order = order
    self.handover = handover
  }

  func problem(with saved: State) -> String? {
    order.indices.contains(saved.done) ? nil : "has finished \(saved.done) of \(order.count) streams"
  }

  mutating func start(_ effects: Effects) { effects.subscribe(to: order[0]) }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    effects.request(demand, from: order[state.done])
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) -> Forwarding {
    _ = state.demand.takeOne()
    state.hasPublished = true
    return .value
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    guard state.done + 1 < order.count, isFollowed(completion) else {
      return effects.complete(handover == .anyEnd ? .finished : completion)
    }
    state.done += 1
    let next = order[state.done]
    if handover == .failure, case .failure(let failure) = completion {
      effects.subscribe(to: next, on: next, capturing: [failure.errorValue])
    } else {
      effects.subscribe(to: next)
    }
    effects.request(state.demand, from: next)
  }

  private func isFollowed(_ completion: Completion) -> Bool {
    switch (handover, completion) {
    case (.anyEnd, _), (.finish, .finished), (.failure, .failure): true
    case (.finishWithoutValue, .finished): !state.hasPublished
    default: false
    }
  }
}
