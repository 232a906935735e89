import StreamCore

/// `+ - * / %` on two ints.
final class IntArithmeticNode: PlanNode, @unchecked Sendable {
  let operation: ArithmeticOperation
  let left: NumberOperand
  let right: NumberOperand

  init(_ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.operation = operation
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    super.init(range)
  }

  override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    let a = try left.int(activation)
    let b = try right.int(activation)
    do throws(EvaluationError) {
      return try operation.apply(a, b)
    } catch {
      throw error.located(at: range)
    }
  }

  override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    Double(try evaluateInt(activation))
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .int(try evaluateInt(activation))
  }
}

/// `+ - * / %` on two doubles, or numbers that become doubles.
final class DoubleArithmeticNode: PlanNode, @unchecked Sendable {
  let operation: ArithmeticOperation
  let left: NumberOperand
  let right: NumberOperand

  init(_ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.operation = operation
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    super.init(range)
  }

  override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    let a = try left.double(activation)
    return operation.apply(a, try right.double(activation))
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .double(try evaluateDouble(activation))
  }
}

/// `+ - * / %` on whatever comes.
final class AnyArithmeticNode: PlanNode, @unchecked Sendable {
  let operation: ArithmeticOperation
  let left: PlanNode
  let right: PlanNode
  let numbers: Numbers

  init(
    _ operation: ArithmeticOperation, _ left: PlanNode, _ right: PlanNode, _ numbers: Numbers, _ range: Range<Int>
  ) {
    self.operation = operation
    self.left = left
    self.right = right
    self.numbers = numbers
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let a = try left.evaluate(activation)
    let b = try right.evaluate(activation)
    do throws(EvaluationError) {
      return try operation.apply(a, b, numbers, activation)
    } catch {
      throw error.located(at: range)
    }
  }
}

/// `-x`
final class NegationNode: PlanNode, @unchecked Sendable {
  let operand: PlanNode

  init(_ operand: PlanNode, _ range: Range<Int>) {
    self.operand = operand
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
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
