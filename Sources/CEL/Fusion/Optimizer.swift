/// Makes a program's typed half shorter: jumps go where they end, what nobody reads is left out, and instructions that
/// belong together become one.
///
/// All jumps go forward. So one pass from the end to the beginning knows for each instruction which slots are read after
/// it.
struct Optimizer {
  var code: [Instruction]
  /// The exit of each instruction.
  var exitPlaces: [Int]
  var exits: [Exit]
  var evaluations: [Evaluation]
  let slotCount: Int
  /// The slots of cells, which are read after every run.
  let kept: [Int]
  /// Where instructions are jumped to.
  var isTarget: [Bool] = []

  init(
    code: [Instruction], exitPlaces: [Int], exits: [Exit], evaluations: [Evaluation], slotCount: Int, kept: [Int]
  ) {
    self.code = code
    self.exitPlaces = exitPlaces
    self.exits = exits
    self.evaluations = evaluations
    self.slotCount = slotCount
    self.kept = kept
  }

  /// Makes jumps to labels jumps to instructions.
  mutating func resolve(_ labels: [Int?]) {
    for index in code.indices where code[index].opcode.access.contains(.jumps) {
      guard let place = labels[Int(code[index].c)] else {
        preconditionFailure("a label that is jumped to is placed")
      }
      code[index].c = UInt16(place)
    }
  }

  mutating func run() {
    thread()
    removeUnreachable()
    shareCells()
    fuse()
    compact()
  }

  /// The instruction that runs at this place: the next one that does anything.
  func effective(_ index: Int) -> Int {
    var index = index
    while index < code.count - 1, code[index].opcode == .nop { index += 1 }
    return index
  }

  /// The instruction that always runs right before, if there is one.
  func predecessor(of index: Int) -> Int? {
    var index = index
    while index > 0, !isTarget[index] {
      index -= 1
      if code[index].opcode != .nop { return code[index].opcode.isFinal ? nil : index }
    }
    return nil
  }

  // MARK: Jumps

  private mutating func thread() {
    // From the end, so that what is jumped to has been done.
    for index in code.indices.reversed() where code[index].opcode.access.contains(.jumps) {
      var target = effective(Int(code[index].c))
      while let next = continuation(of: code[index], at: target) { target = effective(next) }
      code[index].c = UInt16(target)
      if code[index].opcode == .jump, code[target].opcode == .end { code[index] = code[target] }
    }
  }

  /// Where a jump goes on that comes to an instruction whose outcome it knows.
  private func continuation(of jump: Instruction, at target: Int) -> Int? {
    let next = code[target]
    switch (jump.opcode, next.opcode) {
    case (_, .jump): return Int(next.c)
    case (.branchUnless, .branchUnless) where jump.a == next.a, (.branchIf, .branchIf) where jump.a == next.a:
      return Int(next.c)
    case (.branchUnless, .branchIf) where jump.a == next.a, (.branchIf, .branchUnless) where jump.a == next.a:
      return target + 1
    default: return nil
    }
  }

  private mutating func removeUnreachable() {
    isTarget = Array(repeating: false, count: code.count + 1)
    var isReached = true
    for index in code.indices {
      if isTarget[index] { isReached = true }
      guard isReached else {
        code[index] = Instruction(.nop)
        continue
      }
      if code[index].opcode.access.contains(.jumps) { isTarget[Int(code[index].c)] = true }
      if code[index].opcode.isFinal { isReached = false }
    }
  }

  /// Takes out what does nothing, with the jumps to what comes next.
  private mutating func compact() {
    for index in code.indices where code[index].opcode == .jump {
      if (index + 1..<Int(code[index].c)).allSatisfy({ code[$0].opcode == .nop }) { code[index] = Instruction(.nop) }
    }
    var places: [Int] = []
    places.reserveCapacity(code.count + 1)
    var count = 0
    for instruction in code {
      places.append(count)
      if instruction.opcode != .nop { count += 1 }
    }
    places.append(count)
    var compacted: [Instruction] = []
    var compactedPlaces: [Int] = []
    compacted.reserveCapacity(count)
    compactedPlaces.reserveCapacity(count)
    for (index, instruction) in code.enumerated() where instruction.opcode != .nop {
      var instruction = instruction
      if instruction.opcode.access.contains(.jumps) { instruction.c = UInt16(places[Int(instruction.c)]) }
      compacted.append(instruction)
      compactedPlaces.append(exitPlaces[index])
    }
    code = compacted
    exitPlaces = compactedPlaces
  }
}
