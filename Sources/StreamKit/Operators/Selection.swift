internal import CEL
internal import StreamCore
internal import StreamRuntime

/// What an operator looks at in each value: what an expression gives, or the value as it is.
struct Selection: Sendable {
  let expression: PlannedExpression?
  /// What is known of its type.
  let type: CELType

  func select(_ value: Value, index: Int64, _ effects: Effects) throws(StreamFailure) -> Value {
    guard let expression else { return value }
    return try expression.evaluate(effects, value, index: index)
  }
}

extension OperatorContext {
  /// Plans a field that picks something out of each value; it sees `value` and `index`.
  mutating func planSelection(_ expression: CELExpression?, field: String) throws(Diagnostics) -> Selection {
    guard let expression else { return Selection(expression: nil, type: inputType) }
    let planned = try plan(expression, field: field, over: valueVariables)
    return Selection(expression: planned, type: planned.resultType)
  }

  /// The same, where an operator has no use for some types: those that it cannot have are refused before it runs.
  ///
  /// - Parameter expectation: the values that it takes, in the plural.
  mutating func planSelection(
    _ expression: CELExpression?, field: String, of expectation: String, where fits: KeyPath<CELType, Bool>
  ) throws(Diagnostics) -> Selection {
    let selection = try planSelection(expression, field: field)
    if selection.type[keyPath: fits] { return selection }
    guard let expression else {
      throw Diagnostics([
        Diagnostic(
          .typeMismatch, "the values are of type \(selection.type) here; '\(name)' takes \(expectation)",
          help: "say what to take of each value with '\(field)'")
      ])
    }
    throw Diagnostics([
      Diagnostic(
        .typeMismatch, "the expression gives \(selection.type); '\(name)' takes \(expectation)",
        at: JSONPointer([field]), part: .text(0..<expression.text.utf8.count))
    ])
  }
}

extension CELType {
  /// Whether a value of the type may be a number.
  var mayBeNumber: Bool {
    switch self {
    case .int, .uint, .double, .dyn, .undetermined, .parameter: true
    default: false
    }
  }

  /// Whether values of the type may have an order.
  var mayBeOrdered: Bool {
    switch self {
    case .string, .bool, .bytes, .timestamp, .duration: true
    default: mayBeNumber
    }
  }

  /// Whether a value of the type may be the key of a map.
  var mayBeKey: Bool {
    switch self {
    case .string, .bool, .int, .uint, .dyn, .undetermined, .parameter: true
    default: false
    }
  }
}
