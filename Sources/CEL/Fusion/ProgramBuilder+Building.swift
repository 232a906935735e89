extension ProgramBuilder {
  /// The program.
  public consuming func build() -> Program {
    precondition(isUnreachable, "a program's last step is an end")
    for (index, moves) in movesOfExits().enumerated() { exits[index].moves = moves }
    let kept = cells.compactMap { if case .scalar(_, let slot) = $0.part.location { slot } else { nil } }
    var optimizer = Optimizer(
      code: writer.code, exitPlaces: writer.exits, exits: exits, evaluations: evaluations, slotCount: writer.slotCount,
      kept: kept)
    optimizer.resolve(writer.labels)
    optimizer.run()
    let typedCount = optimizer.code.count
    for index in optimizer.exits.indices { optimizer.exits[index].target += typedCount }
    var input: Int?
    if case .scalar(_, let slot) = self.input?.part.location { input = slot }
    let used = optimizer.usedSlots
    let constants = writer.slotConstants.filter { used.contains($0.register) }
    let lasting = kept + constants.map(\.register)
    var packing = SlotPacking(optimizer, lasting: lasting, input: input)
    let scratch = packing.scratch(apartFrom: lasting)
    let generic = generic.map { instruction in
      var instruction = instruction
      if instruction.opcode.access.contains(.jumps) {
        instruction.c = UInt16(typedCount + target(of: Int(instruction.c)))
      }
      return instruction.moved { _ in scratch }
    }
    let tables = ProgramTables(
      slotCount: packing.count, valueCount: writer.valueCount,
      slotConstants: constants.map { (packing.number(of: $0.register), $0.bits) },
      valueConstants: writer.valueConstants, exits: optimizer.exits.map(packing.packed),
      evaluations: optimizer.evaluations.map(packing.packed), nodes: writer.nodes, functions: functions,
      fields: writer.fields, records: writer.records,
      input: self.input.map { Input(part: packing.packed($0.part), home: $0.home) },
      cells: cells.map { Cell(part: packing.packed($0.part), home: $0.home, initial: $0.initial) },
      operands: (operands[firstNumbered...] + operands[..<firstNumbered]).map { record in
        var record = record
        record.part = packing.packed(record.part)
        return record
      }, firstOperand: firstNumbered)
    return Program(
      body: ProgramBody(
        typed: optimizer.code.map(packing.packed), generic: generic,
        exitPlaces: optimizer.exitPlaces.map { Int32($0) }, tables))
  }

  private func target(of label: Int) -> Int {
    guard let place = genericLabels[label] else { preconditionFailure("a label that is jumped to is placed") }
    return place
  }

  /// For each exit, the operands that the generic half needs and does not find where it looks. Cells are the same for
  /// all exits, and not among them.
  private func movesOfExits() -> [[Exit.Move]] {
    var result: [[Exit.Move]] = []
    // Operands in order of their steps; those whose last use is past drop out.
    var live: [Int] = []
    var next = 0
    for exit in exits {
      while next < operands.count, operands[next].firstStep < exit.step {
        if !operands[next].isCell { live.append(next) }
        next += 1
      }
      live.removeAll { operands[$0].lastUse < exit.step }
      var moves: [Exit.Move] = []
      for index in live {
        if let unboxed = exit.unboxed, unboxed.operand == index {
          if unboxed.register != operands[index].home {
            moves.append(Exit.Move(scalar: nil, register: unboxed.register, home: operands[index].home))
          }
        } else if let move = move(operands[index].part, to: operands[index].home) {
          moves.append(move)
        }
      }
      result.append(moves)
    }
    return result
  }

  private func move(_ part: Part, to home: Int) -> Exit.Move? {
    switch part.location {
    case .scalar(let scalar, let slot): Exit.Move(scalar: scalar, register: slot, home: home)
    case .value(let register) where register != home: Exit.Move(scalar: nil, register: register, home: home)
    case .constant(let value) where writer.constant(value) != home:
      Exit.Move(scalar: nil, register: writer.constant(value), home: home)
    case .constant, .value: nil
    }
  }
}
