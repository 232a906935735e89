internal import StreamCore
internal import StreamRuntime

/// Wraps each value, and a failure at the end, in objects of one member: `toResult`, `toLoadingState`.
struct OutcomeMachine: Machine {
  /// The member that holds a value, and the one that holds an error.
  let valueKey: Shape
  let errorKey: Shape
  var state = ClosingValue()

  init(value: String, error: String) {
    valueKey = Shape(names: [value])
    errorKey = Shape(names: [error])
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    state.publish(.map(ValueMap(shape: valueKey, slots: [value])), answers)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    guard case .failure(let failure) = completion else { return answers.finish() }
    state.close(with: .map(ValueMap(shape: errorKey, slots: [failure.description])), answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.request(demand, answers) }
}
