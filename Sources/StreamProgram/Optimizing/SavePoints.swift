/// A cell that a side exit restores: the run may have changed it.
struct Undo: Sendable {
  enum Cell: Sendable {
    /// A slot that the run has counted up once.
    case counter(slot: Int)
    /// A slot or a boxed register, and the register with its copy.
    case slot(Int, copy: Int)
    case value(home: Int, copy: Int)
  }

  let cell: Cell
  /// Index of the instruction that counts or copies the cell. Exits behind it restore the cell.
  let place: Int
}

/// Makes a run of the typed half a transaction: a side exit rolls the cells back to the beginning of the run.
///
/// A cell that may change before a side exit is copied first, to a register of its own (a *save point*). A cell that is
/// only counted needs no copy. A run without a side exit writes its cells once, and commits nothing.
struct SavePoints {
  private(set) var code: [Instruction]
  /// Indices of the first instructions of all entries but the first.
  private(set) var entries: [Int]
  /// Number of slots and boxed registers, with those of the copies.
  private(set) var slotCount: Int
  private(set) var valueCount: Int
  private(set) var undos: [Undo] = []

  private let cells: [Cell]
  private let firstReset: Int
  /// The first cell that every row has.
  private let firstOfRow: Int
  /// Whether a side exit is possible at each instruction, or behind it.
  private var exits: [Bool] = []
  /// The farthest instruction with a possible side exit to which an instruction before this one jumps.
  private var reaches: [Int] = []
  /// Whether each instruction is the target of a jump, or begins an entry.
  private var isTarget: [Bool] = []

  /// - Parameters:
  ///   - code: The finished typed half.
  ///   - firstReset: Index of the first cell that `resetCells` resets.
  init(
    _ code: [Instruction], entries: [Int], _ cells: [Cell], firstReset: Int, firstOfRow: Int, slotCount: Int,
    valueCount: Int
  ) {
    self.code = code
    self.entries = entries
    self.cells = cells
    self.firstReset = firstReset
    self.firstOfRow = firstOfRow
    self.slotCount = slotCount
    self.valueCount = valueCount
  }

  /// Inserts the save points.
  mutating func insert() {
    guard !cells.isEmpty else { return }
    findExits()
    guard exits[0] || entries.contains(where: { exits[$0] }) else { return }
    var slots: [(slot: Int, places: [Int])] = []
    var homes: [(home: Int, places: [Int])] = []
    var counters: [(slot: Int, place: Int)] = []
    for (index, write) in firstWrites().enumerated() {
      guard let write else { continue }
      if case .scalar(_, let slot) = cells[index].part.location {
        if !write.isRepeated, code[write.place].opcode == .count, isPassed(write.place) {
          counters.append((slot, write.place))
        } else {
          slots.append((slot, places(before: write.place, index)))
        }
      } else {
        homes.append((cells[index].home, places(before: write.place, index)))
      }
    }
    insert(slots.sorted { $0.slot < $1.slot }, homes.sorted { $0.home < $1.home }, counters)
  }

  // MARK: Analysis

  private mutating func findExits() {
    exits = Array(filledWith: false, count: code.count + 1)
    isTarget = exits
    for index in code.indices.reversed() { exits[index] = code[index].opcode.mayLeave || isExitPossible(after: index) }
    for entry in entries { isTarget[entry] = true }
    reaches.reserveCapacity(code.count)
    var reach = 0
    for instruction in code {
      reaches.append(reach)
      guard instruction.opcode.access.contains(.jumps) else { continue }
      let target = Int(instruction.c)
      isTarget[target] = true
      if exits[target] { reach = max(reach, target) }
    }
  }

  private func isExitPossible(after index: Int) -> Bool {
    let access = code[index].opcode.access
    return !access.contains(.ends) && exits[index + 1] || access.contains(.jumps) && exits[Int(code[index].c)]
  }

  /// Returns for each cell the first instruction that writes it before a possible side exit; nil if there is none.
  private func firstWrites() -> [(place: Int, isRepeated: Bool)?] {
    var writes: [(place: Int, isRepeated: Bool)?] = Array(filledWith: nil, count: cells.count)
    var (bySlot, byHome): ([Int: Int], [Int: Int]) = ([:], [:])
    for (index, cell) in cells.enumerated() {
      if case .scalar(_, let slot) = cell.part.location { bySlot[slot] = index } else { byHome[cell.home] = index }
    }
    func note(_ cell: Int, _ place: Int) { writes[cell] = (writes[cell]?.place ?? place, writes[cell] != nil) }
    for (place, instruction) in code.enumerated() {
      let access = instruction.opcode.access
      if instruction.opcode == .resetCells {
        // It takes the side exit itself if the initial value of a cell does not fit the cell's slot.
        let fits = cells[firstReset...].allSatisfy { ScalarCell($0)?.fits != false }
        if !fits || isExitPossible(after: place) { for cell in firstReset..<cells.count { note(cell, place) } }
      } else if access.contains(.writesA), let cell = bySlot[Int(instruction.a)], isExitPossible(after: place) {
        note(cell, place)
      } else if access.contains(.writesValueA), let cell = byHome[Int(instruction.a)], isExitPossible(after: place) {
        note(cell, place)
      }
    }
    return writes
  }

