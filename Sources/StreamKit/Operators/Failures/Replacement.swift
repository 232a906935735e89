internal import CEL
internal import StreamCore
internal import StreamRuntime

/// What an operator publishes in place of something: a value as it stands in `with`, or what `expression` gives.
enum Replacement: Sendable {
  case value(Value)
  case expression(PlannedExpression)

  /// - Throws: errors of the expression.
  init(
    with value: Value?, expression: Expression?, over variables: [Variable], _ context: inout OperatorContext
  ) throws(Diagnostics) {
    if let expression {
      self = .expression(try context.plan(expression, field: "expression", over: variables))
    } else {
      self = .value(value ?? .null)
    }
    context.outputType = context.inputType.joined(with: type)
  }

  /// Refuses fields that say nothing, or two things.
  static func check(with value: Value?, expression: Expression?, in name: String) throws(Diagnostic) {
    switch (value, expression) {
    case (nil, nil):
      throw Diagnostic(.missingField, "'\(name)' needs 'with' or 'expression'")
    case (.some, .some):
      throw Diagnostic(
        .conflictingFields, "'\(name)' has 'with' or 'expression', not both", at: JSONPointer(["expression"]),
        part: .key)
    default: break
    }
  }

  /// The value; `variables` are those of the expression, `value` is what its failure names.
  func make(_ answers: Answers, variables: [Value], value: Value) throws(StreamFailure) -> Value {
    switch self {
    case .value(let value): value
    case .expression(let expression): try expression.evaluate(answers, variables: variables, value: value)
    }
  }

  private var type: CELType {
    switch self {
    case .value(let value): .of(value)
    case .expression(let expression): expression.resultType
    }
  }
}
