internal import StreamCore
internal import StreamRuntime

/// Wraps each value, and a failure at the end, in objects of one member: `toResult`, `toLoadingState`.
struct OutcomeMachine: Machine {
  /// The member that holds a value, and the one that holds an error.
  let valueKey: Shape
  let errorKey: Shape
  var state = TrailingValue()

  init(value: String, error: String) {
    valueKey = Shape(names: [value])
    errorKey = Shape(names: [error])
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state.publish(.map(ValueMap(shape: valueKey, slots: [value])), effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    guard case .failure(let failure) = completion else { return effects.finish() }
    state.close(with: .map(ValueMap(shape: errorKey, slots: [failure.description])), effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.request(demand, effects) }
}
