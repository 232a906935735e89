@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// Wraps each value, and a final failure, in an object with one member: the machine of `toResult` and `toLoadingState`.
struct OutcomeMachine: Machine {
  /// The shapes of an object with a value and of an object with an error.
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
    state.close(with: .map(ValueMap(shape: errorKey, slots: [failure.errorValue])), effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.request(demand, effects) }
}
