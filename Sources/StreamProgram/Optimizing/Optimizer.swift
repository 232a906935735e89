/// Makes a program's typed half shorter: jumps go where they end, what nobody reads is left out, and instructions that
/// belong together become one.
///
/// All jumps go forward. So one pass from the end to the beginning knows for each instruction which slots are read after
/// it.
///
/// NB: not copyable, so that its tables have one owner and are changed where they are.
struct Optimizer: ~Copyable {
  var code: [Instruction]
  /// The exit of each instruction.
  var exitPlaces: [Int32]
  let exits: [Exit]
  var moves: [Exit.Move]
  let evaluations: [Evaluation]
  var bindings: [Evaluation.Binding]
  let slotCount: Int
  /// The slots of cells, which are read after every run.
  let kept: [Int]
  /// The first instructions of the entries apart from the first.
  private(set) var entries: [Int] = []
  /// Where instructions are jumped to, or entries begin.
  var isTarget: [Bool] = []

  init(
    code: consuming [Instruction], exitPlaces: consuming [Int32], exits: [Exit], moves: consuming [Exit.Move],
    evaluations: [Evaluation], bindings: consuming [Evaluation.Binding], slotCount: Int, kept: [Int]
  ) {
    self.code = code
    self.exitPlaces = exitPlaces
    self.exits = exits
    self.moves = moves
    self.evaluations = evaluations
    self.bindings = bindings
    self.slotCount = slotCount
    self.kept = kept
  }

  /// Makes jumps to labels jumps to instructions.
  mutating func resolve(_ labels: [Int?], entries: [Int]) {
    self.entries = entries.compactMap { labels[$0] }
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
      if code[index].opcode != .nop { return code[index].opcode.access.contains(.ends) ? nil : index }
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
    isTarget = Array(filledWith: false, count: code.count + 1)
    for entry in entries { isTarget[entry] = true }
    var isReached = true
    for index in code.indices {
      if isTarget[index] { isReached = true }
      guard isReached else {
        code[index] = Instruction(.nop)
        continue
      }
      if code[index].opcode.access.contains(.jumps) { isTarget[Int(code[index].c)] = true }
      if code[index].opcode.access.contains(.ends) { isReached = false }
    }
  }

  /// Takes out what does nothing, with the jumps to what comes next.
  private mutating func compact() {
    for index in code.indices where code[index].opcode == .jump {
      var next = index + 1
      while next < Int(code[index].c), code[next].opcode == .nop { next += 1 }
      if next == Int(code[index].c) { code[index] = Instruction(.nop) }
    }
    var places: [Int32] = []
    places.reserveCapacity(code.count + 1)
    var count = 0
    for index in code.indices {
      places.append(Int32(count))
      guard code[index].opcode != .nop else { continue }
      code[count] = code[index]
      exitPlaces[count] = exitPlaces[index]
      count += 1
    }
    places.append(Int32(count))
    code.removeLast(code.count - count)
    exitPlaces.removeLast(exitPlaces.count - count)
    for index in code.indices where code[index].opcode.access.contains(.jumps) {
      code[index].c = UInt16(places[Int(code[index].c)])
    }
    for index in entries.indices { entries[index] = Int(places[entries[index]]) }
  }
}

extension Array {
  /// So many of one element.
  ///
  /// NB: a short array is made for less this way: what the library has looks for the type of the array's memory each time.
  init(filledWith element: Element, count: Int) {
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(element) }
  }
}
