import StreamCore

/// What a program that takes rows has beside the two halves.
///
/// `@unchecked`: what the pointers lead to is written before anybody else sees it, and never after.
final class RowCode: @unchecked Sendable {
  let code: [Instruction]
  /// The fields of rows, by their numbers in a row.
  let fields: [String]
  /// The records that the program may give, as its table has them.
  let outputs: UnsafeMutablePointer<OutputFields>
  private let places: UnsafeMutablePointer<OutputFields.Place>

  /// - Parameter places: of each record, where the values of its fields are.
  init(_ code: [Instruction], _ fields: [String], _ records: [RecordParts], places: [[OutputFields.Place]]) {
    self.code = code
    self.fields = fields
    outputs = .allocate(capacity: max(records.count, 1))
    self.places = .allocate(capacity: max(places.reduce(0) { $0 + $1.count }, 1))
    var next = self.places
    for (number, parts) in records.enumerated() {
      // NB: the program's tables keep the shape.
      let fields = OutputFields(shape: .passUnretained(parts.shape), places: UnsafePointer(next))
      (outputs + number).initialize(to: fields)
      for place in places[number] {
        next.initialize(to: place)
        next += 1
      }
    }
  }

  // All of it is trivial: nothing to deinitialize.
  deinit {
    outputs.deallocate()
    places.deallocate()
  }
}

extension ProgramBody {
  /// The same with a third part: a copy of the typed half that takes the fields of its input from a row. Nil where the
  /// typed half does more with its input than to look at fields and to give it as it is.
  func readingRows() -> ProgramBody? {
    guard inputHome >= 0, entry == .boxed, count + genericStart <= Int(UInt16.max) else { return nil }
    var fields: [String] = []
    var rows: [Instruction] = []
    for index in 0..<genericStart {
      guard let instruction = rowInstruction(index, &fields) else { return nil }
      rows.append(instruction)
    }
    let places = outputPlaces(&rows)
    return ProgramBody(
      Array(instructions[..<count]), genericStart: genericStart, exitPlaces: exitPlaces, tables,
      rows: RowCode(rows, fields, tables.records, places: places))
  }

  private func rowInstruction(_ index: Int, _ fields: inout [String]) -> Instruction? {
    var instruction = instructions[index]
    if let opcode = instruction.opcode.ofRow, Int(instruction.b) == inputHome {
      let name = tables.fields[Int(instruction.immediate)]
      let number = fields.firstIndex(of: name) ?? fields.count
      if number == fields.count { fields.append(name) }
      return Instruction(opcode, a: Int(instruction.a), Int64(number))
    }
    switch instruction.opcode {
    case .emitValue where Int(instruction.a) == inputHome: return Instruction(.emitRow, c: Int(instruction.c))
    // A row is not null.
    case .branchIfNull where Int(instruction.a) == inputHome: return Instruction(.nop)
    case .record where instructions[index + 1].opcode == .emitValue && instructions[index + 1].a == instruction.a:
      // NB: a program never ends with a record, so there is a next one.
      let parts = tables.records[Int(instruction.immediate)]
      guard !parts.registers.contains(inputHome) else { return nil }
      return Instruction(.emitRecord, a: Int(instruction.a), c: Int(instructions[index + 1].c), instruction.immediate)
    case .prepare, .evaluate:
      let bindings = tables.bindings(of: tables.evaluations[Int(instruction.immediate)])
      guard !bindings.contains(where: { $0.scalar == nil && $0.register == inputHome }) else { return nil }
    default:
      var use = InputUse()
      note(instruction, of: inputHome, in: &use)
      guard use == InputUse() else { return nil }
    }
    if instruction.opcode.access.contains(.jumps) { instruction.c += UInt16(count) }
    return instruction
  }
}

extension Opcode {
  /// What looks at a field of a row as this does at a field of a record.
  fileprivate var ofRow: Opcode? {
    switch self {
    case .fieldInt: .rowInt
    case .fieldUInt: .leave
    case .fieldDouble: .rowDouble
    case .fieldBool: .rowBool
    case .fieldNumber: .rowNumber
    case .fieldValue: .rowValue
    case .hasField: .hasRowField
    default: nil
    }
  }
}
