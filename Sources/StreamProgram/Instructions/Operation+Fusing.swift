extension Operation {
  /// A handler that runs an instruction together with the next one; nil if no rule applies to the two. The next one keeps
  /// its own handler, for jumps that lead there. The article Speed has the gain of each rule.
  static func fusedHandler(_ instructions: [Instruction], at place: Int) -> Handler? {
    // Not over a place where the stack is given up.
    guard place + 1 < instructions.count, (place + 1) % stretch != 0 else { return nil }
    let (first, second) = (instructions[place], instructions[place + 1])
    switch (first.opcode, second.opcode) {
    case (.addInt, .move) where second.b == first.a:
      return { Cursor($0, $1, $2).compute(Kernel.addInt) { $0.move($1) } }
    case (.addDouble, .move) where second.b == first.a:
      return { Cursor($0, $1, $2).compute(Kernel.addDouble) { $0.move($1) } }
    case (.move, .move): return { Cursor($0, $1, $2).move { $0.move() } }
    case (.addIntK, .branchUnlessMultiple) where second.a == first.a:
      return { Cursor($0, $1, $2).computeK(Kernel.addInt) { $0.branchK($1, Kernel.isMultiple) } }
    case (.addIntK, .branchIfMultiple) where second.a == first.a:
      return { Cursor($0, $1, $2).computeK(Kernel.addInt) { $0.branchK($1, Kernel.isNoMultiple) } }
    case (.multiplyIntK, .branchUnlessMultiple) where second.a == first.a:
      return { Cursor($0, $1, $2).computeK(Kernel.multiplyInt) { $0.branchK($1, Kernel.isMultiple) } }
    case (.multiplyIntK, .branchIfMultiple) where second.a == first.a:
      return { Cursor($0, $1, $2).computeK(Kernel.multiplyInt) { $0.branchK($1, Kernel.isNoMultiple) } }
    default: return nil
    }
  }
}
