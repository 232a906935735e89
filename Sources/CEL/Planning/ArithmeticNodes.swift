package import StreamCore

/// `+ - * / %` on two ints.
package final class IntArithmeticNode: NumberPairNode, @unchecked Sendable {
  package let operation: ArithmeticOperation

  init(_ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.operation = operation
    super.init(left, right, range)
  }

  package override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    let a = try left.int(activation)
    let b = try right.int(activation)
    do throws(EvaluationError) {
      return try operation.apply(a, b)
    } catch {
      throw error.located(at: range)
    }
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    Double(try evaluateInt(activation))
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .int(try evaluateInt(activation))
  }
}

/// `+ - * / %` on two doubles, or on numbers that are converted to doubles.
package final class DoubleArithmeticNode: NumberPairNode, @unchecked Sendable {
  package let operation: ArithmeticOperation

  init(_ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.operation = operation
    super.init(left, right, range)
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    let a = try left.double(activation)
    return operation.apply(a, try right.double(activation))
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .double(try evaluateDouble(activation))
  }
}

/// `+ - * / %` on operands of any type.
package final class AnyArithmeticNode: BinaryNode, @unchecked Sendable {
  package let operation: ArithmeticOperation
  package let numbers: Numbers
  /// Whether `*` and `/` take durations: not if the type checker expects a number as the result.
  let scalesDurations: Bool

  init(
    _ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ numbers: Numbers, scalesDurations: Bool,
    _ range: Range<Int>
  ) {
    self.operation = operation
    self.numbers = numbers
    self.scalesDurations = scalesDurations
    super.init(left, right, range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let a = try left.evaluate(activation)
    let b = try right.evaluate(activation)
    do throws(EvaluationError) {
      return try operation.apply(a, b, numbers, activation, scalesDurations: scalesDurations)
    } catch {
      throw error.located(at: range)
    }
  }
}

/// `-x`
package final class NegationNode: UnaryNode, @unchecked Sendable {
  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(activation)
    switch value {
    case .double(let number): return .double(-number)
    case .int(let number):
      if number == .min { throw EvaluationError(.overflow, "-(\(number)) does not fit into an int", range: range) }
      return .int(-number)
    default: throw EvaluationError.noOverload("-", value).located(at: range)
    }
  }
}
