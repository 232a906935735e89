internal import CEL
internal import StreamCore
internal import StreamRuntime

extension SegmentBuilder {
  /// What an expression gives for the value at hand.
  ///
  /// - Parameter others: an operand for each of its variables beside `value` and `index`.
  mutating func evaluate(
    _ expression: PlannedExpression, index: SegmentIndex? = nil, _ others: [String: Operand] = [:]
  ) -> Operand {
    let value = value
    return evaluate(expression) { name in
      switch name {
      case "value": value
      case "index": index?.cell
      default: others[name]
      }
    }
  }

  /// What an expression of ours gives, which cannot fail; nil if it has a mistake.
  mutating func evaluate(_ text: String, _ variables: [(name: String, type: CELType, operand: Operand)]) -> Operand? {
    let environment = Environment(variables: variables.map { Variable($0.name, $0.type) })
    guard let plan = try? CELExpression(text).plan(in: environment) else { return nil }
    return evaluate(OwnExpression(plan, firstSlot: 0)) { name in variables.first { $0.name == name }?.operand }
  }

  /// Counts the values for an operator with this expression.
  mutating func index(for expression: PlannedExpression?) -> SegmentIndex {
    index(isRead: expression?.reads("index") == true)
  }

  /// Goes on where an expression is true for the value at hand, and counts it either way.
  ///
  /// NB: what is neither true nor false fails before it is counted.
  mutating func require(_ expression: PlannedExpression, _ index: SegmentIndex, else other: ProgramLabel) {
    let holds = evaluate(expression, index: index)
    guard index.isOwn else { return branch(unless: holds, to: other) }
    let (fails, goesOn) = (label(), label())
    branch(unless: holds, to: fails)
    advance(index)
    jump(to: goesOn)
    place(fails)
    advance(index)
    jump(to: other)
    place(goesOn)
  }
}

/// An expression of ours: nobody's mistake if it fails.
private final class OwnExpression: SegmentExpression, @unchecked Sendable {
  override func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure {
    StreamFailure(.expressionFailed, "'\(plan.expression.text)' failed", value: value)
  }
}
