internal import CEL
internal import StreamCore
internal import StreamEngine

extension OperatorContext {
  /// Plans the condition of the field `expression`, with the variables `value` and `index`.
  mutating func planCondition(_ expression: CELExpression) throws(Diagnostics) -> PlannedExpression {
    try plan(expression, field: "expression", over: valueVariables, result: .bool)
  }

  /// Plans the condition of an optional field; nil if the field is absent: then every value satisfies the condition.
  mutating func planCondition(_ expression: CELExpression?) throws(Diagnostics) -> PlannedExpression? {
    guard let expression else { return nil }
    return try planCondition(expression) as PlannedExpression
  }
}

extension PlannedExpression {
  /// Whether a value satisfies the condition.
  func holds(_ value: Value, index: Int64, _ effects: Effects) throws(StreamFailure) -> Bool {
    try truth(of: evaluate(effects, value, index: index), for: value)
  }
}
