extension ProgramTables {
  /// Whether an instruction reads a boxed register.
  func reads(_ instruction: Instruction, _ register: Int) -> Bool {
    switch instruction.opcode {
    case .record, .emitRecord, .emitRowRecord:
      records[Int(instruction.immediate)].registers.contains(register)
    case .prepare, .evaluate:
      bindings(of: evaluations[Int(instruction.immediate)]).contains { $0.scalar == nil && $0.register == register }
    case .emitValue, .countValue, .branchIfNull, .branchUnlessValue, .limitDepth, .enterRow:
      Int(instruction.a) == register
    case .moveValue, .unboxInt, .unboxUInt, .unboxDouble, .unboxBool, .unboxNumber, .bindValue, .fieldInt, .fieldUInt,
      .fieldDouble, .fieldBool, .fieldNumber, .fieldValue, .hasField:
      Int(instruction.b) == register
    // These use boxed registers, but read none.
    case .box, .enterIntRow, .resetCells, .callInt, .callDouble, .callBool, .callValue, .rowValue: false
    case let opcode:
      opcode.usesValues && (Int(instruction.b) == register || Int(instruction.c) == register)
    }
  }
}
