extension Operation {
  /// What carries out an instruction together with those behind it, where one of these rules is for them. Each of them
  /// keeps its own handler, for jumps that lead there.
  static func fusedHandler(_ instructions: [Instruction], at place: Int) -> Handler? {
    // Not over a place where the stack is given up, to which a count behind a test may belong.
    let end = min((place / stretch + 1) * stretch, instructions.count)
    guard place + 1 < end else { return nil }
    let (first, second) = (instructions[place], instructions[place + 1])
    if first.opcode == .count, place + 3 < end, let test = instructions[place + 2].opcode.test {
      return instructions[place + 2].a == second.a ? countedHandler(second.opcode, test) : nil
    }
    if let test = second.opcode.test {
      return place + 2 < end && first.a == second.a ? testedHandler(first.opcode, test) : nil
    }
    switch (first.opcode, second.opcode) {
    case (.addInt, .move) where second.b == first.a:
      return { Cursor.at($0, $1, $2) { $0.addInt { $0.copy($1) } } }
    case (.addDouble, .move) where second.b == first.a:
      return { Cursor.at($0, $1, $2) { $0.addDouble { $0.copy($1) } } }
    case (.addInt, .emit) where second.a == first.a:
      return { Cursor.at($0, $1, $2) { $0.addInt { $0.emit($1) } } }
    case (.addDouble, .emit) where second.a == first.a:
      return { Cursor.at($0, $1, $2) { $0.addDouble { $0.emit($1) } } }
    case (.addInt, .count) where place + 2 < end:
      return { Cursor.at($0, $1, $2) { $0.addInt { next, _ in next.count { $0.counting() } } } }
    case (.count, .count): return { Cursor.at($0, $1, $2) { $0.count { $0.count { $0.runOrEnd() } } } }
    case (.count, .move): return { Cursor.at($0, $1, $2) { $0.count { $0.move { $0.runOrEnd() } } } }
    case (.addInt, .end): return { Cursor.at($0, $1, $2) { $0.addInt { next, _ in next.end() } } }
    case (.addDouble, .end): return { Cursor.at($0, $1, $2) { $0.addDouble { next, _ in next.end() } } }
    case (.addIntK, .addIntK):
      return { Cursor.at($0, $1, $2) { $0.addIntK { next, _ in next.addIntK { next, _ in next.run() } } } }
    case (.move, .jump): return { Cursor.at($0, $1, $2) { $0.move { $0.jump() } } }
    case (.move, .move): return { Cursor.at($0, $1, $2) { $0.move { $0.move { $0.runOrEnd() } } } }
    case (.branchUnless, .branchUnlessEqualInt):
      return {
        Cursor.at($0, $1, $2) {
          $0.branch(unless: $0.slots[$0.a] != 0) { $0.branch(unless: $0.slots[$0.a] == $0.left) }
        }
      }
    default: return nil
    }
  }

  /// A result that is tested at once.
  private static func testedHandler(_ first: Opcode, _ test: Opcode.Test) -> Handler? {
    switch (first, test) {
    case (.addIntK, .mask): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testMask($1) } } }
    case (.addIntK, .noMask): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testNoMask($1) } } }
    case (.addIntK, .divisible): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testDivisible($1) } } }
    case (.addIntK, .indivisible): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testIndivisible($1) } } }
    case (.addIntK, .within): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testWithin($1) } } }
    case (.addIntK, .without): { Cursor.at($0, $1, $2) { $0.addIntK { $0.testWithout($1) } } }
    case (.multiplyIntK, .mask): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testMask($1) } } }
    case (.multiplyIntK, .noMask): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testNoMask($1) } } }
    case (.multiplyIntK, .divisible): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testDivisible($1) } } }
    case (.multiplyIntK, .indivisible): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testIndivisible($1) } } }
    case (.multiplyIntK, .within): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testWithin($1) } } }
    case (.multiplyIntK, .without): { Cursor.at($0, $1, $2) { $0.multiplyIntK { $0.testWithout($1) } } }
    case (.fieldInt, .within): { Cursor.at($0, $1, $2) { $0.field({ $0.int }) { $0.testWithin($1) } } }
    case (.fieldInt, .without): { Cursor.at($0, $1, $2) { $0.field({ $0.int }) { $0.testWithout($1) } } }
    case (.fieldNumber, .less): { Cursor.at($0, $1, $2) { $0.field({ $0.number }) { $0.testLess($1) } } }
    case (.fieldNumber, .notMore): { Cursor.at($0, $1, $2) { $0.field({ $0.number }) { $0.testNotMore($1) } } }
    case (.fieldNumber, .more): { Cursor.at($0, $1, $2) { $0.field({ $0.number }) { $0.testMore($1) } } }
    case (.fieldNumber, .notLess): { Cursor.at($0, $1, $2) { $0.field({ $0.number }) { $0.testNotLess($1) } } }
    default: nil
    }
  }

  /// The same after the count of an operator's values, with which operators begin.
  private static func countedHandler(_ second: Opcode, _ test: Opcode.Test) -> Handler? {
    switch (second, test) {
    case (.addIntK, .mask): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testMask($1) } } } }
    case (.addIntK, .noMask): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testNoMask($1) } } } }
    case (.addIntK, .divisible): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testDivisible($1) } } } }
    case (.addIntK, .indivisible): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testIndivisible($1) } } } }
    case (.addIntK, .within): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testWithin($1) } } } }
    case (.addIntK, .without): { Cursor.at($0, $1, $2) { $0.count { $0.addIntK { $0.testWithout($1) } } } }
    case (.multiplyIntK, .mask): { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testMask($1) } } } }
    case (.multiplyIntK, .noMask): { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testNoMask($1) } } } }
    case (.multiplyIntK, .divisible):
      { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testDivisible($1) } } } }
    case (.multiplyIntK, .indivisible):
      { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testIndivisible($1) } } } }
    case (.multiplyIntK, .within): { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testWithin($1) } } } }
    case (.multiplyIntK, .without): { Cursor.at($0, $1, $2) { $0.count { $0.multiplyIntK { $0.testWithout($1) } } } }
    case (.fieldInt, .within): { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.int }) { $0.testWithin($1) } } } }
    case (.fieldInt, .without): { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.int }) { $0.testWithout($1) } } } }
    case (.fieldNumber, .less): { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.number }) { $0.testLess($1) } } } }
    case (.fieldNumber, .notMore):
      { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.number }) { $0.testNotMore($1) } } } }
    case (.fieldNumber, .more): { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.number }) { $0.testMore($1) } } } }
    case (.fieldNumber, .notLess):
      { Cursor.at($0, $1, $2) { $0.count { $0.field({ $0.number }) { $0.testNotLess($1) } } } }
    default: nil
    }
  }
}
