/// Optimizes a program's typed half by jump threading, dead code elimination, and branches that compare.
///
/// All jumps go forward, so one backward pass determines the slots that are live after each instruction.
///
/// NB: Not copyable, so that its tables have one owner and are mutated in place.
struct Optimizer: ~Copyable {
  var code: [Instruction]
  let evaluations: [Evaluation]
  var bindings: [Evaluation.Binding]
  let slotCount: Int
  /// The slots of cells, which are read after every run.
  let kept: [Int]
  /// Index of the first instruction of each entry but the first entry.
  private(set) var entries: [Int] = []
  /// Whether each instruction is the target of a jump, or begins an entry.
  var isTarget: [Bool] = []

  init(
    code: consuming [Instruction], evaluations: [Evaluation], bindings: consuming [Evaluation.Binding],
    slotCount: Int, kept: [Int]
  ) {
    self.code = code
    self.evaluations = evaluations
    self.bindings = bindings
    self.slotCount = slotCount
    self.kept = kept
  }

  /// Replaces the labels of jumps with indices of instructions.
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

  /// Returns the index of the instruction that runs at `index`: the next that is not a `nop`.
  func effective(_ index: Int) -> Int {
    var index = index
    while index < code.count - 1, code[index].opcode == .nop { index += 1 }
    return index
  }

  /// Returns the index of the instruction that always runs right before; nil if there is none.
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
    // Backward, so that jumps at the targets have been threaded already.
    for index in code.indices.reversed() where code[index].opcode.access.contains(.jumps) {
      var target = effective(Int(code[index].c))
      while let next = continuation(of: code[index], at: target) { target = effective(next) }
      code[index].c = UInt16(target)
      if code[index].opcode == .jump, code[target].opcode == .end { code[index] = code[target] }
    }
  }

  /// Returns the instruction at which a jump continues, if it determines the outcome of that at `target`; else nil.
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

  /// Removes `nop` instructions, and jumps to the next instruction.
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
      count += 1
    }
    places.append(Int32(count))
    code.removeLast(code.count - count)
    for index in code.indices where code[index].opcode.access.contains(.jumps) {
      code[index].c = UInt16(places[Int(code[index].c)])
    }
    for index in entries.indices { entries[index] = Int(places[entries[index]]) }
  }
}

extension Array {
  /// Creates an array that repeats one element.
  ///
  /// NB: Cheaper for short arrays than the library's initializer, which looks up the type of the array's storage each
  /// time.
  init(filledWith element: Element, count: Int) {
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(element) }
  }
}
