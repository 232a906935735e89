internal import CEL
internal import StreamCore
internal import StreamRuntime

/// A condition on values.
struct Predicate: Sendable {
  private enum Question: Sendable {
    /// Always true.
    case none
    /// A Boolean expression.
    case expression(PlannedExpression)
    /// Equality with a value.
    case equality(Value)
  }

  private let question: Question

  /// A condition that is always true.
  init() { question = .none }

  init(_ expression: PlannedExpression) { question = .expression(expression) }

  /// A condition that is true for values equal to this one.
  init(wanted value: Value) { question = .equality(value) }

  /// Whether the condition is always true.
  var isTrivial: Bool {
    if case .none = question { true } else { false }
  }

  /// The expression; nil for other conditions.
  var expression: PlannedExpression? { if case .expression(let expression) = question { expression } else { nil } }

  /// The value to compare with; nil for other conditions.
  var wanted: Value? { if case .equality(let value) = question { value } else { nil } }

  func holds(_ value: Value, index: Int64, _ effects: Effects) throws(StreamFailure) -> Bool {
    switch question {
    case .none: true
    case .expression(let expression):
      try expression.truth(of: expression.evaluate(effects, value, index: index), for: value)
    case .equality(let wanted): value.isEqual(to: wanted)
    }
  }
}

extension OperatorContext {
  /// Plans the condition of the field `expression`, with the variables `value` and `index`. Without the field it is
  /// always true.
  mutating func planPredicate(_ expression: CELExpression?) throws(Diagnostics) -> Predicate {
    guard let expression else { return Predicate() }
    return Predicate(try plan(expression, field: "expression", over: valueVariables, result: .bool))
  }
}
