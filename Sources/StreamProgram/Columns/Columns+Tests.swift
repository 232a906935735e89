// What columns do for a branch that leaves runs out, and for one whose ways are both computed.

extension Columns {
  /// The loop of a branch that leaves runs out, or marks those that stay; nil where there is none.
  static func test(_ instruction: Instruction) -> Loop? {
    switch instruction.opcode {
    case .branchIf: { columns, step in columns.keep(step) { $0 == 0 } }
    case .branchUnless: { columns, step in columns.keep(step) { $0 != 0 } }
    case .branchUnlessLessInt: { columns, step in columns.keep(step) { $0 < $1 } }
    case .branchUnlessLessOrEqualInt: { columns, step in columns.keep(step) { $0 <= $1 } }
    case .branchUnlessEqualInt: { columns, step in columns.keep(step) { $0 == $1 } }
    case .branchUnlessUnequalInt: { columns, step in columns.keep(step) { $0 != $1 } }
    case .branchUnlessLessDouble: { columns, step in columns.keep(step) { double($0) < double($1) } }
    case .branchUnlessLessOrEqualDouble: { columns, step in columns.keep(step) { double($0) <= double($1) } }
    case .branchUnlessRemainderEqualK: { columns, step in columns.keepRemainders(step) { $0 == $1 } }
    case .branchUnlessRemainderUnequalK: { columns, step in columns.keepRemainders(step) { $0 != $1 } }
    default: instruction.opcode.test.flatMap { test($0, instruction) }
    }
  }

  private static func test(_ test: Opcode.Test, _ instruction: Instruction) -> Loop? {
    switch test {
    case .mask: { columns, step in columns.keepCompared(step) { $0 & $1 == 0 } }
    case .noMask: { columns, step in columns.keepCompared(step) { $0 & $1 != 0 } }
    case .divisible: { columns, step in columns.keepMultiples(step) { $0 } }
    case .indivisible: { columns, step in columns.keepMultiples(step) { !$0 } }
    // What nothing passes has no range.
    case .within where instruction.opcode.range(of: instruction.immediate) == nil: nil
    case .within: { columns, step in columns.keepInRange(step) { $0 } }
    case .without: { columns, step in columns.keepInRange(step) { !$0 } }
    case .less: { columns, step in columns.keepCompared(step) { double($0) < double($1) } }
    case .notMore: { columns, step in columns.keepCompared(step) { double($0) <= double($1) } }
    case .more: { columns, step in columns.keepCompared(step) { double($0) > double($1) } }
    case .notLess: { columns, step in columns.keepCompared(step) { double($0) >= double($1) } }
    }
  }

  /// Compares with the constant.
  @inline(__always)
  private mutating func keepCompared(
    _ step: UnsafePointer<ColumnCode.Step>, where passes: (_ number: Int64, _ constant: Int64) -> Bool
  ) {
    let constant = step.pointee.immediate
    keep(step) { passes($0, constant) }
  }

  @inline(__always)
  private mutating func keepInRange(_ step: UnsafePointer<ColumnCode.Step>, where passes: (Bool) -> Bool) {
    let (lower, size) = (step.pointee.immediate, UInt64(bitPattern: step.pointee.detail))
    keep(step) { passes(UInt64(bitPattern: $0 &- lower) <= size) }
  }

  @inline(__always)
  private mutating func keepMultiples(_ step: UnsafePointer<ColumnCode.Step>, where passes: (Bool) -> Bool) {
    let (inverse, bound, shift) = (step.pointee.immediate, step.pointee.detail, step.pointee.shift)
    // NB: two loops, so that the shift is not looked at for each number.
    if shift == 0 {
      keep(step) { passes(DivisibilityTest.isMultiple($0, inverse: inverse, bound: bound, shift: 0)) }
    } else {
      keep(step) { passes(DivisibilityTest.isMultiple($0, inverse: inverse, bound: bound, shift: shift)) }
    }
  }

  @inline(__always)
  private mutating func keepRemainders(
    _ step: UnsafePointer<ColumnCode.Step>, where passes: (_ number: Int64, _ constant: Int64) -> Bool
  ) {
    let (divisor, wanted) = (step.pointee.immediate >> 32, Int64(Int32(truncatingIfNeeded: step.pointee.immediate)))
    keep(step) { passes($0 % divisor, wanted) }
  }
}
