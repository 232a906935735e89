/// What a program looks at of its input, as far as it can tell beforehand.
struct InputUse: Hashable, Sendable {
  /// The fields that it looks at; nil where it looks at the whole, or keeps it.
  var fields: Set<String>? = []
  /// Whether what it gives may be the input itself.
  var isEmitted = false

  mutating func read(_ names: Set<String>?) { fields = names.flatMap { fields?.union($0) } }
}

extension ProgramTables {
  /// Notes what an instruction does with the register of the input.
  func note(_ instruction: Instruction, of home: Int, in use: inout InputUse) {
    let (a, b, c) = (Int(instruction.a), Int(instruction.b), Int(instruction.c))
    switch instruction.opcode {
    case .fieldInt, .fieldUInt, .fieldDouble, .fieldBool, .fieldNumber, .fieldValue, .hasField:
      if b == home { use.read([fields[Int(instruction.immediate)]]) }
    case .prepare, .evaluate:
      let evaluation = evaluations[Int(instruction.immediate)]
      for binding in bindings(of: evaluation) where binding.scalar == nil && binding.register == home {
        let used = evaluation.body.variables.first { $0.slot == binding.slot }
        use.read(used.flatMap { evaluation.body.expression.fieldsRead(of: $0.variable.name) })
      }
    // Whether it is null is no part of a record.
    case .enterIntRow, .resetCells, .branchIfNull, .callInt, .callDouble, .callBool, .callValue, .box: break
    case .emitValue: if a == home { use.isEmitted = true }
    case .record, .emitRecord: if records[Int(instruction.immediate)].registers.contains(home) { use.read(nil) }
    case .countValue, .branchUnlessValue, .limitDepth, .enterRow: if a == home { use.read(nil) }
    case .moveValue, .unboxInt, .unboxUInt, .unboxDouble, .unboxBool, .unboxNumber, .bindValue:
      if b == home { use.read(nil) }
    case let opcode where opcode.usesValues: if b == home || c == home { use.read(nil) }
    default: break
    }
  }
}
