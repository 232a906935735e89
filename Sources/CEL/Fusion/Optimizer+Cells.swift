extension Optimizer {
  /// What is stored in a cell is computed in the cell's slot, and read from there, when nothing else comes into the cell
  /// after it.
  mutating func shareCells() {
    var writers = Array(repeating: 0, count: slotCount)
    for instruction in code where instruction.opcode.access.contains(.writesA) { writers[Int(instruction.a)] += 1 }
    for index in code.indices where code[index].opcode == .move {
      let (cell, result) = (code[index].a, code[index].b)
      // NB: not where the result has become another cell's content before.
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
    // The result is new in the step before: exits and expressions that name it come after it.
    for exit in exits.indices {
      for move in exits[exit].moves.indices
      where exits[exit].moves[move].scalar != nil && exits[exit].moves[move].register == old {
        exits[exit].moves[move].register = Int(new)
      }
    }
    for index in evaluations.indices {
      let evaluation = evaluations[index]
      guard evaluation.bindings.contains(where: { $0.scalar != nil && $0.register == old }) else { continue }
      let bindings = evaluation.bindings.map { binding in
        var binding = binding
        if binding.scalar != nil && binding.register == old { binding.register = Int(new) }
        return binding
      }
      evaluations[index] = Evaluation(body: evaluation.body, bindings: bindings, site: evaluation.site)
    }
  }
}
