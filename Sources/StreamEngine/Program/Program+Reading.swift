extension ProgramTables {
  /// Whether an instruction reads a boxed register.
  func reads(_ instruction: Instruction, _ register: Int) -> Bool {
    let access = instruction.opcode.access
    return access.contains(.readsValueA) && Int(instruction.a) == register
      || access.contains(.readsValueB) && Int(instruction.b) == register
      || access.contains(.readsValueC) && Int(instruction.c) == register
      || access.contains(.readsRecord) && records[Int(instruction.immediate)].registers.contains(register)
      || access.contains(.readsBindings)
        && bindings(of: evaluations[Int(instruction.immediate)]).contains {
          $0.scalar == nil && $0.register == register
        }
  }
}
