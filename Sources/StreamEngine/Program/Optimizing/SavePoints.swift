/// A cell that a side exit restores, because the run may have changed it.
struct Undo: Sendable {
  enum Cell: Sendable {
    /// A slot that the run has counted up once.
    case counter(slot: Int)
    /// A slot or a boxed register, and the register with its copy.
    case slot(Int, copy: Int)
    case value(boxedRegister: Int, copy: Int)
  }

  let cell: Cell
  /// Index of the instruction that counts or copies the cell.
  let place: Int
}

/// Makes each run of the typed half a transaction: a side exit rolls the cells back to the beginning of the run.
///
/// A cell that changes before a possible side exit is copied first, to a register of its own. A cell that is only
/// counted needs no copy. A run without a side exit writes its cells in place, and has nothing to commit.
struct SavePoints {
  private(set) var code: [Instruction]
  /// Indices of the first instructions of all entries but the first.
  private(set) var entries: [Int]
  /// Number of slots and boxed registers, including those of the copies.
  private(set) var slotCount: Int
  private(set) var valueCount: Int
  private(set) var undos: [Undo] = []
  /// Whether a side exit is possible at each instruction, or after it.
  private var exits: [Bool]
  /// The last instruction to which any instruction before this one jumps, provided that a side exit is possible there.
  private var reaches: [Int] = []
  private var targets: Set<Int>

  /// - Parameter code: The finished typed half.
  init(_ code: [Instruction], entries: [Int], slotCount: Int, valueCount: Int) {
    self.code = code
    self.entries = entries
    self.slotCount = slotCount
    self.valueCount = valueCount
    exits = Array(filledWith: false, count: code.count + 1)
    targets = Set(entries)
    for index in code.indices.reversed() { exits[index] = code[index].opcode.mayLeave || isExitPossible(after: index) }
    for instruction in code {
      reaches.append(reaches.last ?? 0)
      guard instruction.opcode.access.contains(.jumps) else { continue }
      targets.insert(Int(instruction.c))
      if exits[Int(instruction.c)] { reaches[reaches.count - 1] = max(reaches.last ?? 0, Int(instruction.c)) }
    }
  }

  private func isExitPossible(after index: Int) -> Bool {
    let access = code[index].opcode.access
    return !access.contains(.ends) && exits[index + 1] || access.contains(.jumps) && exits[Int(code[index].c)]
  }

  /// Inserts the copies.
  ///
  /// - Parameters:
  ///   - firstReset: Index of the first cell that `resetCells` resets.
  ///   - firstOfRow: Index of the first cell that every row has.
  mutating func insert(_ cells: [Cell], firstReset: Int, firstOfRow: Int) {
    guard !cells.isEmpty, exits.contains(true) else { return }
    var copies: [Int: [Instruction]] = [:]
    var restored: [(cell: Undo.Cell, place: Int, offset: Int?)] = []
    for (index, writes) in writes(of: cells, firstReset).enumerated() {
      guard let first = writes.first else { continue }
      if writes.count == 1, code[first].opcode == .count, isPassed(first) {
        restored.append((.counter(slot: Int(code[first].a)), first, nil))
        continue
      }
      let (cell, copy): (Undo.Cell, Instruction)
      if case .scalar(_, let slot) = cells[index].part.location {
        (cell, copy) = (.slot(slot, copy: slotCount), Instruction(.move, a: slotCount, b: slot))
        slotCount += 1
      } else {
        let boxedRegister = cells[index].boxedRegister
        (cell, copy) = (
          .value(boxedRegister: boxedRegister, copy: valueCount),
          Instruction(.moveValue, a: valueCount, b: boxedRegister)
        )
        valueCount += 1
      }
      for place in places(before: first, isOfRow: index >= firstOfRow) {
        restored.append((cell, place, copies[place]?.count ?? 0))
        copies[place, default: []].append(copy)
      }
    }
    let numbers = insert(copies)
    undos = restored.map { cell, place, offset in
      Undo(cell: cell, place: numbers[place] + (offset ?? copies[place]?.count ?? 0))
    }
  }

  /// Returns for each cell the instructions that write it before a possible side exit.
  private func writes(of cells: [Cell], _ firstReset: Int) -> [[Int]] {
    var writes: [[Int]] = Array(filledWith: [], count: cells.count)
    var (bySlot, byRegister): ([Int: Int], [Int: Int]) = ([:], [:])
    for (index, cell) in cells.enumerated() {
      if case .scalar(_, let slot) = cell.part.location {
        bySlot[slot] = index
      } else {
        byRegister[cell.boxedRegister] = index
      }
    }
    for (place, instruction) in code.enumerated() {
      let access = instruction.opcode.access
      if instruction.opcode == .resetCells { for cell in firstReset..<cells.count { writes[cell].append(place) } }
      guard isExitPossible(after: place) else { continue }
      if access.contains(.writesA), let cell = bySlot[Int(instruction.a)] {
        writes[cell].append(place)
      } else if access.contains(.writesValueA), let cell = byRegister[Int(instruction.a)] {
        writes[cell].append(place)
      }
    }
    return writes
  }

  /// Whether every run that takes a side exit after this instruction has carried it out.
  private func isPassed(_ place: Int) -> Bool { entries.isEmpty && (place == 0 || reaches[place - 1] <= place) }

  /// Returns the instructions before which a cell is copied: the first that writes it; otherwise the beginning of each
  /// entry, and of the row.
  private func places(before write: Int, isOfRow: Bool) -> [Int] {
    let place = start(ofWrite: write)
    if isPassed(place) { return [place] }
    let entering = code.firstIndex { $0.opcode == .enterIntRow || $0.opcode == .enterRow }
    return [0] + entries + (isOfRow ? entering.map { [$0 + 1] } ?? [] : [])
  }

  /// Returns the beginning of the neighboring writes up to this one, with the computation of what they write: cells that
  /// are written together are copied together.
  private func start(ofWrite write: Int) -> Int {
    var place = write
    while place > 0, !targets.contains(place) {
      let (before, access) = (code[place - 1], code[place - 1].opcode.access)
      let isResult =
        !access.isDisjoint(with: [.writesA, .writesValueA]) && before.a == code[place].b && code[place].opcode.isMove
      guard isResult || before.opcode.isMove else { break }
      place -= 1
    }
    return place
  }

  /// Inserts instructions before others. Returns the new index of each instruction, or of the first one inserted before
  /// it.
  private mutating func insert(_ inserted: [Int: [Instruction]]) -> [Int] {
    var (numbers, all): ([Int], [Instruction]) = ([], [])
    for (index, instruction) in code.enumerated() {
      numbers.append(all.count)
      all += inserted[index, default: []]
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
  fileprivate var isMove: Bool { self == .move || self == .moveValue }

  /// Whether the instruction may take its side exit.
  var mayLeave: Bool {
    switch self {
    case .leave, .enterIntRow, .enterRow: true
    case .moveValue, .box, .sameValue, .record, .count, .countValue, .prepare, .bindSlot, .bindValue: false
    default: access.contains(.acts) && access.isDisjoint(with: [.jumps, .ends])
    }
  }
}
