internal import CEL
internal import StreamCore

extension OperatorContext {
  /// Plans the accumulation of `scan` and `reduce`.
  ///
  /// The type of `acc` is the type of the initial value, or else of the values, if the expression has the same type;
  /// otherwise it is unknown.
  mutating func planAccumulation(
    _ expression: CELExpression, from initialValue: Value?
  ) throws(Diagnostics) -> PlannedExpression {
    let initialType = initialValue.map(CELType.of) ?? inputType
    if initialType.isScalar {
      let typed = try? plan(expression, field: "expression", over: valueVariables + [Variable("acc", initialType)])
      if let typed, typed.resultType == initialType { return typed }
    }
    return try plan(expression, field: "expression", over: valueVariables + [Variable("acc", .dyn)])
  }
}

extension CELType {
  /// Whether values of the type have no parts.
  var isScalar: Bool {
    switch self {
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    default: false
    }
  }
}
