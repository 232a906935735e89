/// One step of a program, in 16 bytes.
///
/// `a` is what is written, or what a branch looks at; `b` and `c` are read. A jump's target stands in `c`.
struct Instruction: Sendable {
  var opcode: Opcode
  var a: UInt16 = 0
  var b: UInt16 = 0
  var c: UInt16 = 0
  /// A constant operand, or the place in one of the program's tables.
  var immediate: Int64 = 0

  init(_ opcode: Opcode, a: Int = 0, b: Int = 0, c: Int = 0, _ immediate: Int64 = 0) {
    self.opcode = opcode
    self.a = UInt16(a)
    self.b = UInt16(b)
    self.c = UInt16(c)
    self.immediate = immediate
  }
}

/// How a scalar stands in its slot of 64 bits.
@usableFromInline
enum Scalar: UInt8, Sendable {
  case int, uint
  /// By its bit pattern.
  case double
  /// 0 or 1.
  case bool
}

/// What an instruction does. *Slot* is an unboxed register, *value* a boxed one; `K` stands for the constant.
///
/// What has no answer (an overflow, a field that is missing, a value of another type) **leaves**: the program goes on in
/// its generic half, see `Exit`.
enum Opcode: UInt8, Sendable, CaseIterable {
  case nop
  /// Leaves.
  case leave

  // Between registers
  case move, moveValue, box
  case unboxInt, unboxUInt, unboxDouble, unboxBool
  /// A number of any type, as a double.
  case unboxNumber

  // Ints
  case addInt, subtractInt, multiplyInt, divideInt, remainderInt, negateInt, absoluteInt
  case addIntK, multiplyIntK, divideIntK, remainderIntK
  /// Adds one without a check, to a slot or a value.
  case count, countValue

  // Uints
  case addUInt, subtractUInt, multiplyUInt, divideUInt, remainderUInt

  // Doubles
  case addDouble, subtractDouble, multiplyDouble, divideDouble, remainderDouble, negateDouble, absoluteDouble
  case addDoubleK, multiplyDoubleK, divideDoubleK
  case squareRoot, floor, ceiling, round, truncate

  // Conversions
  case intToDouble, uintToDouble, doubleToInt

  // Comparisons, which give 0 or 1. Those for ints' equality serve uints and bools too.
  case not
  case lessInt, lessOrEqualInt, equalInt, unequalInt
  case lessIntK, lessOrEqualIntK, greaterIntK, greaterOrEqualIntK, equalIntK, unequalIntK
  case lessUInt, lessOrEqualUInt
  case lessDouble, lessOrEqualDouble, equalDouble, unequalDouble
  case lessDoubleK, lessOrEqualDoubleK, greaterDoubleK, greaterOrEqualDoubleK, equalDoubleK, unequalDoubleK
  case equalValue, unequalValue
  /// The equality that no expression pays for.
  case sameValue

  // Fields of records. The immediate is the place of the field's cache.
  case fieldInt, fieldUInt, fieldDouble, fieldBool, fieldValue, hasField
  /// A number of any type, as a double.
  case fieldNumber

  // The same of rows. The immediate is the number of the field.
  case rowInt, rowDouble, rowBool, rowValue, hasRowField, rowNumber
  /// Leaves where there is no such field.
  case needRowField

  /// A record of boxed registers. The immediate is its place in the program's table.
  case record

  // Jumps
  case jump, branchIf, branchUnless, branchIfNull
  /// Looks at a value, which has to be a bool.
  case branchUnlessValue
  case branchUnlessLessInt, branchUnlessLessOrEqualInt, branchUnlessEqualInt, branchUnlessUnequalInt
  case branchUnlessLessIntK, branchUnlessLessOrEqualIntK, branchUnlessGreaterIntK, branchUnlessGreaterOrEqualIntK
  case branchUnlessEqualIntK, branchUnlessUnequalIntK
  case branchUnlessLessDouble, branchUnlessLessOrEqualDouble
  case branchUnlessLessDoubleK, branchUnlessLessOrEqualDoubleK, branchUnlessGreaterDoubleK
  case branchUnlessGreaterOrEqualDoubleK
  /// The rest of a division by a power of two, compared with zero. The immediate is the mask.
  case branchUnlessMultiple, branchIfMultiple
  /// The rest of a division by a constant that is no power of two, compared with zero.
  case branchUnlessDivisible, branchIfDivisible
  /// The rest of a division, compared. The immediate holds the divisor and, in its lower half, the rest.
  case branchUnlessRemainderEqualK, branchUnlessRemainderUnequalK

