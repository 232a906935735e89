import CEL
package import StreamCore

/// A function of two values that an operator applies between expressions: `sum` needs one that adds only numbers.
package struct PairFunction: Sendable {
  /// The operation on two scalars of the same number type. It gives the result of `body`, or takes the side exit if
  /// `body` has none.
  package enum Shortcut: Sendable {
    /// The sum, if it does not overflow.
    case sum
    /// Whether the first scalar is less than the second.
    case isLess
    /// The first scalar.
    case first
  }

  let shortcut: Shortcut
  let body: @Sendable (Value, Value) -> Value?

  /// - Parameter shortcut: The operation that replaces the function for numbers.
  /// - Parameter body: Returns the result; nil if it refuses the values.
  package init(_ shortcut: Shortcut, _ body: @escaping @Sendable (Value, Value) -> Value?) {
    self.shortcut = shortcut
    self.body = body
  }
}

@_spi(Engine) extension ProgramBuilder {
  /// Applies a function to two values. If the function refuses them, the run fails with `site`.
  package mutating func apply(_ function: PairFunction, _ left: Operand, _ right: Operand, site: Int) -> Operand {
    number(site)
    beginStep()
    let (a, b) = (use(left), use(right))
    functions.append(function)
    let immediate = Int64(site) << 32 | Int64(functions.count - 1)
    let boxedRegister = writer.newValue()
    let lowering = PlanLowering(writer: writer)
    let part: Part
    if let scalar = a.part.scalar, scalar == b.part.scalar, scalar.isNumber {
      part = lowering.shortcut(function.shortcut, a.part, b.part, scalar)
    } else {
      let (first, second) = (lowering.value(a.part), lowering.value(b.part))
      writer.write(Instruction(.apply, a: boxedRegister, b: first, c: second, immediate))
      part = Part(.value(boxedRegister))
    }
    generic.append(Instruction(.apply, a: boxedRegister, b: a.boxedRegister, c: b.boxedRegister, immediate))
    let operand = add(OperandRecord(part: detached(part), boxedRegister: boxedRegister), .dyn)
    defined.append(operand.index)
    return operand
  }
}

extension PlanLowering {
  fileprivate func shortcut(_ shortcut: PairFunction.Shortcut, _ left: Part, _ right: Part, _ scalar: Scalar) -> Part {
    let (a, b) = (slot(left), slot(right))
    switch (shortcut, scalar) {
    case (.first, _): return left
    case (.sum, .double): return .scalar(.double, writer.compute(.addDouble, a, b))
    case (.sum, .uint): return .scalar(.uint, writer.compute(.addUInt, a, b))
    case (.sum, _): return .scalar(.int, writer.compute(.addInt, a, b))
    case (.isLess, .double): return .scalar(.bool, writer.compute(.lessDouble, a, b))
    case (.isLess, .uint): return .scalar(.bool, writer.compute(.lessUInt, a, b))
    case (.isLess, _): return .scalar(.bool, writer.compute(.lessInt, a, b))
    }
  }
}
