import CEL
import StreamCore

/// Lowers a plan to instructions on unboxed slots, as far as types and operators allow; the rest runs as its plan.
///
/// The instructions must give the result of the plan **or take the side exit**, which evaluates the whole expression as
/// its plan. Therefore errors, and their handling in `&&` and `||`, need no care here. Parts of an expression evaluated
/// before the side exit are evaluated again; they have no side effects.
struct PlanLowering {
  let writer: CodeWriter
  /// The known contents of the slots of the plan's variables.
  private var variables: VariableParts
  /// The elements of variables that are lists, by slot.
  let elements: [Int: [Part]]
  private var depth = 0
  /// The maximum number of instructions in the writer; beyond it, the rest runs as its plan.
  private let limit: Int

  /// The maximum nesting depth of operators; deeper parts run as their plan, since lowering them needs a deep stack.
  private static let maximumDepth = 64

  /// The maximum number of registers. Register numbers have 16 bits; the reserve is for abandoned parts, which also
  /// allocate registers.
  private static let maximumRegisters = 30_000

  init(
    writer: CodeWriter, variables: VariableParts = VariableParts(), elements: [Int: [Part]] = [:], limit: Int = .max
  ) {
    self.writer = writer
    self.variables = variables
    self.elements = elements
    self.limit = limit
  }

  /// The content of a variable's slot; nil if it is not known.
  subscript(slot: Int) -> Part? {
    get { variables[slot] }
    set { variables[slot] = newValue }
  }

  /// Returns the node's result; nil if the node runs as its plan.
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

  /// Returns an element at a constant index of a list whose elements are operands; nil for other nodes.
  private func element(_ node: IndexNode) -> Part? {
    guard let list = node.left as? VariableNode, let parts = elements[list.slot],
      let place = node.right.constant?.exactInt, place >= 0, place < parts.count
    else { return nil }
    return parts[Int(place)]
  }

  /// Returns the node's result, of any type.
  mutating func any(_ node: PlanNode) -> Part {
    part(node) ?? Part(.value(callValue(node)))
  }

  /// Returns the node's result as this scalar; an int or uint becomes a wanted double. Other values take the side exit.
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

  /// Writes a side exit instead of a computation that never has a result.
  func failing(_ scalar: Scalar) -> Part {
    writer.write(Instruction(.leave))
    return .scalar(scalar, writer.constantSlot(0))
  }

  /// Returns the slot of a scalar.
  func slot(_ part: Part) -> Int {
    switch part.location {
    case .constant(let value): writer.constantSlot(value.scalarBits ?? 0)
    case .scalar(_, let slot): slot
    case .value(let register): writer.compute(.unboxInt, register)
    }
  }

  /// Returns the boxed register of a part; boxes a scalar.
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

/// The known contents of the slots of a plan's variables. A single variable, as in most expressions, needs no
/// allocation of its own.
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
