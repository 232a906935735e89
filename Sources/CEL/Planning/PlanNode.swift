package import StreamCore

/// A node of a plan: every decision that does not depend on the activation is made during planning.
///
/// Subclasses hold only `let` properties of Sendable types, which makes the class Sendable; the compiler cannot infer
/// this for a class with subclasses.
package class PlanNode: @unchecked Sendable {
  /// The byte range of the node within the expression.
  let range: Range<Int>

  init(_ range: Range<Int>) { self.range = range }

  /// Returns the value. A subclass overrides this, or `evaluateBool` if its value is always a bool.
  package func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .bool(try evaluateBool(activation))
  }

  /// Returns the unboxed value of a node of type int.
  package func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    let value = try evaluate(activation)
    if case .int(let number) = value { return number }
    throw wrongType(value, "an int")
  }

  /// Returns the unboxed value of a node of type double, or of another number converted to a double.
  package func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    let value = try evaluate(activation)
    if case .double(let number) = value { return number }
    if let number = value.asDouble { return number }
    throw wrongType(value, "a number")
  }

  /// Returns the value of a node that must be a bool.
  package func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let value = try evaluate(activation)
    if case .bool(let flag) = value { return flag }
    throw wrongType(value, "a bool")
  }

  /// The value if it is the same in every evaluation; nil otherwise.
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

/// A literal, or a value computed during planning.
final class ConstantNode: PlanNode, @unchecked Sendable {
  let value: Value

  init(_ value: Value, _ range: Range<Int>) {
    self.value = value
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { value }
  override var constant: Value? { value }
}

/// A constant int.
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

/// A constant double.
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

/// An expression that is known at planning time to fail.
final class FailingNode: PlanNode, @unchecked Sendable {
  let error: EvaluationError

  init(_ error: EvaluationError) {
    self.error = error
    super.init(error.range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { throw error }
}
