// If-conversion: the columns of both arms of a branch are computed, and then chosen by a mask.

extension ColumnReader {
  /// Translates a branch whose arms only compute and join again. Returns the join point; nil for other branches.
  mutating func choice(at place: Int, to limit: Int) -> Int? {
    let instruction = body.instructions[place]
    guard let marking = testing(instruction, at: place, .mark) else { return nil }
    var mark = marking
    mark.a = newColumn()
    add(mark)
    let target = Int(instruction.c)
    let (before, known) = (computed, unknown)
    guard let meeting = way(from: place + 1, to: target), meeting <= limit else { return nil }
    let (first, firstUnknown) = (computed, unknown)
    (computed, unknown) = (before, known)
    guard way(from: target, to: meeting) == meeting else { return nil }
    let (second, secondUnknown) = (computed, unknown)
    // A slot that both arms leave in the same column holds that column, whether or not it did so before the branch.
    (computed, unknown) = (first, firstUnknown.union(secondUnknown))
    for slot in Set(first.keys).union(second.keys).sorted() where first[slot] != second[slot] {
      // NB: Neither arm writes a cell.
      guard !unknown.contains(slot), let passing = first[slot] ?? lasting(slot),
        let other = second[slot] ?? lasting(slot)
      else {
        computed[slot] = nil
        unknown.insert(slot)
        continue
      }
      var step = ColumnCode.Step(.choose, Instruction(.nop), operands: 3, Columns.choosing)
      (step.a, step.b, step.c, step.mask) = (newColumn(), passing, other, mark.a)
      add(step)
      computed[slot] = step.a
    }
    return meeting
  }

  /// Returns the column of a constant; nil if the slot holds none.
  private mutating func lasting(_ slot: Int) -> Int? { cells[slot] == nil ? column(of: UInt16(slot), at: 0) : nil }

  /// Translates an arm of a branch. Returns the instruction at which it continues, `end` or a later one; nil if the arm
  /// does more than compute.
  private mutating func way(from start: Int, to end: Int) -> Int? {
    var place = start
    while place < end {
      let instruction = body.instructions[place]
      switch instruction.opcode {
      case .nop: place += 1
      case .jump: return Int(instruction.c)
      case let opcode where opcode.access.contains(.jumps):
        guard let next = choice(at: place, to: end) else { return nil }
        place = next
      default:
        guard cells[Int(instruction.a)] == nil, compute(instruction, at: place) else { return nil }
        place += 1
      }
    }
    return place
  }

  /// Translates code that drops a number equal to that of the previous run, as `removeDuplicates` writes it. Returns
  /// the next instruction; nil for other code.
  ///
  ///     branchUnless flag → new; (equalDouble test number cell; branchUnless test → new | branchUnlessEqualInt …)
  ///     move cell number; end; new: move flag true; move cell number
  mutating func distinct(at place: Int, to limit: Int) -> Int? {
    let code = body.instructions
    let has = code[place]
    guard has.opcode == .branchUnless, let flag = cells[Int(has.a)], isFresh(flag) else { return nil }
    let target = Int(has.c)
    let new = target < limit ? endOfCopies(from: target, to: limit) : target
    guard new + 2 <= limit else { return nil }
    var next = place + 1
    let (isDouble, compared) = (code[next].opcode == .equalDouble, code[next])
    let sides = isDouble ? (compared.b, compared.c) : (compared.a, compared.b)
    if isDouble {
      next += 1
      guard code[next].opcode == .branchUnless, code[next].a == compared.a, cells[Int(compared.a)] == nil else {
        return nil
      }
    } else {
      guard compared.opcode == .branchUnlessEqualInt else { return nil }
    }
    guard Int(code[next].c) == target, let (number, cell) = cell(among: sides), cell.slot != flag.slot else {
      return nil
    }
    // The paths for equal and for unequal numbers.
    guard next + 3 == target, code[next + 1].moves(number, to: cell.slot), code[next + 2].isDrop,
      code[new].opcode == .move, Int(code[new].a) == flag.slot, code[new + 1].moves(number, to: cell.slot),
      !isDouble || number != compared.a, let tested = column(of: number, at: place),
      let truth = column(of: code[new].b, at: place), isLasting(truth)
    else { return nil }
    var step = ColumnCode.Step(
      .distinct, compared, operands: 2, isDouble ? Columns.distinctDoubles : Columns.distinctInts)
    (step.b, step.c) = (tested, truth)
    noteCopies(target..<new)
    step.cell = write(cell, at: place)
    step.flag = write(flag, at: place)
    add(step)
    if isDouble {
      // The comparison runs only if there is a previous number.
      computed[Int(compared.a)] = nil
      unknown.insert(Int(compared.a))
    }
    computed[cell.slot] = tested
    computed[flag.slot] = truth
    return new + 2
  }

  /// Returns the fresh cell among two slots, and the other slot; nil if neither is a fresh cell.
  private func cell(among slots: (UInt16, UInt16)) -> (number: UInt16, cell: ScalarCell)? {
    if let cell = cells[Int(slots.1)], isFresh(cell) { return (slots.0, cell) }
    if let cell = cells[Int(slots.0)], isFresh(cell) { return (slots.1, cell) }
    return nil
  }
}

extension Instruction {
  fileprivate func moves(_ source: UInt16, to target: Int) -> Bool {
    opcode == .move && b == source && Int(a) == target
  }
}
