import StreamCore

/// A value that may be missing, the result of `optional.of(x)` and `optional.none()`.
final class OptionalValue: WrappingValue {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  var typeName: String { "optional_type" }
  var description: String {
    guard let value else { return "optional.none()" }
    return value.optional == nil ? "optional(\(value.shortText))" : "optional(…)"
  }

  var wrapped: Value? { value }

  /// Compares representations, as `Value`'s `==` does; `Value.isEqual` implements the `==` of expressions.
  func isEqual(to other: any OpaqueValue) -> Bool { other is OptionalValue && Value.opaque(self) == .opaque(other) }

  func hash(into hasher: inout Hasher) { Value.opaque(self).hash(into: &hasher) }
}

extension Value {
  /// Returns an optional with the value; without one if it is nil.
  static func optional(_ value: Value?) -> Value { .opaque(OptionalValue(value)) }

  /// The value as an optional; nil if it is of another type.
  var optional: OptionalValue? {
    if case .opaque(let value) = self { return value as? OptionalValue }
    return nil
  }

  /// Whether this is an optional with a value.
  var hasOptionalValue: Bool { optional?.value != nil }

  /// Whether this is the default value of its type: empty, zero or false.
  var isZero: Bool {
    switch self {
    case .null: true
    case .bool(let flag): !flag
    case .int(let number): number == 0
    case .uint(let number): number == 0
    case .double(let number): number == 0
    case .string(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let list): list.isEmpty
    case .map(let map): map.isEmpty
    case .timestamp(let time): time == Timestamp(seconds: 0)
    case .duration(let duration): duration == .zero
    case .opaque: optional.map { $0.value == nil } ?? false
    }
  }
}

extension FunctionCatalogue {
  private static let type = CELType.optional(.parameter("V"))

  static let optionals: [Function] = [
    Function(
      "optional.none", "An optional without a value", cost: .constant, [.function([], type)],
      .none { _ in
        .optional(nil)
      }),
    Function(
      "optional.of", "An optional with a value", cost: .constant, [.function([.parameter("V")], type)],
      .one { value, _ in
        .optional(value)
      }),
    Function(
      "optional.ofNonZeroValue", "An optional with the value, or without one if the value is empty, zero or false",
      cost: .constant, [.function([.parameter("V")], type)],
      .one { value, _ in .optional(value.isZero ? nil : value) }),
    Function(
      "optional.unwrap", "The values of the optionals, without the empty ones",
      [.function([.list(type)], .list(.parameter("V")))],
      .one { (list, activation) throws(EvaluationError) in try unwrapAll(list, "optional.unwrap", activation) }),
    Function(
      "unwrapOpt", "The values of the optionals, without the empty ones",
      [.method([.list(type)], .list(.parameter("V")))],
      .one { (list, activation) throws(EvaluationError) in try unwrapAll(list, "unwrapOpt", activation) }),
    Function(
      "hasValue", "Whether the optional has a value", cost: .constant, [.method([type], .bool)],
      .one { (value, _) throws(EvaluationError) in .bool(try unwrap(value, "hasValue").value != nil) }),
    Function(
      "value", "The optional's value; an error if it has none", form: .optionalValue, cost: .constant,
      [.method([type], .parameter("V"))],
      .one { (value, _) throws(EvaluationError) in
        guard let inner = try unwrap(value, "value").value else {
          throw EvaluationError(.noSuchKey, "the optional has no value")
        }
        return inner
      }),
    Function(
      "orValue", "The optional's value, or a default if it has none", form: .optionalDefault,
      cost: .constant, [.method([type, .parameter("V")], .parameter("V"))],
      .two { (value, other, _) throws(EvaluationError) in try unwrap(value, "orValue").value ?? other }),
    Function(
      "or", "The optional itself if it has a value, else the other optional", form: .optionalChoice, cost: .constant,
      [.method([type, type], type)],
      .two { (value, other, _) throws(EvaluationError) in
        try unwrap(value, "or").value == nil ? .opaque(unwrap(other, "or")) : value
      }),
  ]

  private static func unwrapAll(
    _ list: Value, _ function: String, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .list(let elements) = list else { throw .noOverload(function, list) }
    var result: [Value] = []
    for element in elements {
      if let value = try unwrap(element, function).value { result.append(value) }
    }
    return .list(result)
  }

  private static func unwrap(_ value: Value, _ function: String) throws(EvaluationError) -> OptionalValue {
    guard case .opaque(let opaque) = value, let optional = opaque as? OptionalValue else {
      throw .noOverload(function, value)
    }
    return optional
  }
}
