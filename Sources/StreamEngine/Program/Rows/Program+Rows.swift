import StreamCore

/// The third part of a program that takes rows, in addition to the two halves.
final class RowCode: Sendable {
  let code: [Instruction]
  /// The names of the fields, in the order of a row's cells.
  let fields: [String]
  /// The records that the program can emit for rows without creating them.
  let outputs: OutputTable

  init(_ code: [Instruction], _ fields: [String], _ outputs: OutputTable) {
    self.code = code
    self.fields = fields
    self.outputs = outputs
  }
}

extension ProgramBody {
  /// Returns the program with a third part: a copy of the typed half that takes the fields of its input from a row. Nil
  /// if the typed half does more with its input than read fields and emit it unchanged.
  func readingRows() -> ProgramBody? {
    guard inputRegister >= 0, entry == .boxed, count + genericStart <= Int(UInt16.max) else { return nil }
    var fields: [String] = []
    var rows: [Instruction] = []
    for index in 0..<genericStart {
      guard let instruction = rowInstruction(index, &fields) else { return nil }
      rows.append(instruction)
    }
    let places = tables.outputPlaces(&rows, from: outputs.places)
    return ProgramBody(
      Array(instructions[..<count]), genericStart: genericStart, tables, outputs,
      rows: RowCode(rows, fields, OutputTable(tables.records, places)))
  }

  private func rowInstruction(_ index: Int, _ fields: inout [String]) -> Instruction? {
    var instruction = instructions[index]
    if let opcode = instruction.opcode.ofRow, Int(instruction.b) == inputRegister {
      let name = tables.fields[Int(instruction.immediate)]
      let number = fields.firstIndex(of: name) ?? fields.count
      if number == fields.count { fields.append(name) }
      return Instruction(opcode, a: Int(instruction.a), Int64(number))
    }
    switch instruction.opcode {
    case .emitValue where Int(instruction.a) == inputRegister: return Instruction(.emitRow, c: Int(instruction.c))
    // A row is not null.
    case .branchIfNull where Int(instruction.a) == inputRegister: return Instruction(.nop)
    case _ where tables.reads(instruction, inputRegister): return nil
    case .emitRecord:
      return Instruction(.emitRowRecord, a: Int(instruction.a), c: Int(instruction.c), instruction.immediate)
    default: break
    }
    if instruction.opcode.access.contains(.jumps) { instruction.c += UInt16(count) }
    return instruction
  }
}
