internal import StreamCore
internal import StreamRuntime

/// One stream after the other: `append`, `prepend`, `catch`, `switchIfEmpty`, and the items of `stream`.
///
/// The next is subscribed to when the one before has ended as `handover` says, and asked for what has not been answered
/// yet. Any other end ends it all.
struct ConcatenateMachine: Machine {
  /// The end of a stream that the next one follows.
  enum Handover: Sendable {
    case finish
    /// The next stream is started for it, and sees the error.
    case failure
    /// Failures are forgotten, that of the last stream too.
    case anyEnd
    case finishWithoutValue
  }

  struct State: Codable, Sendable {
    /// How many streams have ended.
    var done = 0
    var demand = Demand.none
    var hasPublished = false
  }

  /// The ports, in the order in which they run.
  let order: [Int]
  let handover: Handover
  var state = State()

  init(order: [Int], after handover: Handover = .finish) {
    self.order = order
    self.handover = handover
  }

  func problem(with saved: State) -> String? {
    order.indices.contains(saved.done) ? nil : "is behind stream \(saved.done) of \(order.count)"
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
      effects.subscribe(to: next, on: next, capturing: [failure.description])
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
