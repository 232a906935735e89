/// Register allocation for the slots of a program's typed half.
///
/// Jumps go forward only, so the live range of a slot extends from the first instruction that writes it to the last
/// that reads it. Slots whose live ranges do not overlap share a number.
///
/// - SeeAlso: linear scan register allocation (Poletto, Sarkar 1999).
struct SlotPacking {
  /// The new number of each used slot; -1 for the others.
  private(set) var numbers: [Int]
  /// Number of slots after packing.
  private(set) var count = 0

  private struct Interval {
    let slot: Int
    var first: Int
    var last: Int
  }

  /// - Parameters:
  ///   - constants: The slots of constants; unread ones get no number. They and the slots of cells are lasting: their
  ///     contents stay from one run to the next.
  ///   - input: The slot of the input, which gets number 0; nil if the input is in no slot.
  init(_ optimizer: borrowing Optimizer, constants: [(register: Int, bits: Int64)], input: Int?) {
    numbers = Array(filledWith: -1, count: optimizer.slotCount)
    // Ordered by first use.
    var intervals: [Interval] = []
    intervals.reserveCapacity(min(optimizer.slotCount, 32))
    var places = numbers
    for index in optimizer.code.indices {
      optimizer.forEachSlot(at: index) { slot in
        if places[slot] < 0 {
          places[slot] = intervals.count
          intervals.append(Interval(slot: slot, first: index, last: index))
        } else {
          intervals[places[slot]].last = index
        }
      }
    }
    if let input { give(0, to: input) }
    for slot in optimizer.kept where numbers[slot] < 0 { give(count, to: slot) }
    for (slot, _) in constants where numbers[slot] < 0 && places[slot] >= 0 { give(count, to: slot) }
    // The instruction after which each number is free. The numbers of lasting slots never are.
    var freeAfter = Array(filledWith: Int.max, count: count)
    // A side exit needs the input.
    if let input {
      let last = places[input] < 0 ? -1 : intervals[places[input]].last
      freeAfter[0] = max(last, optimizer.code.lastIndex { $0.opcode.mayLeave } ?? -1)
    }
    for interval in intervals where numbers[interval.slot] < 0 {
      // An instruction may write to a slot whose last read is its own: it reads before it writes, and it exits before
      // it has written, unless it reports its cost.
      let isLate = optimizer.code[interval.first].opcode.access.contains(.writesC)
      if let number = freeAfter.firstIndex(where: { $0 < interval.first || $0 == interval.first && !isLate }) {
        numbers[interval.slot] = number
        freeAfter[number] = interval.last
      } else {
        give(count, to: interval.slot)
        freeAfter.append(interval.last)
      }
    }
  }

  private mutating func give(_ number: Int, to slot: Int) {
    numbers[slot] = number
    count = max(count, number + 1)
  }

  /// Returns a scratch slot for single steps of the generic half: one that is not lasting, or a new one.
  mutating func scratch(apartFrom kept: [Int], _ constants: [(register: Int, bits: Int64)]) -> Int {
    let free = (0..<count).first { number in
      !kept.contains { numbers[$0] == number } && !constants.contains { numbers[$0.register] == number }
    }
    if let free { return free }
    count += 1
    return count - 1
  }

  /// Whether the slot is in use.
  func has(_ slot: Int) -> Bool { numbers[slot] >= 0 }

  func number(of slot: Int) -> Int { max(numbers[slot], 0) }

  func packed(_ instruction: Instruction) -> Instruction { instruction.moved(number(of:)) }

  func packed(_ part: Part) -> Part {
    guard case .scalar(let scalar, let slot) = part.location else { return part }
    var packed = part
    packed.location = .scalar(scalar, number(of: slot))
    return packed
  }

  /// Gives the registers of bindings their new numbers.
  func pack(_ optimizer: inout Optimizer) {
    for index in optimizer.bindings.indices where optimizer.bindings[index].scalar != nil {
      optimizer.bindings[index].register = number(of: optimizer.bindings[index].register)
    }
  }

  /// Gives the operands in slots their new numbers.
  func pack(_ operands: inout [OperandRecord]) {
    for index in operands.indices {
      guard case .scalar(let scalar, let slot) = operands[index].part.location else { continue }
      operands[index].part.location = .scalar(scalar, number(of: slot))
    }
  }
}

extension Optimizer {
  /// Calls a function with each slot that an instruction uses.
  @inline(__always)
  fileprivate func forEachSlot(at index: Int, _ body: (Int) -> Void) {
    let instruction = code[index]
    let access = instruction.opcode.access
    instruction.forEachSlot(body)
    if access.contains(.readsBindings) {
      for place in evaluations[Int(instruction.immediate)].bindings where bindings[place].scalar != nil {
        body(bindings[place].register)
      }
    }
  }
}

extension Instruction {
  /// Returns the instruction with renumbered slots.
  @inline(__always)
  func moved(_ number: (Int) -> Int) -> Instruction {
    let access = opcode.access
    var moved = self
    if !access.isDisjoint(with: [.readsA, .writesA]) { moved.a = UInt16(number(Int(a))) }
    if access.contains(.readsB) { moved.b = UInt16(number(Int(b))) }
    if !access.isDisjoint(with: [.readsC, .writesC]) { moved.c = UInt16(number(Int(c))) }
    return moved
  }
}
