package import StreamCore

/// A step of an evaluation: everything about it that can be decided beforehand is decided.
///
/// Subclasses hold only `let`s of Sendable types; that is what makes the class Sendable, which the compiler does not see
/// for a class with subclasses.
package class PlanNode: @unchecked Sendable {
  /// The expression's bytes that this is about.
  let range: Range<Int>

  init(_ range: Range<Int>) { self.range = range }

  /// The value. A subclass overrides this, or `evaluateBool` if its value is always a bool.
  package func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }

  /// The value of a node whose type is int, without a box.
  package func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    let value = try evaluate(activation)
    if case .int(let number) = value { return number }
    throw wrongType(value, "an int")
  }

  /// The value of a node whose type is double, or a number that is to be one.
  package func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    let value = try evaluate(activation)
    if case .double(let number) = value { return number }
    if let number = value.asDouble { return number }
    throw wrongType(value, "a number")
  }

  /// The value of a node that has to be a bool.
  package func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let value = try evaluate(activation)
    if case .bool(let flag) = value { return flag }
    throw wrongType(value, "a bool")
  }

  /// The value, if it is the same in every evaluation.
  package var constant: Value? { nil }

  final func wrongType(_ value: Value, _ wanted: String) -> EvaluationError {
    EvaluationError(.noSuchOverload, "found a value of type \(value.typeName), expected \(wanted)", range: range)
  }
}

/// A node with one operand.
package class UnaryNode: PlanNode, @unchecked Sendable {
  package let operand: PlanNode

  init(_ operand: PlanNode, _ range: Range<Int>) {
    self.operand = operand
    super.init(range)
  }
}

/// A node with two operands.
package class BinaryNode: PlanNode, @unchecked Sendable {
  package let left: PlanNode
  package let right: PlanNode

  init(_ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.left = left
    self.right = right
    super.init(range)
  }
}

/// A value that is written in the expression, or that was computed beforehand.
final class ConstantNode: PlanNode, @unchecked Sendable {
  let value: Value

  init(_ value: Value, _ range: Range<Int>) {
    self.value = value
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { value }
  override var constant: Value? { value }
}

/// An int that is written in the expression.
final class IntConstantNode: PlanNode, @unchecked Sendable {
  let value: Int64

  init(_ value: Int64, _ range: Range<Int>) {
    self.value = value
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { .int(value) }
  override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 { value }
  override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double { Double(value) }
  override var constant: Value? { .int(value) }
}

/// A double that is written in the expression.
final class DoubleConstantNode: PlanNode, @unchecked Sendable {
  let value: Double

  init(_ value: Double, _ range: Range<Int>) {
    self.value = value
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { .double(value) }
  override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double { value }
  override var constant: Value? { .double(value) }
}

/// What cannot be evaluated, known beforehand.
final class FailingNode: PlanNode, @unchecked Sendable {
  let error: EvaluationError

  init(_ error: EvaluationError) {
    self.error = error
    super.init(error.range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { throw error }
}
