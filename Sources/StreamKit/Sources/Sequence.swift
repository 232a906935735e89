internal import StreamCore
internal import StreamRuntime

/// Values at hand, published as they are asked for: the items of `stream`, and `just`.
struct SequenceMachine: Machine {
  struct State: Codable, Sendable {
    var next = 0
    var demand = Demand.none
    var isRunning = false
  }

  private let values: [Value]
  var state = State()

  init(_ values: [Value]) { self.values = values }

  mutating func start(_ answers: Answers) {
    if values.isEmpty { answers.finish() }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    if !state.isRunning { publishNext(answers) }
  }

  mutating func resume(_ answers: Answers) { publishNext(answers) }

  private mutating func publishNext(_ answers: Answers) {
    guard state.next < values.count, state.demand.takeOne() else {
      state.isRunning = false
      return
    }
    answers.publish(values[state.next])
    state.next += 1
    state.isRunning = state.next < values.count
    if state.isRunning { answers.resume() } else { answers.finish() }
  }
}
