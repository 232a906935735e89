import CEL
import StreamCore

@_spi(Engine) extension ProgramBuilder {
  // MARK: Cells

  /// Stores a value in a cell. Operands computed from its previous content remain unchanged.
  public mutating func store(_ operand: Operand, in cell: Operand) {
    beginStep()
    let (source, target) = (use(operand), use(cell))
    precondition(target.isCell, "only a cell can be stored to")
    let lowering = PlanLowering(writer: writer)
    switch target.part.location {
    case .scalar(let scalar, let slot):
      let part = source.part.scalar == scalar ? source.part : exactly(source.part, scalar)
      writer.write(Instruction(.move, a: slot, b: lowering.slot(part)))
      writer.forgetUses(of: slot)
    case .constant, .value:
      if let number = cells.firstIndex(where: { $0.boxedRegister == target.boxedRegister }) {
        let type = source.part.scalar?.type ?? source.part.type
        stored[number, default: []].insert(type.isRecord || source.part.scalar != nil ? type : .dyn)
      }
      writer.write(Instruction(.moveValue, a: target.boxedRegister, b: lowering.value(source.part)))
      writer.forgetUses(of: target.boxedRegister)
    }
    generic.append(Instruction(.moveValue, a: target.boxedRegister, b: source.boxedRegister))
  }

  /// Returns the part as a scalar of exactly this type; other values take the side exit.
  private func exactly(_ part: Part, _ scalar: Scalar) -> Part {
    if case .value(let register) = part.location { return .scalar(scalar, writer.compute(scalar.unboxing, register)) }
    return PlanLowering(writer: writer).failing(scalar)
  }

  /// Increments a cell of ints.
  public mutating func count(_ cell: Operand) {
    beginStep()
    let target = use(cell)
    precondition(target.isCell && cell.type == .int, "a cell of ints counts")
    if case .scalar(_, let slot) = target.part.location {
      writer.write(Instruction(.count, a: slot))
      writer.forgetUses(of: slot)
    } else {
      writer.write(Instruction(.countValue, a: target.boxedRegister))
      writer.forgetUses(of: target.boxedRegister)
    }
    generic.append(Instruction(.countValue, a: target.boxedRegister))
  }

  /// Resets the cells that are created after this step to their initial values.
  public mutating func resetCells() {
    precondition(firstReset == nil && rows == nil, "a program resets its cells in one place")
    beginStep()
    firstReset = cells.count
    writer.write(Instruction(.resetCells))
    generic.append(Instruction(.resetCells))
  }

  // MARK: Comparing

  /// Compares two values with the equality of expressions, but without a limit on the cost.
  public mutating func equal(_ left: Operand, _ right: Operand) -> Operand {
    beginStep()
    let (a, b) = (use(left), use(right))
    let lowering = PlanLowering(writer: writer)
    var part: Part
    if a.part.scalar != nil, b.part.scalar != nil,
      let scalars = lowering.equality(a.part, b.part, isNegated: false)
    {
      part = scalars
    } else {
      part = .scalar(.bool, writer.compute(.sameValue, lowering.value(a.part), lowering.value(b.part)))
    }
    let (slot, boxedRegister) = (writer.newSlot(), writer.newValue())
    generic.append(Instruction(.sameValue, a: slot, b: a.boxedRegister, c: b.boxedRegister))
    generic.append(Instruction(.box, a: boxedRegister, b: slot, Int64(Scalar.bool.rawValue)))
    if part.scalar == nil { part = Part(.value(boxedRegister)) }
    let operand = add(OperandRecord(part: part, boxedRegister: boxedRegister), .bool)
    defined.append(operand.index)
    return operand
  }

  /// Fails if a value has lists and maps nested more than this many levels deep. Accumulators need this check now and
  /// then: an accumulator that nests deeper with every value would cause a stack overflow.
  ///
  /// - Parameter operand: The value to check.
  /// - Parameter levels: The maximum nesting depth.
  /// - Parameter counter: An int; the check is performed at every sixteenth count only.
  public mutating func limitDepth(of operand: Operand, to levels: Int, every counter: Operand) {
    beginStep()
    let (record, count) = (use(operand), use(counter))
    let immediate = Int64(levels) << 32 | Int64(site & 0x7FFF_FFFF)
    if case .value(let register) = record.part.location {
      let slot = PlanLowering(writer: writer).slot(count.part)
      writer.write(Instruction(.limitDepth, a: register, b: slot, immediate))
    }
    let slot = writer.newSlot()
    generic.append(Instruction(.unboxInt, a: slot, b: count.boxedRegister))
    generic.append(Instruction(.limitDepth, a: record.boxedRegister, b: slot, immediate))
  }

  // MARK: Jumps

