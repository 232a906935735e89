import StreamCore

/// Finds out how far a program can be done by columns.
struct ColumnReader {
  private let body: ProgramBody
  /// By their slots.
  private let cells: [Int: ScalarCell]
  private var steps: [ColumnCode.Step] = []
  /// The instructions that the steps were.
  private var places: [Int] = []
  private var columnCount = 1
  /// The columns of what steps have computed, by slot.
  private var computed = [0: 0]
  /// The columns of what is the same for all runs, by slot.
  private var scalars: [Int: Int] = [:]
  /// The cells that are written, and their places in the table.
  private var written: [Int: Int] = [:]
  private var writtenCells: [ScalarCell] = []

  /// What can be done by columns of a program of scalars; nil where that is too little, or where runs give something one
  /// by one.
  static func columnCode(of body: ProgramBody) -> ColumnCode? {
    guard body.entry == .int || body.entry == .double,
      !body.instructions[..<body.genericStart].contains(where: { $0.emitsOnTheWay })
    else { return nil }
    var limit = body.genericStart
    while true {
      var reader = ColumnReader(body)
      let rest = reader.read(to: limit)
      guard let conflict = rest.flatMap({ reader.conflict(withRestAt: $0) }) else { return reader.code(rest) }
      limit = conflict
    }
  }

  private init(_ body: ProgramBody) {
    self.body = body
    cells = Dictionary(body.scalarCells.map { ($0.slot, $0) }) { first, _ in first }
  }

  // MARK: Reading

  /// Makes steps of the instructions, as far as that goes.
  ///
  /// - Returns: the first instruction that is no step; nil where the run is at its end.
  private mutating func read(to limit: Int) -> Int? {
    var place = 0
    while place < limit {
      let instruction = body.instructions[place]
      switch instruction.opcode {
      case .end: return instruction.isDrop ? nil : place
      case .nop: break
      case .jump:
        place = Int(instruction.c)
        continue
      default:
        guard let step = step(of: instruction) else { return place }
        add(step, at: place)
        // What a cell keeps is also what comes later in the same run.
        if step.action == .keep, let copy = computing(instruction) { add(copy, at: place) }
      }
      place += 1
    }
    return place
  }

  private mutating func add(_ step: ColumnCode.Step, at place: Int) {
    steps.append(step)
    places.append(place)
  }

  private mutating func step(of instruction: Instruction) -> ColumnCode.Step? {
    if instruction.opcode.access.contains(.jumps) { return testing(instruction) }
    guard instruction.opcode.access.contains(.writesA) else { return nil }
    return cells[Int(instruction.a)].map { writing($0, instruction) } ?? computing(instruction)
  }

  /// What leaves runs out.
  private mutating func testing(_ instruction: Instruction) -> ColumnCode.Step? {
    guard body.instructions[Int(instruction.c)].isDrop, let loop = Columns.test(instruction),
      let tested = column(of: instruction.a)
    else { return nil }
    var step = ColumnCode.Step(.test, instruction, loop)
    step.a = tested
    if step.access.contains(.readsB) {
      guard let other = column(of: instruction.b) else { return nil }
      step.b = other
    }
    return step
  }

  /// What computes a column from others.
  private mutating func computing(_ instruction: Instruction) -> ColumnCode.Step? {
    guard let loop = Columns.computation(instruction), let b = column(of: instruction.b) else { return nil }
    var step = ColumnCode.Step(.compute, instruction, loop)
    step.b = b
    if step.access.contains(.readsC) {
      guard let c = column(of: instruction.c) else { return nil }
      step.c = c
    }
    step.a = newColumn(of: Int(instruction.a))
    return step
  }

  /// What changes a cell, which it may do once in a run, before anything looks at it.
  private mutating func writing(_ cell: ScalarCell, _ instruction: Instruction) -> ColumnCode.Step? {
    guard written[cell.slot] == nil, scalars[cell.slot] == nil else { return nil }
    let (a, b, c) = (instruction.a, instruction.b, instruction.c)
    switch instruction.opcode {
    case .count:
      var step = ColumnCode.Step(.count, instruction, Columns.counting)
      step.cell = write(cell)
      return step
    case .move:
      guard let source = column(of: b) else { return nil }
      var step = ColumnCode.Step(.keep, instruction, Columns.keeping)
      step.b = source
      step.cell = write(cell)
      return step
    case .addInt, .addDouble:
      guard (b == a) != (c == a), let source = column(of: b == a ? c : b) else { return nil }
      let isDouble = instruction.opcode == .addDouble
      var step = ColumnCode.Step(.sum, instruction, isDouble ? Columns.addingDoubles : Columns.addingInts)
      step.b = source
      step.cell = write(cell)
      step.a = newColumn(of: cell.slot)
      return step
    default: return nil
    }
  }

  private mutating func write(_ cell: ScalarCell) -> Int {
    written[cell.slot] = writtenCells.count
    writtenCells.append(cell)
    return writtenCells.count - 1
  }

