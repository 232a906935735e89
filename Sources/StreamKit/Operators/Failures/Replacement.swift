internal import CEL
internal import StreamCore
internal import StreamRuntime

/// What an operator publishes in place of something: a value as it stands in `with`, or what `expression` gives.
enum Replacement: Sendable {
  case value(Value)
  case expression(PlannedExpression)

  /// - Throws: errors of the expression.
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

  /// The value; `variables` are those of the expression, `value` is what its failure names.
  func make(_ effects: Effects, variables: [Value], value: Value) throws(StreamFailure) -> Value {
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
