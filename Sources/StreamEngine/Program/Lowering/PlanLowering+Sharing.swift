import CEL
import StreamCore

extension PlanLowering {
  /// Returns the key of a part that runs as its plan: two parts with the same key give the same result; nil for parts
  /// without a key, such as loops.
  ///
  /// The key contains the length before each name, so that different parts have different keys.
  func key(_ node: PlanNode) -> SharingKey? {
    var key = SharingKey()
    return add(node, to: &key) ? key : nil
  }

  private func add(_ node: PlanNode, to key: inout SharingKey) -> Bool {
    if let constant = node.constant {
      guard let register = writer.sharedConstant(constant) else { return false }
      key.text += "k\(register) "
      return true
    }
    switch node {
    case let node as VariableNode:
      switch self[node.slot]?.location {
      case .scalar(let scalar, let slot)?: key.add("\(scalar)", register: slot)
      case .value(let register)?: key.add("v", register: register)
      case .constant(let value)?:
        guard let register = writer.sharedConstant(value) else { return false }
        key.text += "k\(register) "
      case nil: return false
      }
      return true
    case let node as FieldNode: return add(".", node.field, [node.operand], &key)
    case let node as HasNode: return add("has", node.field, [node.operand], &key)
    case let node as UnaryCallNode: return add("call", node.function, [node.argument], &key)
    case let node as BinaryCallNode: return add("call", node.function, [node.first, node.second], &key)
    case let node as CallNode: return add("call", node.function, node.arguments, &key)
    default: return addOperator(node, &key)
    }
  }

  private func addOperator(_ node: PlanNode, _ key: inout SharingKey) -> Bool {
    switch node {
    case let node as DoubleReadingNode: add("double", "", [node.source], &key)
    case let node as IntArithmeticNode: add("int", node.operation.sign, [node.left.node, node.right.node], &key)
    case let node as DoubleArithmeticNode: add("double", node.operation.sign, [node.left.node, node.right.node], &key)
    case let node as AnyArithmeticNode: add("\(node.numbers)", node.operation.sign, [node.left, node.right], &key)
    case let node as AnyComparisonNode: add("any", node.comparison.sign, [node.left, node.right], &key)
    case let node as IntComparisonNode: add("int", node.comparison.sign, [node.left.node, node.right.node], &key)
    case let node as DoubleComparisonNode: add("double", node.comparison.sign, [node.left.node, node.right.node], &key)
    case let node as EqualityNode: add("equal", node.isNegated ? "!" : "", [node.left, node.right], &key)
    case let node as IndexNode: add("index", "", [node.left, node.right], &key)
    case let node as ContainmentNode: add("in", "", [node.left, node.right], &key)
    case let node as NegationNode: add("-", "", [node.operand], &key)
    case let node as NotNode: add("!", "", [node.operand], &key)
    case let node as ConditionalNode: add("?", "", [node.condition, node.positive, node.negative], &key)
    case let node as LogicNode: add("logic", node.decisive ? "||" : "&&", [node.left, node.right], &key)
    default: false
    }
  }

  private func add(_ kind: String, _ name: String, _ parts: [PlanNode], _ key: inout SharingKey) -> Bool {
    key.text += "\(kind) \(name.utf8.count):\(name)(\(parts.count) "
    for part in parts where !add(part, to: &key) { return false }
    return true
  }
}

/// A key that identifies a part, and the registers that the part reads.
struct SharingKey {
  var text = ""
  var registers: Set<Int> = []

  mutating func add(_ kind: String, register: Int) {
    text += "\(kind)\(register) "
    registers.insert(register)
  }
}
