internal import StreamCore
internal import StreamRuntime

/// Adds numbers up and publishes what comes of it when the stream finishes: `sum` and `average`.
struct TotalMachine: Machine {
  struct State: Codable, Sendable {
    var total = NumberTotal()
    /// The index of the next value.
    var index: Int64 = 0
    var result = PendingResult()
  }

  let number: Selection
  let owner: String
  /// Whether the mean is published, in place of the sum.
  let isMean: Bool
  var state = State()

  init(of number: Selection, owner: String, isMean: Bool) {
    self.number = number
    self.owner = owner
    self.isMean = isMean
  }

  mutating func start(_ answers: Answers) { answers.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    try state.total.add(number.select(value, index: state.index, answers), owner: owner, for: value)
    state.index += 1
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    let result = isMean ? state.total.mean.map(Value.double) : state.total.sum
    state.result.end(completion, with: result, answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.result.request(demand, answers) }
}
