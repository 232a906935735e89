internal import CEL
internal import StreamCore
@_spi(Engine) internal import StreamEngine

extension SegmentBuilder {
  /// Returns the result of an expression for the current value.
  ///
  /// - Parameter others: An operand for each of its variables besides `value` and `index`.
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

  /// Returns the result of a built-in expression.
  mutating func evaluate(_ expression: OwnExpression, _ operands: [String: Operand]) -> Operand {
    evaluate(expression) { operands[$0] }
  }

  /// Counts the values for an operator with this expression.
  mutating func index(for expression: PlannedExpression?) -> SegmentIndex {
    let index = index(isRead: expression?.reads("index") == true)
    countSkipped(with: index)
    return index
  }

  /// Continues if an expression is true for the current value, and counts the value in either case.
  ///
  /// NB: A result that is not a bool fails before the value is counted.
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

extension OperatorContext {
  /// Plans a built-in expression.
  mutating func planOwn(_ text: String, over variables: [Variable]) -> OwnExpression {
    // Slots of captured variables are unchanged: other operators read them.
    let hidden = captured.map { Variable("", $0.type) }
    slotCount = max(slotCount, hidden.count + variables.count)
    guard let plan = try? CELExpression(text).plan(in: ExpressionEnvironment(variables: hidden + variables)) else {
      preconditionFailure("the built-in expression \(text) has no errors")
    }
    return OwnExpression(plan, firstSlot: hidden.count)
  }
}

/// A built-in expression, whose failure is not the user's error.
final class OwnExpression: SegmentExpression {
  let plan: Plan
  let firstSlot: Int

  init(_ plan: Plan, firstSlot: Int) {
    self.plan = plan
    self.firstSlot = firstSlot
  }

  func failure(_ reason: ProgramFailure.Reason, for value: Value) -> StreamFailure {
    StreamFailure(.expressionFailed, "'\(plan.expression.text)' failed", value: value)
  }
}
