import StreamCore

/// A node with two operands on unboxed numbers.
package class NumberPairNode: PlanNode, @unchecked Sendable {
  package let left: NumberOperand
  package let right: NumberOperand

  init(_ left: PlanNode, _ right: PlanNode, _ range: Range<Int>) {
    self.left = NumberOperand(left)
    self.right = NumberOperand(right)
    super.init(range)
  }
}

/// An operand of a node on unboxed numbers. A plain variable or a constant is read without a call.
package struct NumberOperand: Sendable {
  package let node: PlanNode
  /// The slot if the operand is a variable; -1 otherwise.
  private let slot: Int
  private let isConstant: Bool
  private let int: Int64
  private let double: Double

  init(_ operand: PlanNode) {
    // The operand is read as a double here anyway; a prior conversion is redundant.
    let node = (operand as? DoubleReadingNode)?.source ?? operand
    self.node = node
    slot = (node as? VariableNode)?.slot ?? -1
    switch node {
    case let node as IntConstantNode: (isConstant, int, double) = (true, node.value, Double(node.value))
    case let node as DoubleConstantNode: (isConstant, int, double) = (true, 0, node.value)
    default: (isConstant, int, double) = (false, 0, 0)
    }
  }

  /// Returns the value of an operand of type int.
  @inline(__always)
  func int(_ activation: Activation) throws(EvaluationError) -> Int64 {
    if isConstant { return int }
    if slot >= 0, case .int(let number) = activation.slots[slot] { return number }
    return try node.evaluateInt(activation)
  }

  /// Returns the value of a numeric operand as a double.
  @inline(__always)
  func double(_ activation: Activation) throws(EvaluationError) -> Double {
    if isConstant { return double }
    if slot >= 0, case .double(let number) = activation.slots[slot] { return number }
    return try node.evaluateDouble(activation)
  }
}
