internal import CEL
internal import StreamCore
internal import StreamEngine

/// A replacement value: the constant of the field `with`, or the result of the field `expression`.
enum Replacement: Sendable {
  case value(Value)
  case expression(PlannedExpression)

  /// - Throws: If the expression has errors.
  init(
    with value: Value?, expression: CELExpression?, over variables: [Variable], _ context: inout OperatorContext
  ) throws(Diagnostics) {
    if let expression {
      self = .expression(try context.plan(expression, field: "expression", over: variables))
    } else {
      self = .value(value ?? .null)
    }
    context.outputType = context.inputType.joined(with: type)
  }

  /// Returns the replacement. A failure of the expression names `value`.
  func make(_ effects: Effects, variables: [Value], value: Value?) throws(StreamFailure) -> Value {
    switch self {
    case .value(let value): value
    case .expression(let expression): try expression.evaluate(effects, variables: variables, value: value)
    }
  }

  private var type: CELType {
    switch self {
    case .value(let value): .of(value)
    case .expression(let expression): expression.resultType
    }
  }
}
