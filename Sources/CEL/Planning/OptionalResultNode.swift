@_spi(Engine) import StreamCore

/// A result that becomes a value of a stream: an optional in it becomes its value, or null.
final class OptionalResultNode: UnaryNode, @unchecked Sendable {
  /// Whether the result may be a list or a map with optionals in it.
  private let isDeep: Bool

  init(_ operand: PlanNode, isDeep: Bool) {
    self.isDeep = isDeep
    super.init(operand, operand.range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(activation)
    if !isDeep {
      guard let optional = value.optional else { return value }
      return optional.value ?? .null
    }
    return try DeepStack.run(levelsOf: value) { () throws(EvaluationError) in
      try value.unwrapped(activation) ?? value
    }
  }
}

extension Value {
  /// Returns the value with the values of the optionals in it; nil if there are none.
  fileprivate func unwrapped(_ activation: Activation) throws(EvaluationError) -> Value? {
    switch self {
    case .list(let elements):
      var result: [Value]?
      for (place, element) in elements.enumerated() {
        try activation.charge(1)
        guard let inner = try element.unwrapped(activation) else { continue }
        result = result ?? elements.elements
        result?[place] = inner
      }
      return result.map(Value.list)
    case .map(let map):
      var slots: [Value]?
      for (place, slot) in map.slots.enumerated() {
        try activation.charge(1)
        guard let inner = try slot.unwrapped(activation) else { continue }
        slots = slots ?? Array(map.slots)
        slots?[place] = inner
      }
      return slots.map { .map(ValueMap(shape: map.shape, slots: $0)) }
    case .opaque(let content as OptionalValue):
      guard let value = content.value else { return .null }
      return try value.unwrapped(activation) ?? value
    default: return nil
    }
  }
}
