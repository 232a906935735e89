internal import StreamCore
internal import StreamRuntime

/// One stream after the other: `append`, `prepend`, and the items of `stream`.
///
/// The next is subscribed to when the one before has finished, and asked for what has not been answered yet. A failure
/// ends it all.
struct ConcatenateMachine: Machine {
  struct State: Codable, Sendable {
    /// How many streams have finished.
    var done = 0
    var demand = Demand.none
  }

  /// The ports, in the order in which they run.
  let order: [Int]
  var state = State()

  init(order: [Int]) { self.order = order }

  mutating func start(_ answers: Answers) { answers.subscribe(to: order[0]) }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    answers.request(demand, from: order[state.done])
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    _ = state.demand.takeOne()
    answers.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    guard case .finished = completion, state.done + 1 < order.count else { return answers.complete(completion) }
    state.done += 1
    answers.subscribe(to: order[state.done])
    answers.request(state.demand, from: order[state.done])
  }
}
