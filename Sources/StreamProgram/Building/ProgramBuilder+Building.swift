import CEL

extension ProgramBuilder {
  /// Returns the finished program.
  public consuming func build() -> Program {
    precondition(isUnreachable, "a program's last step is an end")
    removeEmptyReset()
    let moves = movesOfExits()
    let kept = cells.compactMap { if case .scalar(_, let slot) = $0.part.location { slot } else { nil } }
    let (code, exitPlaces) = writer.take()
    var optimizer = Optimizer(
      code: code, exitPlaces: exitPlaces, exits: exits, moves: moves, evaluations: evaluations, bindings: bindings,
      slotCount: writer.slotCount, kept: kept)
    optimizer.resolve(writer.labels, entries: entryLabels.map(\.index))
    optimizer.run()
    let typedCount = optimizer.code.count
    var input: Int?
    if case .scalar(_, let slot) = self.input?.part.location { input = slot }
    var packing = SlotPacking(optimizer, constants: writer.slotConstants, input: input)
    let scratch = packing.scratch(apartFrom: kept, writer.slotConstants)
    var instructions: [Instruction] = []
    instructions.reserveCapacity(typedCount + generic.count)
    for instruction in optimizer.code { instructions.append(packing.packed(instruction)) }
    for var instruction in generic {
      if instruction.opcode.access.contains(.jumps) {
        instruction.c = UInt16(typedCount + target(of: Int(instruction.c)))
      }
      instructions.append(instruction.moved { _ in scratch })
    }
    packing.pack(&optimizer)
    packing.pack(&operands)
    for index in exits.indices { exits[index].target += typedCount }
    for index in cells.indices { cells[index].part = packing.packed(cells[index].part) }
    let tables = ProgramTables(
      slotCount: packing.count, valueCount: writer.valueCount,
      slotConstants: writer.slotConstants.compactMap { slot, bits in
        packing.has(slot) ? (packing.number(of: slot), bits) : nil
      },
      valueConstants: writer.valueConstants, exits: exits, moves: optimizer.moves, evaluations: evaluations,
      bindings: optimizer.bindings, nodes: writer.nodes, functions: functions, fields: writer.fields,
      records: writer.records, input: self.input.map { Input(part: packing.packed($0.part), home: $0.home) },
      cells: cells, rows: rows, firstReset: firstReset ?? cells.count,
      entries: zip(optimizer.entries, entryLabels).map { ($0, typedCount + target(of: $1.index)) },
      operands: firstNumbered == 0 ? operands : Array(operands[firstNumbered...] + operands[..<firstNumbered]),
      firstOperand: firstNumbered)
    var typed = Array(instructions[..<typedCount])
    let outputs = tables.outputs(of: &typed)
    instructions.replaceSubrange(..<typedCount, with: typed)
    return Program(
      body: ProgramBody(instructions, genericStart: typedCount, exitPlaces: optimizer.exitPlaces, tables, outputs))
  }

  private mutating func removeEmptyReset() {
    guard firstReset == cells.count else { return }
    if let place = writer.code.firstIndex(where: { $0.opcode == .resetCells }) { writer.replace(at: place) }
    for place in generic.indices where generic[place].opcode == .resetCells { generic[place] = Instruction(.nop) }
  }

  private func target(of label: Int) -> Int {
    guard let place = genericLabels[label] else { preconditionFailure("a label that is jumped to is placed") }
    return place
  }

  /// Returns the moves of all side exits, which copy live operands to the registers where the generic half expects
  /// them, and sets the range of moves of each exit. Cells are excluded, because they are the same for all exits.
  private mutating func movesOfExits() -> [Exit.Move] {
    var moves: [Exit.Move] = []
    moves.reserveCapacity(exits.count)
    // The live operands in order of their steps; an operand is removed at the end of its live range.
    var live: [Int] = []
    var next = 0
    for place in exits.indices {
      let step = exits[place].step
      while next < operands.count, operands[next].firstStep < step {
        if !operands[next].isCell { live.append(next) }
        next += 1
      }
      live.removeAll { operands[$0].lastUse < step }
      let first = moves.count
      for index in live {
        if let unboxed = exits[place].unboxed, unboxed.operand == index {
          if unboxed.register != operands[index].home {
            moves.append(Exit.Move(scalar: nil, register: unboxed.register, home: operands[index].home))
          }
        } else if let move = move(operands[index].part, to: operands[index].home) {
          moves.append(move)
        }
      }
      exits[place].moves = first..<moves.count
    }
    return moves
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
