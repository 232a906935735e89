import StreamCore

/// A value that may be missing, as `optional.of(x)` and `optional.none()` make it.
final class OptionalValue: OpaqueValue {
  let value: Value?

  init(_ value: Value?) { self.value = value }

  var typeName: String { "optional_type" }
  var description: String { value.map { "optional(\($0.shortText))" } ?? "optional.none()" }

  func isEqual(to other: any OpaqueValue) -> Bool {
    guard let other = other as? OptionalValue else { return false }
    switch (value, other.value) {
    case (nil, nil): return true
    case (let a?, let b?): return a.isEqual(to: b)
    default: return false
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value == nil) }
}

extension FunctionCatalogue {
  private static let type = CELType.optional(.parameter("V"))

  static let optionals: [Function] = [
    Function(
      "optional.none", "An optional without a value", [.function([], type)],
      .none { _ in
        .opaque(OptionalValue(nil))
      }),
    Function(
      "optional.of", "An optional with a value", [.function([.parameter("V")], type)],
      .one { value, _ in
        .opaque(OptionalValue(value))
      }),
    Function(
      "hasValue", "Whether the optional has a value", [.method([type], .bool)],
      .one { (value, _) throws(EvaluationError) in .bool(try unwrap(value, "hasValue").value != nil) }),
    Function(
      "value", "The optional's value; an error when it has none", [.method([type], .parameter("V"))],
      .one { (value, _) throws(EvaluationError) in
        guard let inner = try unwrap(value, "value").value else {
          throw EvaluationError(.noSuchKey, "the optional has no value")
        }
        return inner
      }),
    Function(
      "orValue", "The optional's value, or the other one when it has none",
      [.method([type, .parameter("V")], .parameter("V"))],
      .two { (value, other, _) throws(EvaluationError) in try unwrap(value, "orValue").value ?? other }),
    Function(
      "or", "The first optional if it has a value, else the second", [.method([type, type], type)],
      .two { (value, other, _) throws(EvaluationError) in
        try unwrap(value, "or").value == nil ? .opaque(unwrap(other, "or")) : value
      }),
  ]

  private static func unwrap(_ value: Value, _ function: String) throws(EvaluationError) -> OptionalValue {
    guard case .opaque(let opaque) = value, let optional = opaque as? OptionalValue else {
      throw .noOverload(function, value)
    }
    return optional
  }
}