  /// Whether every run that takes a side exit behind this instruction has carried it out.
  private func isPassed(_ place: Int) -> Bool { entries.isEmpty && reaches[place] <= place }

  /// Returns the instructions before which a cell is copied.
  ///
  /// - Parameter write: The first instruction that writes the cell.
  private func places(before write: Int, _ cell: Int) -> [Int] {
    let place = start(ofWrite: write)
    if isPassed(place) { return [place] }
    var places = [0] + entries
    if cell >= firstOfRow, let entering = code.firstIndex(where: { $0.opcode.entersRow }) { places.append(entering + 1) }
    return places
  }

  /// Returns the first of the writes, with the computations of their results, that follow each other up to this one.
  private func start(ofWrite write: Int) -> Int {
    var place = write
    while place > 0, !isTarget[place] {
      let (origin, move) = (code[place - 1], code[place])
      let isResult =
        move.opcode == .move && origin.opcode.access.contains(.writesA)
        || move.opcode == .moveValue && origin.opcode.access.contains(.writesValueA)
      guard isResult && origin.a == move.b || origin.opcode == .move || origin.opcode == .moveValue else { break }
      place -= 1
    }
    return place
  }

  // MARK: Insertion

  private mutating func insert(
    _ slots: [(slot: Int, places: [Int])], _ homes: [(home: Int, places: [Int])],
    _ counters: [(slot: Int, place: Int)]
  ) {
    var saves: [Int: [Instruction]] = [:]
    for (number, (slot, places)) in slots.enumerated() {
      for place in places { Self.add(.save, slot, slotCount + number, to: &saves[place, default: []]) }
    }
    for (number, (home, places)) in homes.enumerated() {
      for place in places { Self.add(.saveValues, home, valueCount + number, to: &saves[place, default: []]) }
    }
    let numbers = insert(saves)
    undos = counters.map { Undo(cell: .counter(slot: $0.slot), place: numbers[$0.place + 1] - 1) }
    for (number, (slot, places)) in slots.enumerated() {
      undos += places.map { Undo(cell: .slot(slot, copy: slotCount + number), place: numbers[$0]) }
    }
    for (number, (home, places)) in homes.enumerated() {
      undos += places.map { Undo(cell: .value(home: home, copy: valueCount + number), place: numbers[$0]) }
    }
    slotCount += slots.count
    valueCount += homes.count
  }

  /// Adds the copy of a cell to those before an instruction. Neighboring cells are copied together.
  private static func add(_ opcode: Opcode, _ register: Int, _ copy: Int, to saves: inout [Instruction]) {
    if let last = saves.last, last.opcode == opcode, Int(last.b + last.c) == register, Int(last.a + last.c) == copy {
      saves[saves.count - 1].c += 1
    } else {
      saves.append(Instruction(opcode, a: copy, b: register, c: 1))
    }
  }

  /// Inserts instructions before others. Returns the new index of each instruction, or of the first one inserted before
  /// it.
  private mutating func insert(_ inserted: [Int: [Instruction]]) -> [Int] {
    var numbers: [Int] = []
    var all: [Instruction] = []
    for (index, instruction) in code.enumerated() {
      numbers.append(all.count)
      all += inserted[index] ?? []
      all.append(instruction)
    }
    numbers.append(all.count)
    for index in all.indices where all[index].opcode.access.contains(.jumps) {
      all[index].c = UInt16(numbers[Int(all[index].c)])
    }
    entries = entries.map { numbers[$0] }
    code = all
    return numbers
  }
}

extension Opcode {
  /// Whether the instruction may take its side exit.
  var mayLeave: Bool {
    switch self {
    case .leave, .enterIntRow, .enterRow: true
    case .moveValue, .box, .sameValue, .record, .count, .countValue, .prepare, .bindSlot, .bindValue, .save, .saveValues:
      false
    default: access.contains(.acts) && access.isDisjoint(with: [.jumps, .ends])
    }
  }

  fileprivate var entersRow: Bool { self == .enterIntRow || self == .enterRow }
}