  /// The column of what a slot holds; nil for the count of a cell, of which there is none.
  private mutating func column(of slot: UInt16) -> Int? {
    let slot = Int(slot)
    if let column = computed[slot] ?? scalars[slot] { return column }
    guard written[slot] == nil else { return nil }
    scalars[slot] = columnCount
    columnCount += 1
    return columnCount - 1
  }

  private mutating func newColumn(of slot: Int) -> Int {
    if let column = computed[slot] { return column }
    computed[slot] = columnCount
    columnCount += 1
    return columnCount - 1
  }

  // MARK: The rest

  /// The first step that cannot be done beforehand for many runs, since the rest looks at the cell that it writes, or
  /// writes the one that it reads.
  private func conflict(withRestAt rest: Int) -> Int? {
    let instructions = body.instructions[rest..<body.genericStart]
    let used = Set(instructions.flatMap(body.slots(of:)))
    for (step, place) in zip(steps, places) {
      let instruction = body.instructions[place]
      if step.action != .test, cells[Int(instruction.a)] != nil, used.contains(Int(instruction.a)) { return place }
      for slot in body.slots(of: instruction) where cells[slot] != nil && written[slot] == nil && used.contains(slot) {
        return place
      }
    }
    return nil
  }

  private consuming func code(_ rest: Int?) -> ColumnCode? {
    var restSlots: [(slot: Int, column: Int)] = []
    if let rest {
      let used = Set((rest..<body.genericStart).flatMap(body.slotsFound(at:)))
      restSlots = computed.filter { used.contains($0.key) && cells[$0.key] == nil }.map { ($0.key, $0.value) }
        .sorted { $0.slot < $1.slot }
    }
    let (steps, kept) = kept(behind: Set(restSlots.map(\.column)))
    guard steps.count(where: { $0.action == .compute || $0.action == .test }) >= (rest == nil ? 1 : 3) else {
      return nil
    }
    return ColumnCode(
      steps: steps, kept: kept, columnCount: columnCount,
      scalars: scalars.map { ($0.key, $0.value) }.sorted { $0.slot < $1.slot }, cells: writtenCells, rest: rest,
      restSlots: restSlots)
  }

  /// The steps with what the tests keep: the columns that are looked at later. Copies that nobody looks at are left out.
  private func kept(behind needed: Set<Int>) -> (steps: [ColumnCode.Step], kept: [Int]) {
    let same = Set(scalars.values)
    var needed = needed
    var result: [ColumnCode.Step] = []
    var kept: [Int] = []
    for var step in steps.reversed() where !step.isCopy || needed.contains(step.a) {
      switch step.action {
      case .test:
        let columns = needed.subtracting(same).sorted()
        step.kept = kept.count..<kept.count + columns.count
        step.keepsItself = columns == [step.a]
        kept += columns
        needed.insert(step.a)
      case .compute, .sum: needed.remove(step.a)
      case .count, .keep: break
      }
      if step.action != .count, step.action != .test || step.access.contains(.readsB) { needed.insert(step.b) }
      if step.action == .compute, step.access.contains(.readsC) { needed.insert(step.c) }
      result.append(step)
    }
    return (result.reversed(), kept)
  }
}

extension Instruction {
  /// Whether the run ends here with nothing to be told.
  fileprivate var isDrop: Bool { opcode == .end && c == UInt16(ProgramOutcome.dropped.rawValue) }

  /// Whether a run gives a value here, and others follow it.
  fileprivate var emitsOnTheWay: Bool {
    switch opcode {
    case .emit, .emitValue: c == UInt16(ProgramOutcome.emitted.rawValue)
    default: false
    }
  }
}

extension ProgramBody {
  /// The slots that an instruction looks at or writes.
  fileprivate func slots(of instruction: Instruction) -> [Int] {
    let access = instruction.opcode.access
    var slots: [Int] = []
    if !access.isDisjoint(with: [.readsA, .writesA]) { slots.append(Int(instruction.a)) }
    if access.contains(.readsB) { slots.append(Int(instruction.b)) }
    if access.contains(.readsC) { slots.append(Int(instruction.c)) }
    switch instruction.opcode {
    case .callInt, .callDouble, .callBool, .callValue: slots.append(Int(instruction.c))
    case .prepare, .evaluate:
      if instruction.opcode == .evaluate { slots.append(Int(instruction.c)) }
      let evaluation = tables.evaluations[Int(instruction.immediate)]
      for binding in tables.bindings(of: evaluation) where binding.scalar != nil { slots.append(binding.register) }
    default: break
    }
    return slots
  }

  /// The same with those that are copied where the run leaves at an instruction.
  fileprivate func slotsFound(at place: Int) -> [Int] {
    let slots = slots(of: instructions[place])
    let number = Int(exitPlaces[place])
    guard tables.exits.indices.contains(number) else { return slots }
    return slots + tables.moves(of: tables.exits[number]).compactMap { $0.scalar == nil ? nil : $0.register }
  }
}
