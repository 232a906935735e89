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
    let generic = generic.map { instruction in
      var instruction = instruction
      if instruction.opcode.access.contains(.jumps) {
        instruction.c = UInt16(typedCount + target(of: Int(instruction.c)))
      }
      return instruction
    }
    let tables = ProgramTables(
      slotCount: writer.slotCount, valueCount: writer.valueCount, slotConstants: writer.slotConstants,
      valueConstants: writer.valueConstants, exits: optimizer.exits, evaluations: optimizer.evaluations,
      nodes: writer.nodes,
      fields: writer.fields, input: input, cells: cells, operands: operands)
    return Program(
      body: ProgramBody(
        typed: optimizer.code, generic: generic, exitPlaces: optimizer.exitPlaces.map { Int32($0) }, tables))
  }

  private func target(of label: Int) -> Int {
    guard let place = genericLabels[label] else { preconditionFailure("a label that is jumped to is placed") }
    return place
  }

  /// For each exit, the operands that the generic half needs and does not find where it looks.
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
      var moves = cells.compactMap { move($0.part, to: $0.home) }
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
