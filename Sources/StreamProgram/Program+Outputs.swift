import StreamCore

/// The records that a program may give without making them: where the values of each are after a run.
///
/// `@unchecked`: what the pointers lead to is written before anybody else sees it, and never after.
final class OutputTable: @unchecked Sendable {
  /// As the program's table has the records.
  let fields: UnsafeMutablePointer<OutputFields>
  let places: [[OutputFields.Place]]
  private let memory: UnsafeMutablePointer<OutputFields.Place>

  /// - Parameter places: of each record, where the values of its fields are.
  init(_ records: [RecordParts], _ places: [[OutputFields.Place]]) {
    self.places = places
    fields = .allocate(capacity: max(records.count, 1))
    memory = .allocate(capacity: max(places.reduce(0) { $0 + $1.count }, 1))
    var next = memory
    for (number, parts) in records.enumerated() {
      // NB: the program's tables keep the shape.
      let fields = OutputFields(shape: .passUnretained(parts.shape), places: UnsafePointer(next))
      (self.fields + number).initialize(to: fields)
      for place in places[number] {
        next.initialize(to: place)
        next += 1
      }
    }
  }

  // All of it is trivial: nothing to deinitialize.
  deinit {
    fields.deallocate()
    memory.deallocate()
  }
}

extension ProgramTables {
  /// Has code give records without making them first, where it does nothing else with them. What is put into a box for
  /// such a record alone is left where it is.
  func outputs(of code: inout [Instruction]) -> OutputTable {
    for index in code.indices.dropLast() where code[index].opcode == .record {
      let end = code[index + 1]
      guard end.opcode == .emitValue, end.a == code[index].a else { continue }
      code[index] = Instruction(.emitRecord, a: Int(end.a), c: Int(end.c), code[index].immediate)
    }
    return OutputTable(records, outputPlaces(&code, from: records.map { $0.registers.map { .init(.value, $0) } }))
  }

  /// Where the fields of each record are that is given without being made.
  ///
  /// - Parameter known: where they are as far as that is known.
  func outputPlaces(_ rows: inout [Instruction], from known: [[OutputFields.Place]]) -> [[OutputFields.Place]] {
    var places = known
    for end in rows.indices where rows[end].opcode.givesRecord {
      let record = Int(rows[end].immediate)
      for (field, register) in records[record].registers.enumerated() where known[record][field].source == .value {
        if let place = unboxed(register, for: end, in: rows) { places[record][field] = place }
      }
    }
    // NB: only then, for a record may have one value in several fields.
    for end in rows.indices where rows[end].opcode.givesRecord {
      let record = Int(rows[end].immediate)
      for (field, register) in records[record].registers.enumerated()
      where places[record][field].source != .value && known[record][field].source == .value {
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
      if instruction.opcode.access.contains(.writesC), instruction.c == slot { return nil }
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
    let writers = rows.indices.filter { rows[$0].opcode.access.contains(.writesValueA) && Int(rows[$0].a) == register }
    guard writers.count == 1, rows[writers[0]].opcode == .rowValue || rows[writers[0]].opcode == .box else {
      return nil
    }
    return writers[0]
  }

  /// Whether the generic half may look for something in a register.
  private func isKept(_ register: Int) -> Bool {
    operands.contains { $0.home == register } || cells.contains { $0.home == register }
      || moves.contains { $0.scalar == nil && $0.register == register }
  }
}

extension Opcode {
  /// Whether it gives a record that is not made.
  fileprivate var givesRecord: Bool { self == .emitRecord || self == .emitRowRecord }
}
