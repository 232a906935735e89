import StreamCore

extension ProgramBody {
  /// Where the fields of each record are that is given without being made. What is put into a box for such a record alone
  /// is left where it is.
  func outputPlaces(_ rows: inout [Instruction]) -> [[OutputFields.Place]] {
    var places = tables.records.map { $0.registers.map { OutputFields.Place(.value, $0) } }
    for end in rows.indices where rows[end].opcode == .emitRecord {
      let record = Int(rows[end].immediate)
      for (field, register) in tables.records[record].registers.enumerated() {
        if let place = unboxed(register, for: end, in: rows) { places[record][field] = place }
      }
    }
    // NB: only then, for a record may have one value in several fields.
    for end in rows.indices where rows[end].opcode == .emitRecord {
      let record = Int(rows[end].immediate)
      for (field, register) in tables.records[record].registers.enumerated()
      where places[record][field].source != .value {
        guard let origin = origin(of: register, in: rows) else { continue }
        let isField = rows[origin].opcode == .rowValue
        rows[origin] = isField ? Instruction(.needRowField, rows[origin].immediate) : Instruction(.nop)
      }
    }
    return places
  }

  /// What a register has in its box at an instruction, which gives a record, where nobody else opens it.
  private func unboxed(_ register: Int, for end: Int, in rows: [Instruction]) -> OutputFields.Place? {
    guard let origin = origin(of: register, in: rows), origin < end, !isKept(register) else { return nil }
    for index in rows.indices where index != end && reads(rows[index], register) { return nil }
    if rows[origin].opcode == .rowValue { return OutputFields.Place(.cell, Int(rows[origin].immediate)) }
    let slot = rows[origin].b
    for instruction in rows[origin..<end] {
      // Slots are shared: by then there may be something else in it.
      if instruction.opcode.access.contains(.writesA), instruction.a == slot { return nil }
      if instruction.opcode.tellsCost, instruction.c == slot { return nil }
    }
    switch Scalar(rawValue: UInt8(truncatingIfNeeded: rows[origin].immediate)) {
    case .int: return OutputFields.Place(.int, Int(slot))
    case .uint: return OutputFields.Place(.uint, Int(slot))
    case .double: return OutputFields.Place(.double, Int(slot))
    case .bool: return OutputFields.Place(.bool, Int(slot))
    case nil: return nil
    }
  }

  /// The one instruction that writes a register, where it puts a field or a scalar into a box.
  private func origin(of register: Int, in rows: [Instruction]) -> Int? {
    let writers = rows.indices.filter { rows[$0].opcode.writesValue && Int(rows[$0].a) == register }
    guard writers.count == 1, rows[writers[0]].opcode == .rowValue || rows[writers[0]].opcode == .box else {
      return nil
    }
    return writers[0]
  }

  /// Whether the generic half may look for something in a register.
  private func isKept(_ register: Int) -> Bool {
    tables.operands.contains { $0.home == register } || tables.cells.contains { $0.home == register }
      || tables.moves.contains { $0.scalar == nil && $0.register == register }
  }

  private func reads(_ instruction: Instruction, _ register: Int) -> Bool {
    switch instruction.opcode {
    case .emitRecord: return tables.records[Int(instruction.immediate)].registers.contains(register)
    case .rowInt, .rowDouble, .rowBool, .rowNumber, .rowValue, .hasRowField, .needRowField, .emitRow: return false
    case .branchIfNull: return Int(instruction.a) == register
    case .prepare, .evaluate:
      let bindings = tables.bindings(of: tables.evaluations[Int(instruction.immediate)])
      return bindings.contains { $0.scalar == nil && $0.register == register }
    default:
      var use = InputUse()
      note(instruction, of: register, in: &use)
      return use != InputUse()
    }
  }
}

extension Opcode {
  /// Whether it writes the boxed register `a`.
  fileprivate var writesValue: Bool {
    switch self {
    case .moveValue, .box, .fieldValue, .rowValue, .record, .callValue, .evaluate, .apply, .countValue: true
    default: false
    }
  }
}
