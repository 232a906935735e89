extension Optimizer {
  /// Eliminates dead code, and fuses comparisons with the branches after them, in one backward pass.
  mutating func fuse() {
    var atTargets: [Int: SlotSet] = [:]
    var live = SlotSet(count: slotCount)
    for index in code.indices.reversed() {
      if code[index].opcode.access.contains(.ends) { live = SlotSet(count: slotCount, kept) }
      if code[index].opcode.access.contains(.jumps), let others = atTargets[Int(code[index].c)] {
        if code[index].opcode == .jump { live = others } else { live.formUnion(others) }
      }
      // Here `live` holds the slots that are live after the instruction.
      rewrite(index, live)
      noteUses(at: index, in: &live)
      if isTarget[index] { atTargets[index] = live }
    }
  }

  /// Turns the slots that are live after an instruction into those that are live before it.
  private func noteUses(at index: Int, in live: inout SlotSet) {
    let instruction = code[index]
    let access = instruction.opcode.access
    if access.contains(.writesA), !access.contains(.readsA) { live.remove(Int(instruction.a)) }
    if access.contains(.readsA) { live.insert(Int(instruction.a)) }
    if access.contains(.readsB) { live.insert(Int(instruction.b)) }
    if access.contains(.readsC) { live.insert(Int(instruction.c)) }
    if access.contains(.readsBindings) {
      for place in evaluations[Int(instruction.immediate)].bindings where bindings[place].scalar != nil {
        live.insert(bindings[place].register)
      }
    }
  }

  private mutating func rewrite(_ index: Int, _ after: SlotSet) {
    let instruction = code[index]
    let access = instruction.opcode.access
    if access.contains(.writesA), !access.contains(.acts), !after.contains(Int(instruction.a)) {
      code[index] = Instruction(.nop)
      return
    }
    switch instruction.opcode {
    case .move: retarget(index, after)
    case .branchUnless, .branchIf: joinComparison(index, after)
    default: break
    }
  }

  /// Computes a result that is only moved directly in the target slot.
  private mutating func retarget(_ index: Int, _ after: SlotSet) {
    let move = code[index]
    guard !after.contains(Int(move.b)), let origin = predecessor(of: index), code[origin].a == move.b,
      code[origin].opcode.access.contains(.writesA), !code[origin].opcode.access.contains(.readsA)
    else { return }
    code[origin].a = move.a
    code[index] = Instruction(.nop)
  }

  /// Fuses a branch with a comparison whose result only the branch reads.
  private mutating func joinComparison(_ index: Int, _ after: SlotSet) {
    let branch = code[index]
    guard !after.contains(Int(branch.a)), let origin = predecessor(of: index), code[origin].a == branch.a,
      code[origin].opcode.access.contains(.writesA)
    else { return }
    let comparison = code[origin]
    if comparison.opcode == .not {
      code[origin] = Instruction(.nop)
      code[index].opcode = branch.opcode == .branchIf ? .branchUnless : .branchIf
      code[index].a = comparison.b
      return joinComparison(index, after)
    }
    let joined = branch.opcode == .branchUnless ? comparison.opcode.branchUnless : comparison.opcode.branchIf
    guard let joined else { return }
    var instruction = Instruction(joined, a: Int(comparison.b), c: Int(branch.c), comparison.immediate)
    if joined.access.contains(.readsB) { instruction.b = comparison.c }
    code[origin] = Instruction(.nop)
    code[index] = joinedRemainder(instruction, index, after) ?? instruction
  }

  /// Returns the fusion of a branch on a constant with the remainder that it compares; nil if there is none.
  private mutating func joinedRemainder(_ branch: Instruction, _ index: Int, _ after: SlotSet) -> Instruction? {
    guard branch.opcode == .branchUnlessEqualIntK || branch.opcode == .branchUnlessUnequalIntK,
      !after.contains(Int(branch.a)), let origin = predecessor(of: index), code[origin].opcode == .remainderIntK,
      code[origin].a == branch.a, let rest = Int32(exactly: branch.immediate)
    else { return nil }
    let isEqual = branch.opcode == .branchUnlessEqualIntK
    let (divisor, dividend) = (code[origin].immediate, Int(code[origin].b))
    if rest == 0, divisor > 0, divisor & (divisor - 1) == 0 {
      code[origin] = Instruction(.nop)
      return Instruction(
        isEqual ? .branchUnlessMultiple : .branchIfMultiple, a: dividend, c: Int(branch.c), divisor - 1)
    }
    if rest == 0, DivisibilityTest.isPossible(divisor) {
      code[origin] = Instruction(.nop)
      return Instruction(
        isEqual ? .branchUnlessDivisible : .branchIfDivisible, a: dividend, c: Int(branch.c), divisor)
    }
    guard let divisor = Int32(exactly: divisor) else { return nil }
    code[origin] = Instruction(.nop)
    return Instruction(
      isEqual ? .branchUnlessRemainderEqualK : .branchUnlessRemainderUnequalK, a: dividend, c: Int(branch.c),
      Int64(divisor) << 32 | Int64(UInt32(bitPattern: rest)))
  }
}

/// A set of slots.
struct SlotSet {
  /// The first 64 slots, which suffice for most programs.
  private var first: UInt64 = 0
  private var others: [UInt64] = []

  init(count: Int, _ slots: [Int] = []) {
    if count > 64 { others = Array(filledWith: 0, count: (count - 1) / 64) }
    for slot in slots { insert(slot) }
  }

  func contains(_ slot: Int) -> Bool {
    (slot < 64 ? first : others[slot >> 6 - 1]) >> UInt64(slot & 63) & 1 == 1
  }

  mutating func insert(_ slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    if slot < 64 { first |= bit } else { others[slot >> 6 - 1] |= bit }
  }

  mutating func remove(_ slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    if slot < 64 { first &= ~bit } else { others[slot >> 6 - 1] &= ~bit }
  }

  mutating func formUnion(_ other: SlotSet) {
    first |= other.first
    for index in others.indices { others[index] |= other.others[index] }
  }
}
