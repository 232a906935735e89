internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// The values of an operator that publishes them when upstream has finished: handed on as they are asked for.
struct PendingValues: Codable, Sendable {
  var values: Deque<Value> = []
  private var demand = Demand.none
  private var isFinal = false

  /// Upstream has ended: publishes what is asked for, and finishes with the last value; or fails without them.
  mutating func end(_ completion: Completion, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    isFinal = true
    drain(answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    self.demand += demand
    if isFinal { drain(answers) }
  }

  private mutating func drain(_ answers: Answers) {
    while let first = values.first, demand.takeOne() {
      values.removeFirst()
      answers.publish(first)
    }
    if values.isEmpty { answers.finish() }
  }
}