  /// Goes on in the row of a key, in a slot or boxed; jumps where that row is closed. The immediate is the site.
  case enterIntRow, enterRow
  /// Resets the cells from `ProgramTables.firstReset` on. Leaves if an initial value does not fit its slot.
  case resetCells

  // Parts and expressions that run as their plan
  /// Readies the activation for the parts of an expression that run as their plan.
  case prepare
  /// Gives the activation the value of a name that the expression binds.
  case bindSlot, bindValue
  case callInt, callDouble, callBool, callValue
  /// Pays again for a part that was computed for an expression before. What a part cost is in its slot `c`.
  case charge
  /// A whole expression.
  case evaluate
  /// A function of two values. The immediate holds the site and, in its lower half, the function's place.
  case apply

  // Ends
  case emit, emitValue, end
  /// Ends with a record that is not created yet: the immediate is its place in the program's table.
  case emitRecord
  /// Ends with the current row of lines, or with such a record of it.
  case emitRow, emitRowRecord
  /// Fails when a value is nested too deeply.
  case limitDepth
}

extension Opcode {
  /// The effects of an instruction on its operands.
  struct Access: OptionSet {
    let rawValue: UInt16

    // Slots.
    static let writesA = Access(rawValue: 1)
    static let readsA = Access(rawValue: 1 << 1)
    static let readsB = Access(rawValue: 1 << 2)
    static let readsC = Access(rawValue: 1 << 3)
    /// Writes its cost to the slot `c`.
    static let writesC = Access(rawValue: 1 << 4)

    // Boxed registers.
    static let writesValueA = Access(rawValue: 1 << 5)
    static let readsValueA = Access(rawValue: 1 << 6)
    static let readsValueB = Access(rawValue: 1 << 7)
    static let readsValueC = Access(rawValue: 1 << 8)
    /// Reads the boxed registers of a record; the immediate is its place.
    static let readsRecord = Access(rawValue: 1 << 9)
    /// Reads the slots and boxed registers that an evaluation binds; the immediate is its place.
    static let readsBindings = Access(rawValue: 1 << 10)
    /// Changes the boxed registers of cells.
    static let writesCells = Access(rawValue: 1 << 11)

    /// May leave, or has an effect other than writing its slot.
    static let acts = Access(rawValue: 1 << 12)
    /// May go on at the instruction `c`.
    static let jumps = Access(rawValue: 1 << 13)
    /// Never goes on at the next instruction.
    static let ends = Access(rawValue: 1 << 14)

    static let unary: Access = [.writesA, .readsB]
    static let binary: Access = [.writesA, .readsB, .readsC]
    /// A branch on a slot, or on a slot and a constant.
    static let test: Access = [.readsA, .acts, .jumps]
    /// A branch on two slots.
    static let comparison: Access = [.readsA, .readsB, .acts, .jumps]
    static let values: Access = [
      .writesValueA, .readsValueA, .readsValueB, .readsValueC, .readsRecord, .readsBindings, .writesCells,
    ]
  }
}

extension Instruction {
  /// Calls a function with each slot that the operands name.
  @inline(__always)
  func forEachSlot(_ body: (Int) -> Void) {
    let access = opcode.access
    if !access.isDisjoint(with: [.readsA, .writesA]) { body(Int(a)) }
    if access.contains(.readsB) { body(Int(b)) }
    if !access.isDisjoint(with: [.readsC, .writesC]) { body(Int(c)) }
  }
}