  /// Returns a new label, to be placed once, after all jumps to it.
  public mutating func label() -> ProgramLabel { ProgramLabel(index: writer.newLabel()) }

  /// Jumps to the label unless the operand is true. An operand that is neither true nor false fails.
  public mutating func branch(unless operand: Operand, to label: ProgramLabel) {
    beginStep()
    let record = use(operand)
    let lowering = PlanLowering(writer: writer)
    switch (record.part.location, record.part.constant) {
    case (_, .bool(let flag)): if !flag { writer.jump(.jump, to: label.index) }
    case (.scalar(.bool, let slot), _): writer.jump(.branchUnless, slot, to: label.index)
    case (.value(let register), _):
      writer.jump(.branchUnless, writer.compute(.unboxBool, register), to: label.index)
    default: _ = lowering.failing(.bool)
    }
    generic.append(Instruction(.branchUnlessValue, a: record.boxedRegister, c: label.index, Int64(site)))
    note(label)
  }

  /// Jumps to the label if the operand is null.
  public mutating func branch(ifNull operand: Operand, to label: ProgramLabel) {
    beginStep()
    let record = use(operand)
    switch record.part.location {
    case .constant(.null): writer.jump(.jump, to: label.index)
    case .value(let register): writer.jump(.branchIfNull, register, to: label.index)
    case .constant, .scalar: break
    }
    generic.append(Instruction(.branchIfNull, a: record.boxedRegister, c: label.index))
    note(label)
  }

  /// Jumps to the label.
  public mutating func jump(to label: ProgramLabel) {
    beginStep()
    writer.jump(.jump, to: label.index)
    generic.append(Instruction(.jump, c: label.index))
    note(label)
    isUnreachable = true
  }

  mutating func note(_ label: ProgramLabel) {
    precondition(genericLabels[label.index] == nil, "a jump goes forward")
    if definedAtLabel[label.index] == nil { definedAtLabel[label.index] = defined.count }
  }

  /// Places the label here. Operands used from here on must be computed on every path to the label.
  public mutating func place(_ label: ProgramLabel) {
    precondition(genericLabels[label.index] == nil, "a label is placed once")
    writer.place(label.index)
    genericLabels[label.index] = generic.count
    guard let count = definedAtLabel.removeValue(forKey: label.index) else { return }
    isUnreachable = false
    guard defined.count > count else { return }
    for index in defined[count...] { operands[index].isDefined = false }
    defined.removeLast(defined.count - count)
    for (other, earlier) in definedAtLabel where earlier > count { definedAtLabel[other] = count }
  }

  // MARK: Entries

  /// Begins another entry: the steps that follow run when the frame runs this entry. They may use cells and constants,
  /// but no other operands of the steps before.
  ///
  /// The first entry, which takes the input, is number 0; the others are numbered in order.
  public mutating func beginEntry() {
    precondition(isUnreachable, "the last step of an entry is an end or a jump")
    writer.forget(to: 0)
    for index in defined { operands[index].isDefined = false }
    defined = []
    for label in definedAtLabel.keys { definedAtLabel[label] = 0 }
    let label = label()
    writer.place(label.index)
    genericLabels[label.index] = generic.count
    entryLabels.append(label)
    isUnreachable = false
  }

  // MARK: Ends

  /// Ends the run with a value.
  ///
  /// - Parameter operand: The value to emit.
  /// - Parameter isLast: Whether it is the last value.
  public mutating func emit(_ operand: Operand, isLast: Bool = false) {
    beginStep()
    let record = use(operand)
    let outcome = Int((isLast ? ProgramOutcome.emittedLast : .emitted).rawValue)
    switch record.part.location {
    case .scalar(let scalar, let slot):
      writer.write(Instruction(.emit, a: slot, b: Int(scalar.rawValue), c: outcome))
    case .constant, .value:
      let register = PlanLowering(writer: writer).value(record.part)
      writer.write(Instruction(.emitValue, a: register, c: outcome))
    }
    generic.append(Instruction(.emitValue, a: record.boxedRegister, c: outcome | Int(End.generic)))
    isUnreachable = true
  }

  /// Ends the run without a value.
  ///
  /// - Parameter isLast: Whether no more values follow.
  public mutating func end(isLast: Bool = false) { end(isLast ? .finished : .dropped) }

  /// Ends the run until a timer fires. The stage that runs the program continues it in another entry.
  public mutating func wait() { end(.waiting) }

  private mutating func end(_ outcome: ProgramOutcome) {
    beginStep()
    let outcome = Int(outcome.rawValue)
    writer.write(Instruction(.end, c: outcome))
    generic.append(Instruction(.end, c: outcome | Int(End.generic)))
    isUnreachable = true
  }
}
