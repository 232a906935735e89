import CEL
import StreamCore

extension PlanLowering {
  mutating func arithmetic(_ node: IntArithmeticNode) -> Part? {
    arithmetic(node.operation, scalar(node.left.node, .int), scalar(node.right.node, .int), .int)
  }

  mutating func arithmetic(_ node: DoubleArithmeticNode) -> Part? {
    arithmetic(node.operation, scalar(node.left.node, .double), scalar(node.right.node, .double), .double)
  }

  /// Lowers arithmetic on operands that have no type in the plan; the types of their parts decide.
  mutating func arithmetic(_ node: AnyArithmeticNode) -> Part? {
    guard let left = part(node.left), let right = part(node.right),
      let wanted = arithmeticScalar(node.operation, left, right, node.numbers)
    else { return nil }
    return arithmetic(node.operation, scalar(left, wanted), scalar(right, wanted), wanted)
  }

  private func arithmeticScalar(
    _ operation: ArithmeticOperation, _ left: Part, _ right: Part, _ numbers: Numbers
  ) -> Scalar? {
    // The other operand of a double must be a number.
    if numbers == .mixed, left.isDouble && right.isBoxed || left.isBoxed && right.isDouble { return .double }
    guard let a = left.scalar, let b = right.scalar, a.isNumber, b.isNumber else { return nil }
    if numbers == .strict && operation == .remainder && a == .double { return nil }
    if a == b { return a }
    return numbers == .mixed ? .double : nil
  }

  private func arithmetic(_ operation: ArithmeticOperation, _ left: Part, _ right: Part, _ scalar: Scalar) -> Part {
    if let a = left.constant, let b = right.constant {
      do throws(EvaluationError) {
        return .constant(try operation.apply(a, b, .mixed, Activation(slotCount: 0)))
      } catch {
        return failing(scalar)
      }
    }
    return .scalar(
      scalar, withConstant(operation, left, right, scalar) ?? plain(operation, slot(left), slot(right), scalar))
  }

  private func plain(_ operation: ArithmeticOperation, _ left: Int, _ right: Int, _ scalar: Scalar) -> Int {
    let opcode: Opcode =
      switch (operation, scalar) {
      case (.add, .uint): .addUInt
      case (.subtract, .uint): .subtractUInt
      case (.multiply, .uint): .multiplyUInt
      case (.divide, .uint): .divideUInt
      case (.remainder, .uint): .remainderUInt
      case (.add, .double): .addDouble
      case (.subtract, .double): .subtractDouble
      case (.multiply, .double): .multiplyDouble
      case (.divide, .double): .divideDouble
      case (.remainder, .double): .remainderDouble
      case (.add, _): .addInt
      case (.subtract, _): .subtractInt
      case (.multiply, _): .multiplyInt
      case (.divide, _): .divideInt
      case (.remainder, _): .remainderInt
      }
    return writer.compute(opcode, left, right)
  }

  /// Returns the result slot of an instruction with an immediate operand; nil if there is no such instruction.
  private func withConstant(_ operation: ArithmeticOperation, _ left: Part, _ right: Part, _ scalar: Scalar) -> Int? {
    if left.constant != nil {
      // Commutative operations have their constant on the right.
      guard operation == .add || operation == .multiply else { return nil }
      return withConstant(operation, right, left, scalar)
    }
    switch (right.constant, operation) {
    case (.int(let number), .add): return writer.compute(.addIntK, slot(left), 0, number)
    case (.int(let number), .subtract) where number != .min:
      return writer.compute(.addIntK, slot(left), 0, -number)
    case (.int(let number), .multiply): return writer.compute(.multiplyIntK, slot(left), 0, number)
    case (.int(let number), .divide) where Reciprocal(of: number) != nil:
      return writer.compute(.divideIntK, slot(left), 0, number)
    case (.int(let number), .remainder) where Reciprocal(of: number) != nil:
      return writer.compute(.remainderIntK, slot(left), 0, number)
    case (.double(let number), .add): return writer.compute(.addDoubleK, slot(left), 0, number.bits)
    case (.double(let number), .subtract): return writer.compute(.addDoubleK, slot(left), 0, (-number).bits)
    case (.double(let number), .multiply): return writer.compute(.multiplyDoubleK, slot(left), 0, number.bits)
    case (.double(let number), .divide): return writer.compute(.divideDoubleK, slot(left), 0, number.bits)
    default: return nil
    }
  }

  mutating func negation(_ node: NegationNode) -> Part? {
    guard let operand = part(node.operand) else { return nil }
    switch operand.location {
    case .constant(.int(let number)): return number == .min ? failing(.int) : .constant(.int(-number))
    case .constant(.double(let number)): return .constant(.double(-number))
    case .scalar(.int, let slot): return .scalar(.int, writer.compute(.negateInt, slot))
    case .scalar(.double, let slot): return .scalar(.double, writer.compute(.negateDouble, slot))
    case .scalar(let scalar, _): return failing(scalar)
    case .constant, .value: return nil
    }
  }

  /// Lowers the reading of a value that is declared a double, and may be an int.
  mutating func doubleReading(_ node: DoubleReadingNode) -> Part? {
    if let field = node.source as? FieldNode { return self.field(field, as: .double) }
    guard let source = part(node.source) else { return nil }
    return source.scalar == .bool ? source : scalar(source, .double)
  }

  /// Lowers the library functions that take one number.
  mutating func call(_ node: UnaryCallNode) -> Part? {
    guard Self.functions.contains(node.function), let argument = part(node.argument) else { return nil }
    return call(node.function, argument)
  }

  private static let functions: Set<String> = [
    "dyn", "int", "uint", "double", "bool", "math.abs", "math.sqrt", "math.floor", "math.ceil", "math.round",
    "math.trunc",
  ]

  private func call(_ function: String, _ argument: Part) -> Part? {
    guard case .scalar(let scalar, let slot) = argument.location else {
      return function == "dyn" ? argument : nil
    }
    switch (function, scalar) {
    case ("dyn", _), ("int", .int), ("uint", .uint), ("double", .double), ("bool", .bool), ("math.abs", .uint):
      return argument
    case ("double", .int), ("double", .uint): return self.scalar(argument, .double)
    case ("int", .double): return .scalar(.int, writer.compute(.doubleToInt, slot))
    case ("math.abs", .int): return .scalar(.int, writer.compute(.absoluteInt, slot))
    case ("math.abs", .double): return .scalar(.double, writer.compute(.absoluteDouble, slot))
    case ("math.sqrt", .int), ("math.sqrt", .uint), ("math.sqrt", .double):
      return .scalar(.double, writer.compute(.squareRoot, self.slot(self.scalar(argument, .double))))
    case ("math.floor", .double): return .scalar(.double, writer.compute(.floor, slot))
    case ("math.ceil", .double): return .scalar(.double, writer.compute(.ceiling, slot))
    case ("math.round", .double): return .scalar(.double, writer.compute(.round, slot))
    case ("math.trunc", .double): return .scalar(.double, writer.compute(.truncate, slot))
    default: return nil
    }
  }
}

extension Double {
  /// The bits that represent this double in a slot.
  var bits: Int64 { Int64(bitPattern: bitPattern) }
}
