import CEL
import StreamCore

extension PlanLowering {
  mutating func comparison(_ node: IntComparisonNode) -> Part? {
    comparison(node.comparison, scalar(node.left.node, .int), scalar(node.right.node, .int), .int)
  }

  mutating func comparison(_ node: DoubleComparisonNode) -> Part? {
    comparison(node.comparison, scalar(node.left.node, .double), scalar(node.right.node, .double), .double)
  }

  mutating func comparison(_ node: AnyComparisonNode) -> Part? {
    guard let left = part(node.left), let right = part(node.right), let wanted = common(left, right) else { return nil }
    return comparison(node.comparison, scalar(left, wanted), scalar(right, wanted), wanted)
  }

  mutating func equality(_ node: IntEqualityNode) -> Part? {
    equality(scalar(node.left.node, .int), scalar(node.right.node, .int), .int, isNegated: node.isNegated)
  }

  mutating func equality(_ node: EqualityNode) -> Part? {
    guard let left = part(node.left), let right = part(node.right) else { return nil }
    return equality(left, right, isNegated: node.isNegated)
  }

  /// Returns CEL's equality of two parts of any types; nil if the plan has to compare them.
  func equality(_ left: Part, _ right: Part, isNegated: Bool) -> Part? {
    if let wanted = common(left, right), wanted != .double || areEqualAsDoubles(left, right) {
      return equality(scalar(left, wanted), scalar(right, wanted), wanted, isNegated: isNegated)
    }
    if let a = left.scalar, let b = right.scalar {
      // The plan compares numbers of two types; other scalars that differ in type are never equal.
      return a.isNumber && b.isNumber ? nil : .constant(.bool(isNegated))
    }
    // The plan compares lists and maps, and charges the cost.
    guard left.isPlain || right.isPlain else { return nil }
    let opcode = isNegated ? Opcode.unequalValue : .equalValue
    return .scalar(.bool, writer.compute(opcode, value(left), value(right)))
  }

  /// Whether equality as doubles is exact for two numbers: beyond 2^53 several integers round to one double.
  private func areEqualAsDoubles(_ left: Part, _ right: Part) -> Bool {
    left.scalar == right.scalar
      || [left, right].contains { ($0.constant?.asDouble?.magnitude).map { $0 < 0x1p53 } == true }
  }

  /// Returns the scalar type for ordering two parts: an int and a double compare as doubles; nil if there is none.
  private func common(_ left: Part, _ right: Part) -> Scalar? {
    guard let a = left.scalar, let b = right.scalar else { return nil }
    if a == b { return a }
    guard a.isNumber, b.isNumber, a == .double || b == .double else { return nil }
    return .double
  }

  private func comparison(_ comparison: Comparison, _ left: Part, _ right: Part, _ scalar: Scalar) -> Part {
    if let a = left.constant, let b = right.constant { return constant(comparison, a, b) }
    // A constant becomes the right operand.
    if left.constant != nil { return self.comparison(comparison.mirrored, right, left, scalar) }
    let bits = right.bits
    switch scalar {
    case .double:
      if let bits { return truth(comparison.withDouble, slot(left), 0, bits) }
      return ordered(comparison, slot(left), slot(right), .lessDouble, .lessOrEqualDouble)
    case .uint: return ordered(comparison, slot(left), slot(right), .lessUInt, .lessOrEqualUInt)
    case .int, .bool:
      if let bits { return truth(comparison.withInt, slot(left), 0, bits) }
      return ordered(comparison, slot(left), slot(right), .lessInt, .lessOrEqualInt)
    }
  }

  private func constant(_ comparison: Comparison, _ a: Value, _ b: Value) -> Part {
    do throws(EvaluationError) {
      return .constant(.bool(try comparison.apply(a, b, Activation(slotCount: 0))))
    } catch {
      return failing(.bool)
    }
  }

  private func ordered(_ comparison: Comparison, _ a: Int, _ b: Int, _ less: Opcode, _ lessOrEqual: Opcode) -> Part {
    switch comparison {
    case .less: truth(less, a, b)
    case .lessOrEqual: truth(lessOrEqual, a, b)
    case .greater: truth(less, b, a)
    case .greaterOrEqual: truth(lessOrEqual, b, a)
    }
  }

  private func equality(_ left: Part, _ right: Part, _ scalar: Scalar, isNegated: Bool) -> Part {
    if let a = left.constant, let b = right.constant { return .constant(.bool(a.isEqual(to: b) != isNegated)) }
    if left.constant != nil { return equality(right, left, scalar, isNegated: isNegated) }
    if scalar == .double {
      if let bits = right.bits { return truth(isNegated ? .unequalDoubleK : .equalDoubleK, slot(left), 0, bits) }
      return truth(isNegated ? .unequalDouble : .equalDouble, slot(left), slot(right))
    }
    if let bits = right.bits { return truth(isNegated ? .unequalIntK : .equalIntK, slot(left), 0, bits) }
    return truth(isNegated ? .unequalInt : .equalInt, slot(left), slot(right))
  }

  private func truth(_ opcode: Opcode, _ b: Int, _ c: Int, _ immediate: Int64 = 0) -> Part {
    .scalar(.bool, writer.compute(opcode, b, c, immediate))
  }
}

extension Comparison {
  /// The equivalent comparison with swapped operands.
  fileprivate var mirrored: Comparison {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  fileprivate var withInt: Opcode {
    switch self {
    case .less: .lessIntK
    case .lessOrEqual: .lessOrEqualIntK
    case .greater: .greaterIntK
    case .greaterOrEqual: .greaterOrEqualIntK
    }
  }

  fileprivate var withDouble: Opcode {
    switch self {
    case .less: .lessDoubleK
    case .lessOrEqual: .lessOrEqualDoubleK
    case .greater: .greaterDoubleK
    case .greaterOrEqual: .greaterOrEqualDoubleK
    }
  }
}
