import StreamCore

/// Translates the beginning of a program to steps on columns. Each step writes a column of its own.
struct ColumnReader {
  let body: ProgramBody
  /// The cells by slot.
  let cells: [Int: ScalarCell]
  private var steps: [ColumnCode.Step] = []
  private var columnCount = 1
  /// The slots of copies of cells. Columns need none, see `Columns.goBack`; the rest may.
  let copies: Set<Int>
  /// The columns of computed numbers, by slot.
  var computed: [Int: Int]
  /// The slots whose contents are unknown.
  var unknown: Set<Int> = []
  /// The columns of numbers that are constant for all runs, by slot.
  private var scalars: [Int: Int] = [:]
  /// Indices of the written cells in the table, by slot.
  private var written: [Int: Int] = [:]
  private var writtenCells: [ScalarCell] = []
  /// The slots of cells that are read or written, and the instructions that do so.
  private var uses: [(slot: Int, place: Int)] = []

  /// Returns the column code of a program that emits nothing before its end; nil if too few steps run on columns.
  static func columnCode(of body: ProgramBody) -> ColumnCode? {
    guard body.entry == .int || body.entry == .double else { return nil }
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
    computed = [0: 0]
    copies = Set(body.tables.undos.compactMap { if case .slot(_, let copy) = $0.cell { copy } else { nil } })
  }

  // MARK: Reading

  /// Translates instructions to steps, up to the first that has none.
  ///
  /// - Returns: Index of that instruction; nil if the run drops its input before.
  private mutating func read(to limit: Int) -> Int? {
    var place = 0
    while place < limit {
      let instruction = body.instructions[place]
      switch instruction.opcode {
      case .end: return instruction.isDrop ? nil : place
      case .nop: place += 1
      case .move where copies.contains(Int(instruction.a)):
        let next = endOfCopies(from: place, to: limit)
        noteCopies(place..<next)
        place = next
      case .jump: place = Int(instruction.c)
      default:
        guard let next = distinct(at: place, to: limit) ?? step(at: place, to: limit) else { return place }
        place = next
      }
    }
    return place
  }

  /// Returns the first instruction that copies no cell.
  func endOfCopies(from start: Int, to limit: Int) -> Int {
    body.instructions[start..<limit].firstIndex { $0.opcode != .move || !copies.contains(Int($0.a)) } ?? limit
  }

  mutating func noteCopies(_ places: Range<Int>) {
    for place in places { uses.append((Int(body.instructions[place].b), place)) }
  }

  /// Translates an instruction, or a choice that begins there. Returns the next instruction; nil if there is no step.
  private mutating func step(at place: Int, to limit: Int) -> Int? {
    let instruction = body.instructions[place]
    if instruction.opcode.access.contains(.jumps) {
      guard body.instructions[Int(instruction.c)].isDrop else {
        // The steps of an arm that cannot be translated are discarded.
        let before = self
        guard let next = choice(at: place, to: limit) else {
          self = before
          return nil
        }
        return next
      }
      guard let step = testing(instruction, at: place, .test) else { return nil }
      steps.append(step)
      return place + 1
    }
    guard let cell = cells[Int(instruction.a)], instruction.opcode.access.contains(.writesA) else {
      return compute(instruction, at: place) ? place + 1 : nil
    }
    return write(cell, instruction, at: place) ? place + 1 : nil
  }

  /// Returns a step that tests numbers, to drop runs or to mark them; nil if there is none for the instruction.
  mutating func testing(_ instruction: Instruction, at place: Int, _ action: ColumnCode.Step.Action) -> ColumnCode.Step?
  {
    guard let loop = instruction.opcode.loop, let tested = column(of: instruction.a, at: place) else { return nil }
    let hasOther = instruction.opcode.access.contains(.readsB)
    var step = ColumnCode.Step(action, instruction, operands: hasOther ? 2 : 1, loop)
    step.b = tested
    if hasOther {
      guard let other = column(of: instruction.b, at: place) else { return nil }
      step.c = other
    }
    return step
  }

  /// Translates an instruction that computes a number. Returns false if there is no step for it.
  mutating func compute(_ instruction: Instruction, at place: Int) -> Bool {
    let slot = Int(instruction.a)
    guard instruction.opcode.access.contains(.writesA), let b = column(of: instruction.b, at: place) else {
      return false
    }
    if instruction.opcode == .move { return set(b, of: slot) }
    guard let loop = instruction.opcode.loop else { return false }
    let isBinary = instruction.opcode.access.contains(.readsC)
    var step = ColumnCode.Step(.compute, instruction, operands: isBinary ? 2 : 1, loop)
    step.b = b
    if isBinary {
      guard let c = column(of: instruction.c, at: place) else { return false }
      step.c = c
    }
    step.a = newColumn()
    steps.append(step)
    return set(step.a, of: slot)
  }

