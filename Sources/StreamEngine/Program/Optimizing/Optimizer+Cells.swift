extension Optimizer {
  /// Coalesces moves to cells: the result is computed in the cell's slot, and read from there, if no later instruction
  /// writes the cell.
  mutating func shareCells() {
    guard code.contains(where: { $0.opcode == .move }) else { return }
    var writers = Array(filledWith: 0 as Int32, count: slotCount)
    for instruction in code where instruction.opcode.access.contains(.writesA) { writers[Int(instruction.a)] += 1 }
    for index in code.indices where code[index].opcode == .move {
      let (cell, result) = (code[index].a, code[index].b)
      // NB: Not if the result already is in the slot of another cell.
      guard kept.contains(Int(cell)), !kept.contains(Int(result)), writers[Int(result)] == 1,
        let origin = predecessor(of: index),
        code[origin].opcode.access.contains(.writesA), code[origin].a == result, !isWritten(cell, after: index)
      else { continue }
      code[origin].a = cell
      code[index] = Instruction(.nop)
      rename(result, to: cell, after: index)
    }
  }

  private func isWritten(_ slot: UInt16, after index: Int) -> Bool {
    code[(index + 1)...].contains { $0.opcode.access.contains(.writesA) && $0.a == slot }
  }

  private mutating func rename(_ old: UInt16, to new: UInt16, after index: Int) {
    for place in index + 1..<code.count {
      let access = code[place].opcode.access
      if access.contains(.readsA), code[place].a == old { code[place].a = new }
      if access.contains(.readsB), code[place].b == old { code[place].b = new }
      if access.contains(.readsC), code[place].c == old { code[place].c = new }
    }
    // The preceding instruction defines the result: all expressions that name it come later.
    for index in bindings.indices where bindings[index].scalar != nil && bindings[index].register == old {
      bindings[index].register = Int(new)
    }
  }
}
