internal import CEL
internal import StreamCore
internal import StreamRuntime

/// A question put to each value.
struct Predicate: Sendable {
  private enum Question: Sendable {
    /// The answer is always yes.
    case none
    /// An expression that is true or false.
    case expression(PlannedExpression)
    /// Whether it equals this.
    case equality(Value)
  }

  private let question: Question

  /// The question whose answer is always yes.
  init() { question = .none }

  init(_ expression: PlannedExpression) { question = .expression(expression) }

  /// Whether a value is this one.
  init(wanted value: Value) { question = .equality(value) }

  /// Whether every answer is yes.
  var isTrivial: Bool {
    if case .none = question { true } else { false }
  }

  /// The expression that is asked, if it is one.
  var expression: PlannedExpression? { if case .expression(let expression) = question { expression } else { nil } }

  /// What values are compared with, if they are.
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
  /// Plans the question of the field `expression`, which sees `value` and `index`. Without it every answer is yes.
  mutating func planPredicate(_ expression: CELExpression?) throws(Diagnostics) -> Predicate {
    guard let expression else { return Predicate() }
    return Predicate(try plan(expression, field: "expression", over: valueVariables, result: .bool))
  }
}
