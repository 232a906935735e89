import StreamCore

/// `operand.?field`. Null has no fields, so the result for it is an optional without a value.
final class OptionalSelectNode: UnaryNode, @unchecked Sendable {
  let field: String

  init(_ operand: PlanNode, _ field: String, _ range: Range<Int>) {
    self.field = field
    super.init(operand, range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(activation)
    switch value {
    case .map(let map): return .optional(map[field])
    case .null: return .optional(nil)
    default:
      guard let optional = value.optional else { throw value.noField(field, range) }
      switch optional.value {
      case nil: return value
      case .null?: return .optional(nil)
      case .map(let map)?: return .optional(map[field])
      case let inner?: throw inner.noField(field, range)
      }
    }
  }
}

/// `operand[?key]`. Null has no elements, so the result for it is an optional without a value.
final class OptionalIndexNode: BinaryNode, @unchecked Sendable {
  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try left.evaluate(activation)
    let key = try right.evaluate(activation)
    if case .null = value { return .optional(nil) }
    guard let optional = value.optional else { return .optional(try value.element(key, range, activation)) }
    guard let inner = optional.value else { return value }
    if case .null = inner { return .optional(nil) }
    return .optional(try inner.element(key, range, activation))
  }
}

extension Value {
  /// Returns the field of this optional's value, as an optional; throws if this is not an optional.
  func optionalField(_ field: String, _ range: Range<Int>) throws(EvaluationError) -> Value {
    guard let optional else { throw noField(field, range) }
    guard let inner = optional.value else { return self }
    guard case .map(let map) = inner else { throw inner.noField(field, range) }
    return .optional(map[field])
  }

  /// Returns the element of a list or map; nil if there is none. Throws if the value cannot have elements.
  func element(_ key: Value, _ range: Range<Int>, _ activation: Activation) throws(EvaluationError) -> Value? {
    switch self {
    case .list(let list):
      guard let index = key.exactInt else {
        throw EvaluationError(.noSuchOverload, "\(key.shortText) is not a list index", range: range)
      }
      return index >= 0 && index < list.count ? list[Int(index)] : nil
    case .map(let map):
      return try activation.value(of: key, in: map)
    default: throw EvaluationError.noOverload("[? ]", self, key).located(at: range)
    }
  }
}
