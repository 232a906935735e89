import CEL
import StreamCore

/// Turns a plan into instructions on unboxed slots, as far as types and operators allow; the rest runs as its plan.
///
/// The instructions have to give what the plan gives **or leave**: whoever leaves evaluates the whole expression as its
/// plan does, so errors, and what `&&` and `||` make of them, need no care here. What an expression has evaluated before
/// it leaves is evaluated again; it has no effects.
struct Lowering {
  let writer: CodeWriter
  /// What the slots of the plan's variables hold, as far as they are known.
  private var variables: VariableParts
  /// The elements of variables that are lists, by slot.
  let elements: [Int: [Part]]
  private var depth = 0
  /// How many instructions there may be before the rest runs as its plan.
  private let limit: Int

  /// What is nested deeper than this many operators runs as its plan: reading it would need a deep stack.
  private static let maximumDepth = 64

  /// Registers are numbered with 16 bits. A part that is given up takes some too, so there is room to spare.
  private static let maximumRegisters = 30_000

  init(
    writer: CodeWriter, variables: VariableParts = VariableParts(), elements: [Int: [Part]] = [:], limit: Int = .max
  ) {
    self.writer = writer
    self.variables = variables
    self.elements = elements
    self.limit = limit
  }

  /// What the slot of a variable holds.
  subscript(slot: Int) -> Part? {
    get { variables[slot] }
    set { variables[slot] = newValue }
  }

  /// The node's result; nil for what runs as its plan.
  mutating func part(_ node: PlanNode) -> Part? {
    guard depth < Self.maximumDepth, writer.code.count < limit, writer.registerCount < Self.maximumRegisters else {
      return nil
    }
    if let constant = node.constant { return .constant(constant) }
    depth += 1
    defer { depth -= 1 }
    let mark = writer.mark
    let part = written(node)
    if part == nil { writer.rewind(to: mark) }
    return part
  }

  private mutating func written(_ node: PlanNode) -> Part? {
    switch node {
    case let node as VariableNode: return self[node.slot]
    case let node as DoubleReadingNode: return doubleReading(node)
    case let node as IntArithmeticNode: return arithmetic(node)
    case let node as DoubleArithmeticNode: return arithmetic(node)
    case let node as AnyArithmeticNode: return arithmetic(node)
    case let node as NegationNode: return negation(node)
    case let node as IntComparisonNode: return comparison(node)
    case let node as DoubleComparisonNode: return comparison(node)
    case let node as AnyComparisonNode: return comparison(node)
    case let node as IntEqualityNode: return equality(node)
    case let node as EqualityNode: return equality(node)
    case let node as NotNode: return negated(scalar(node.operand, .bool))
    case let node as LogicNode: return logic(node)
    case let node as ConditionalNode: return conditional(node, as: nil)
    case let node as FieldNode: return field(node, as: nil)
    case let node as IndexNode: return element(node)
    case let node as HasNode: return presence(node)
    case let node as BindingNode: return binding(node)
    case let node as RecordNode: return record(node)
    case let node as UnaryCallNode: return call(node)
    default: return nil
    }
  }

  /// An element of a list whose elements are at hand, at a place that is known.
  private func element(_ node: IndexNode) -> Part? {
    guard let list = node.left as? VariableNode, let parts = elements[list.slot],
      let place = node.right.constant?.exactInt, place >= 0, place < parts.count
    else { return nil }
    return parts[Int(place)]
  }

  /// The node's result, whatever it is.
  mutating func any(_ node: PlanNode) -> Part {
    part(node) ?? Part(.value(callValue(node)))
  }

  /// The node's result as this scalar; an int becomes a double where that is wanted. What is none leaves.
  mutating func scalar(_ node: PlanNode, _ wanted: Scalar) -> Part {
    if depth < Self.maximumDepth, writer.code.count < limit, let node = node as? ConditionalNode {
      depth += 1
      defer { depth -= 1 }
      return conditional(node, as: wanted)
    }
    let mark = writer.mark
    if let node = node as? FieldNode {
      if let part = field(node, as: wanted) { return part }
      writer.rewind(to: mark)
      return call(node, wanted)
    }
    return part(node).map { scalar($0, wanted) } ?? call(node, wanted)
  }

  func scalar(_ part: Part, _ wanted: Scalar) -> Part {
    if part.scalar == wanted { return part }
    switch part.location {
    case .constant(let value):
      if wanted == .double, let number = value.asDouble { return .constant(.double(number)) }
    case .scalar(.int, let slot) where wanted == .double: return .scalar(.double, writer.compute(.intToDouble, slot))
    case .scalar(.uint, let slot) where wanted == .double: return .scalar(.double, writer.compute(.uintToDouble, slot))
    case .value(let register):
      return .scalar(wanted, writer.compute(wanted == .double ? .unboxNumber : wanted.unboxing, register))
    case .scalar: break
    }
    return failing(wanted)
  }

  /// What never has a result.
  func failing(_ scalar: Scalar) -> Part {
    writer.write(Instruction(.leave))
    return .scalar(scalar, writer.constantSlot(0))
  }

  /// The slot of a scalar.
  func slot(_ part: Part) -> Int {
    switch part.location {
    case .constant(let value): writer.constantSlot(value.scalarBits ?? 0)
    case .scalar(_, let slot): slot
    case .value(let register): writer.compute(.unboxInt, register)
    }
  }

  /// The boxed register of a part; a scalar is put into a box.
  func value(_ part: Part) -> Int {
    switch part.location {
    case .constant(let value): writer.constant(value)
    case .value(let register): register
    case .scalar(let scalar, let slot): writer.computeValue(.box, slot, Int64(scalar.rawValue))
    }
  }

  // MARK: Parts that run as their plan

  private func callValue(_ node: PlanNode) -> Int { writer.call(.callValue, node, key(node)) }

  private func call(_ node: PlanNode, _ wanted: Scalar) -> Part {
    let opcode: Opcode
    switch wanted {
    case .int: opcode = .callInt
    case .double: opcode = .callDouble
    case .bool: opcode = .callBool
    case .uint: return .scalar(.uint, writer.compute(.unboxUInt, callValue(node)))
    }
    return .scalar(wanted, writer.call(opcode, node, key(node)))
  }
}

/// What the slots of a plan's variables hold, as far as it is known. One, as most expressions have, takes no memory of its
/// own.
struct VariableParts {
  private var slot = -1
  private var part: Part?
  private var others: [Int: Part] = [:]

  subscript(slot: Int) -> Part? {
    get { slot == self.slot ? part : others.isEmpty ? nil : others[slot] }
    set {
      if self.slot < 0 { self.slot = slot }
      if slot == self.slot { part = newValue } else { others[slot] = newValue }
    }
  }
}
