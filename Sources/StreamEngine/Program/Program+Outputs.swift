@_spi(Engine) import StreamCore

/// The records of a program, with the places of their values at the instruction that creates or emits them.
///
/// `@unchecked`: The memory behind the pointers is written before it is shared, and never after.
final class OutputTable: @unchecked Sendable {
  /// The fields of each record, in the order of the program's table.
  let fields: UnsafeMutablePointer<OutputFields>
  let places: [[OutputFields.Place]]
  private let memory: UnsafeMutablePointer<OutputFields.Place>

  /// - Parameter places: The places of each record's values, in the order of its fields.
  init(_ records: [RecordParts], _ places: [[OutputFields.Place]]) {
    self.places = places
    fields = .allocate(capacity: max(records.count, 1))
    memory = .allocate(capacity: max(places.reduce(0) { $0 + $1.count }, 1))
    var next = memory
    for (number, parts) in records.enumerated() {
      // NB: The program's tables retain the shape.
      let fields = OutputFields(shape: .passUnretained(parts.shape), places: UnsafePointer(next))
      (self.fields + number).initialize(to: fields)
      for place in places[number] {
        next.initialize(to: place)
        next += 1
      }
    }
  }

  // NB: The elements are trivial, so nothing is deinitialized.
  deinit {
    fields.deallocate()
    memory.deallocate()
  }
}

extension ProgramTables {
  /// Rewrites code to create a record where it emits it if it has no other use for it. Values that are boxed only for
  /// such a record stay unboxed.
  func outputs(of code: inout [Instruction]) -> OutputTable {
    for index in code.indices.dropLast() where code[index].opcode == .record {
      let end = code[index + 1]
      guard end.opcode == .emitValue, end.a == code[index].a else { continue }
      code[index] = Instruction(.emitRecord, a: Int(end.a), c: Int(end.c), code[index].immediate)
    }
    return OutputTable(records, outputPlaces(&code, from: records.map { $0.registers.map { .init(.value, $0) } }))
  }

  /// Returns the places of the values of each record that is only emitted, and removes the instructions that box these
  /// values.
  ///
  /// - Parameter known: The places found so far.
  func outputPlaces(_ rows: inout [Instruction], from known: [[OutputFields.Place]]) -> [[OutputFields.Place]] {
    var places = known
    for end in rows.indices where rows[end].opcode.givesRecord {
      let record = Int(rows[end].immediate)
      for (field, register) in records[record].registers.enumerated() where known[record][field].source == .value {
        if let place = unboxed(register, for: end, in: rows) { places[record][field] = place }
      }
    }
    // NB: A second pass, since a record may have one value in several fields.
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

  /// Returns the place of the unboxed content of a register at an instruction that emits a record; nil if other
  /// instructions or runs may read the register.
  private func unboxed(_ register: Int, for end: Int, in rows: [Instruction]) -> OutputFields.Place? {
    guard let origin = origin(of: register, in: rows), origin < end,
      !cells.contains(where: { $0.boxedRegister == register })
    else { return nil }
    for index in rows.indices where index != end && reads(rows[index], register) { return nil }
    if rows[origin].opcode == .rowValue { return OutputFields.Place(.cell, Int(rows[origin].immediate)) }
    let slot = rows[origin].b
    for instruction in rows[origin..<end] {
      // Live ranges can share a slot: it may have been overwritten.
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

  /// Returns the index of the only instruction that writes a register; nil unless it boxes a field or a scalar.
  private func origin(of register: Int, in rows: [Instruction]) -> Int? {
    let writers = rows.indices.filter { rows[$0].opcode.access.contains(.writesValueA) && Int(rows[$0].a) == register }
    guard writers.count == 1, rows[writers[0]].opcode == .rowValue || rows[writers[0]].opcode == .box else {
      return nil
    }
    return writers[0]
  }
}

extension Opcode {
  /// Whether the instruction emits a record that the code has no other use for.
  fileprivate var givesRecord: Bool { self == .emitRecord || self == .emitRowRecord }
}
