internal import CEL
internal import StreamCore
internal import StreamEngine

/// The part of each value that an operator uses: the result of an expression, or the value itself.
struct Selection: Sendable {
  let expression: PlannedExpression?
  /// The type of the result, as far as it is known.
  let type: CELType

  func select(_ value: Value, index: Int64, _ effects: Effects) throws(StreamFailure) -> Value {
    guard let expression else { return value }
    return try expression.evaluate(effects, value, index: index)
  }
}

extension OperatorContext {
  /// Plans a field with an expression over `value` and `index`.
  mutating func planSelection(_ expression: CELExpression?, field: String) throws(Diagnostics) -> Selection {
    guard let expression else { return Selection(expression: nil, type: inputType) }
    let planned = try plan(expression, field: field, over: valueVariables)
    return Selection(expression: planned, type: planned.resultType)
  }

  /// Plans a field with an expression over `value` and `index` whose result must have a certain type. Other types are
  /// refused before the stream runs.
  ///
  /// - Parameter expectation: The accepted values, in the plural.
  mutating func planSelection(
    _ expression: CELExpression?, field: String, of expectation: String, where fits: KeyPath<CELType, Bool>
  ) throws(Diagnostics) -> Selection {
    let selection = try planSelection(expression, field: field)
    if selection.type[keyPath: fits] { return selection }
    guard let expression else {
      throw Diagnostics(
        .typeMismatch, "the values are of type \(selection.type) here; '\(name)' needs \(expectation)",
        help: "compute them from each value with '\(field)'")
    }
    throw Diagnostics(
      .typeMismatch, "the expression returns \(selection.type); '\(name)' needs \(expectation)",
      at: JSONPointer([field]), part: .text(0..<expression.text.utf8.count))
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

  /// Whether values of the type may be ordered.
  var mayBeOrdered: Bool {
    switch self {
    case .string, .bool, .bytes, .timestamp, .duration: true
    case .list(let element): element.mayBeOrdered
    default: mayBeNumber
    }
  }

  /// Whether a value of the type may be a map key.
  var mayBeKey: Bool {
    switch self {
    case .string, .bool, .int, .uint, .dyn, .undetermined, .parameter: true
    default: false
    }
  }
}
