package import StreamCore

/// `&&` and `||`: one operand may decide the result alone; an error in the other is then ignored.
package final class LogicNode: BinaryNode, @unchecked Sendable {
  /// The value that decides: false for `&&`, true for `||`.
  package let decisive: Bool

  init(_ left: PlanNode, _ right: PlanNode, decisive: Bool, _ range: Range<Int>) {
    self.decisive = decisive
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    do throws(EvaluationError) {
      if try left.evaluateBool(activation) == decisive { return decisive }
    } catch {
      return try evaluateRight(activation, after: error)
    }
    return try right.evaluateBool(activation)
  }

  private func evaluateRight(_ activation: Activation, after error: EvaluationError) throws(EvaluationError) -> Bool {
    if error.code == .budgetExceeded { throw error }
    try activation.chargeError()
    let isDecisive: Bool
    do throws(EvaluationError) {
      isDecisive = try right.evaluateBool(activation) == decisive
    } catch let other {
      throw other.code == .budgetExceeded ? other : error
    }
    if isDecisive { return decisive }
    throw error
  }
}

/// `!x`
package final class NotNode: UnaryNode, @unchecked Sendable {
  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    !(try operand.evaluateBool(activation))
  }
}

/// Whether the operand is anything but false; true for errors too.
final class NotStrictlyFalseNode: UnaryNode, @unchecked Sendable {
  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    do throws(EvaluationError) {
      return try operand.evaluateBool(activation)
    } catch {
      if error.code == .budgetExceeded { throw error }
      try activation.chargeError()
      return true
    }
  }
}

/// `condition ? positive : negative`: only the chosen branch is evaluated.
package final class ConditionalNode: PlanNode, @unchecked Sendable {
  package let condition: PlanNode
  package let positive: PlanNode
  package let negative: PlanNode

  init(_ condition: PlanNode, _ positive: PlanNode, _ negative: PlanNode, _ range: Range<Int>) {
    self.condition = condition
    self.positive = positive
    self.negative = negative
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    try condition.evaluateBool(activation) ? positive.evaluate(activation) : negative.evaluate(activation)
  }

  package override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    try condition.evaluateBool(activation) ? positive.evaluateInt(activation) : negative.evaluateInt(activation)
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    try condition.evaluateBool(activation) ? positive.evaluateDouble(activation) : negative.evaluateDouble(activation)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    try condition.evaluateBool(activation) ? positive.evaluateBool(activation) : negative.evaluateBool(activation)
  }
}