  /// Translates the only write of a cell, which no read precedes. Returns false if there is no step for it.
  private mutating func write(_ cell: ScalarCell, _ instruction: Instruction, at place: Int) -> Bool {
    guard isFresh(cell) else { return false }
    let (a, b, c) = (instruction.a, instruction.b, instruction.c)
    var step: ColumnCode.Step
    switch instruction.opcode {
    case .count: step = ColumnCode.Step(.count, instruction, operands: 0, Columns.counting)
    case .move:
      guard let source = column(of: b, at: place) else { return false }
      step = ColumnCode.Step(.keep, instruction, operands: 1, Columns.keeping)
      step.b = source
      // Later reads of the cell in the same run read the source column.
      _ = set(source, of: cell.slot)
    case .addInt where (b == a) != (c == a), .addDouble where (b == a) != (c == a):
      guard let source = column(of: b == a ? c : b, at: place) else { return false }
      let loop = instruction.opcode == .addInt ? Columns.addingInts : Columns.addingDoubles
      step = ColumnCode.Step(.sum, instruction, operands: 1, loop)
      step.b = source
      step.a = newColumn()
      _ = set(step.a, of: cell.slot)
    default:
      // The result is a column, and the cell keeps its last number.
      let looksAtItself = b == a || c == a && instruction.opcode.access.contains(.readsC)
      guard !looksAtItself, compute(instruction, at: place), let result = computed[cell.slot] else { return false }
      step = ColumnCode.Step(.keep, instruction, operands: 1, Columns.keeping)
      step.b = result
    }
    step.cell = write(cell, at: place)
    steps.append(step)
    return true
  }

  // MARK: Columns

  mutating func add(_ step: ColumnCode.Step) { steps.append(step) }

  /// Whether a cell has been neither written nor read.
  func isFresh(_ cell: ScalarCell) -> Bool { written[cell.slot] == nil && scalars[cell.slot] == nil }

  mutating func write(_ cell: ScalarCell, at place: Int) -> Int {
    uses.append((cell.slot, place))
    written[cell.slot] = writtenCells.count
    writtenCells.append(cell)
    return writtenCells.count - 1
  }

  /// Returns the column of a slot's content; nil if there is none.
  mutating func column(of slot: UInt16, at place: Int) -> Int? {
    let slot = Int(slot)
    if let column = computed[slot] { return column }
    guard written[slot] == nil, !unknown.contains(slot) else { return nil }
    if cells[slot] != nil { uses.append((slot, place)) }
    if let column = scalars[slot] { return column }
    // Only cells and constants have contents before they are written.
    guard cells[slot] != nil || body.tables.slotConstants.contains(where: { $0.register == slot }) else { return nil }
    let column = newColumn()
    scalars[slot] = column
    return column
  }

  /// Whether a column is constant for all runs.
  func isLasting(_ column: Int) -> Bool { scalars.values.contains(column) }

  mutating func newColumn() -> Int {
    columnCount += 1
    return columnCount - 1
  }

  private mutating func set(_ column: Int, of slot: Int) -> Bool {
    computed[slot] = column
    unknown.remove(slot)
    return true
  }

  // MARK: The rest

  /// Returns the first instruction that must not run on columns, because the rest uses a cell that it reads or writes;
  /// nil if there is none.
  private func conflict(withRestAt rest: Int) -> Int? {
    let used = Set(body.instructions[rest..<body.genericStart].flatMap(body.slots(of:)))
    return uses.filter { used.contains($0.slot) }.map(\.place).min()
  }

  private consuming func code(_ rest: Int?) -> ColumnCode? {
    var restSlots: [(slot: Int, column: Int)] = []
    if let rest {
      let used = Set(body.instructions[rest..<body.genericStart].flatMap(body.slots(of:)))
      guard used.isDisjoint(with: unknown) else { return nil }
      restSlots = computed.filter { used.contains($0.key) && cells[$0.key] == nil }.map { ($0.key, $0.value) }
        .sorted { $0.slot < $1.slot }
    }
    let packing = ColumnPacking(
      steps, inputs: [0], lasting: Set(scalars.values),
      needed: Set(restSlots.map(\.column)))
    let gain = packing.steps.count { $0.action != .count && $0.action != .keep }
    guard gain >= (rest == nil ? 1 : 3) else { return nil }
    return ColumnCode(
      packing, scalars: scalars.map { ($0.key, $0.value) }.sorted { $0.slot < $1.slot },
      cells: writtenCells, rest: rest, restSlots: restSlots)
  }
}

extension Instruction {
  /// Whether the run ends here and drops its input.
  var isDrop: Bool { opcode == .end && c == UInt16(ProgramOutcome.dropped.rawValue) }

  /// Whether a run emits a value here, and others follow it.
  var emitsOnTheWay: Bool {
    switch opcode {
    case .emit, .emitValue: c == UInt16(ProgramOutcome.emitted.rawValue)
    // It reads slots that are not among its operands.
    case .emitRecord: true
    default: false
    }
  }
}

extension ProgramBody {
  /// Returns the slots that an instruction reads or writes.
  fileprivate func slots(of instruction: Instruction) -> [Int] {
    var slots: [Int] = []
    instruction.forEachSlot { slots.append($0) }
    if instruction.opcode.access.contains(.readsBindings) {
      let evaluation = tables.evaluations[Int(instruction.immediate)]
      for binding in tables.bindings(of: evaluation) where binding.scalar != nil { slots.append(binding.register) }
    }
    return slots
  }
}
