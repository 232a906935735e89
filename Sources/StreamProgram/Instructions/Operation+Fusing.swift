extension Operation {
  /// Returns the handler of a superinstruction, which runs an instruction together with its successors; nil if no rule
  /// applies. Each successor keeps its own handler for jumps to it. The article Speed has the gain of each rule.
  static func fusedHandler(_ instructions: [Instruction], at place: Int) -> Handler? {
    let start = instructions[place].opcode == .count ? place + 1 : place
    // A superinstruction, with a count after its test, must not span an operation that unwinds the stack.
    guard start + 2 < min((place / stretch + 1) * stretch, instructions.count) else { return nil }
    let (first, second) = (instructions[start], instructions[start + 1])
    switch (first.opcode, second.opcode) {
    case (.addInt, .move) where start == place && second.b == first.a:
      return { Cursor($0, $1, $2).compute(Kernel.addInt) { $0.move($1) } }
    case (.addDouble, .move) where start == place && second.b == first.a:
      return { Cursor($0, $1, $2).compute(Kernel.addDouble) { $0.move($1) } }
    default: return first.a == second.a ? testedHandler(first.opcode, second.opcode) : nil
    }
  }

  /// Returns the handler that fuses a computation with a test of its result. Operators often begin with a count.
  private static func testedHandler(_ first: Opcode, _ test: Opcode) -> Handler? {
    switch (first, test) {
    case (.addIntK, .branchUnlessMultiple):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.isMultiple) } }
    case (.addIntK, .branchIfMultiple):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.isNoMultiple) } }
    case (.addIntK, .branchUnlessDivisible):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.isDivisible) } }
    case (.addIntK, .branchIfDivisible):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.isIndivisible) } }
    case (.addIntK, .branchUnlessLessIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.lessInt) } }
    case (.addIntK, .branchUnlessLessOrEqualIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.lessOrEqualInt) } }
    case (.addIntK, .branchUnlessGreaterIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.greaterInt) } }
    case (.addIntK, .branchUnlessGreaterOrEqualIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.addInt) { $0.testK($1, Kernel.greaterOrEqualInt) } }
    case (.multiplyIntK, .branchUnlessMultiple):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.isMultiple) } }
    case (.multiplyIntK, .branchIfMultiple):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.isNoMultiple) } }
    case (.multiplyIntK, .branchUnlessDivisible):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.isDivisible) } }
    case (.multiplyIntK, .branchIfDivisible):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.isIndivisible) } }
    case (.multiplyIntK, .branchUnlessLessIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.lessInt) } }
    case (.multiplyIntK, .branchUnlessLessOrEqualIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.lessOrEqualInt) } }
    case (.multiplyIntK, .branchUnlessGreaterIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.greaterInt) } }
    case (.multiplyIntK, .branchUnlessGreaterOrEqualIntK):
      { Cursor(counting: $0, $1, $2).computeK(Kernel.multiplyInt) { $0.testK($1, Kernel.greaterOrEqualInt) } }
    default: nil
    }
  }
}
