import StreamCore

/// `< <= > >=` on two ints.
final class IntComparisonNode: PlanNode, @unchecked Sendable {
  let comparison: Comparison
  let left: NumberOperand
  let right: NumberOperand

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    super.init(range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.int(activation)
    return comparison.apply(a, try right.int(activation))
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }
}

/// `< <= > >=` on two numbers of which one is a double.
final class DoubleComparisonNode: PlanNode, @unchecked Sendable {
  let comparison: Comparison
  let left: NumberOperand
  let right: NumberOperand

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    super.init(range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.double(activation)
    return comparison.apply(a, try right.double(activation))
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }
}

/// `< <= > >=` on whatever comes.
final class AnyComparisonNode: PlanNode, @unchecked Sendable {
  let comparison: Comparison
  let left: PlanNode
  let right: PlanNode

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    self.left = left
    self.right = right
    super.init(range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.evaluate(activation)
    let b = try right.evaluate(activation)
    do throws(EvaluationError) {
      return try comparison.apply(a, b, activation)
    } catch {
      throw error.located(at: range)
    }
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }
}

/// `==` and `!=`
final class EqualityNode: PlanNode, @unchecked Sendable {
  let left: PlanNode
  let right: PlanNode
  let isNegated: Bool

  init(_ left: PlanNode, _ right: PlanNode, isNegated: Bool, _ range: Range<Int>) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
    super.init(range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.evaluate(activation)
    return try a.isEqual(to: try right.evaluate(activation), activation) != isNegated
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }
}

/// `==` and `!=` on two ints.
final class IntEqualityNode: PlanNode, @unchecked Sendable {
  let left: NumberOperand
  let right: NumberOperand
  let isNegated: Bool

  init(_ left: PlanNode, _ right: PlanNode, isNegated: Bool, _ range: Range<Int>) {
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    self.isNegated = isNegated
    super.init(range)
  }

  override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.int(activation)
    return (a == (try right.int(activation))) != isNegated
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }
}
