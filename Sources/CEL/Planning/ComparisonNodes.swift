import StreamCore

/// `< <= > >=` on two ints.
package final class IntComparisonNode: NumberPairNode, @unchecked Sendable {
  package let comparison: Comparison

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.int(activation)
    return comparison.apply(a, try right.int(activation))
  }
}

/// `< <= > >=` on two numbers, at least one of them a double.
package final class DoubleComparisonNode: NumberPairNode, @unchecked Sendable {
  package let comparison: Comparison

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.double(activation)
    return comparison.apply(a, try right.double(activation))
  }
}

/// `< <= > >=` on operands of any type.
package final class AnyComparisonNode: BinaryNode, @unchecked Sendable {
  package let comparison: Comparison

  init(_ comparison: Comparison, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.comparison = comparison
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.evaluate(activation)
    let b = try right.evaluate(activation)
    do throws(EvaluationError) {
      return try comparison.apply(a, b, activation)
    } catch {
      throw error.located(at: range)
    }
  }
}

/// `==` and `!=`
package final class EqualityNode: BinaryNode, @unchecked Sendable {
  package let isNegated: Bool

  init(_ left: PlanNode, _ right: PlanNode, isNegated: Bool, _ range: Range<Int>) {
    self.isNegated = isNegated
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.evaluate(activation)
    return try a.isEqual(to: try right.evaluate(activation), activation) != isNegated
  }
}

/// `==` and `!=` on two ints.
package final class IntEqualityNode: NumberPairNode, @unchecked Sendable {
  package let isNegated: Bool

  init(_ left: PlanNode, _ right: PlanNode, isNegated: Bool, _ range: Range<Int>) {
    self.isNegated = isNegated
    super.init(left, right, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let a = try left.int(activation)
    return (a == (try right.int(activation))) != isNegated
  }
}
