import CEL

@_spi(Engine) extension ProgramBuilder {
  /// Returns the finished program.
  public consuming func build() -> Program {
    precondition(isUnreachable, "a program's last step is an end")
    removeEmptyReset()
    let kept = cells.compactMap { if case .scalar(_, let slot) = $0.part.location { slot } else { nil } }
    var optimizer = Optimizer(
      code: writer.takeCode(), evaluations: evaluations, bindings: bindings, slotCount: writer.slotCount, kept: kept)
    optimizer.resolve(writer.labels, entries: entryLabels.map(\.index))
    optimizer.run()
    var input: Int?
    if case .scalar(_, let slot) = self.input?.part.location { input = slot }
    var packing = SlotPacking(optimizer, constants: writer.slotConstants, input: input)
    let scratch = packing.scratch(apartFrom: kept, writer.slotConstants)
    for index in cells.indices { cells[index].part = packing.packed(cells[index].part) }
    var typed = SavePoints(
      optimizer.code.map(packing.packed), entries: optimizer.entries, slotCount: packing.count,
      valueCount: writer.valueCount)
    typed.insert(cells, firstReset: firstReset ?? cells.count, firstOfRow: rows?.firstCell ?? cells.count)
    let typedCount = typed.code.count
    var instructions = typed.code
    instructions.reserveCapacity(typedCount + generic.count)
    for var instruction in generic {
      if instruction.opcode.access.contains(.jumps) {
        instruction.c = UInt16(typedCount + target(of: Int(instruction.c)))
      }
      instructions.append(instruction.moved { _ in scratch })
    }
    packing.pack(&optimizer)
    packing.pack(&operands)
    let tables = ProgramTables(
      slotCount: typed.slotCount, valueCount: typed.valueCount,
      slotConstants: writer.slotConstants.compactMap { slot, bits in
        packing.has(slot) ? (packing.number(of: slot), bits) : nil
      },
      valueConstants: writer.valueConstants, undos: typed.undos, evaluations: evaluations,
      bindings: optimizer.bindings, nodes: writer.nodes, functions: functions, fields: writer.fields,
      records: writer.records,
      input: self.input.map { Input(part: packing.packed($0.part), boxedRegister: $0.boxedRegister) },
      cells: cells, rows: rows, firstReset: firstReset ?? cells.count,
      entries: zip(typed.entries, entryLabels).map { ($0, typedCount + target(of: $1.index)) },
      operands: operands)
    var typedHalf = Array(instructions[..<typedCount])
    let outputs = tables.outputs(of: &typedHalf)
    instructions.replaceSubrange(..<typedCount, with: typedHalf)
    return Program(body: ProgramBody(instructions, genericStart: typedCount, tables, outputs))
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
}
