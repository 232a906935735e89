/// An instruction of a program, in 16 bytes.
///
/// `a` is the destination, or the operand of a branch or an end; `b` and `c` are read. A jump has its target in `c`.
struct Instruction: Sendable {
  var opcode: Opcode
  var a: UInt16 = 0
  var b: UInt16 = 0
  var c: UInt16 = 0
  /// A constant operand, or an index into one of the program's tables.
  var immediate: Int64 = 0

  init(_ opcode: Opcode, a: Int = 0, b: Int = 0, c: Int = 0, _ immediate: Int64 = 0) {
    self.opcode = opcode
    self.a = UInt16(a)
    self.b = UInt16(b)
    self.c = UInt16(c)
    self.immediate = immediate
  }
}

/// The type of a scalar in its slot of 64 bits.
@usableFromInline
enum Scalar: UInt8, Sendable {
  case int, uint
  /// Stored as its bit pattern.
  case double
  /// Stored as 0 or 1.
  case bool
}

/// The opcode of an instruction. A *slot* is an unboxed register, a *value* a boxed one; `K` means a constant operand.
///
/// An instruction without a result (because of an overflow, a missing field or a value of another type) **leaves**: it
/// takes its side exit: the run is rolled back, and begins again in the generic half.
enum Opcode: UInt8, Sendable, CaseIterable {
  case nop
  /// Takes its side exit.
  case leave

  // Between registers
  case move, moveValue, box
  case unboxInt, unboxUInt, unboxDouble, unboxBool
  /// Unboxes a number of any type as a double.
  case unboxNumber

  // Ints
  case addInt, subtractInt, multiplyInt, divideInt, remainderInt, negateInt, absoluteInt
  case addIntK, multiplyIntK, divideIntK, remainderIntK
  /// Adds one to a slot or a value, without an overflow check.
  case count, countValue

  // Uints
  case addUInt, subtractUInt, multiplyUInt, divideUInt, remainderUInt

  // Doubles
  case addDouble, subtractDouble, multiplyDouble, divideDouble, remainderDouble, negateDouble, absoluteDouble
  case addDoubleK, multiplyDoubleK, divideDoubleK
  case squareRoot, floor, ceiling, round, truncate

  // Conversions
  case intToDouble, uintToDouble, doubleToInt

  // Comparisons, with the result 0 or 1. The equality of ints also serves uints and bools.
  case not
  case lessInt, lessOrEqualInt, equalInt, unequalInt
  case lessIntK, lessOrEqualIntK, greaterIntK, greaterOrEqualIntK, equalIntK, unequalIntK
  case lessUInt, lessOrEqualUInt
  case lessDouble, lessOrEqualDouble, equalDouble, unequalDouble
  case lessDoubleK, lessOrEqualDoubleK, greaterDoubleK, greaterOrEqualDoubleK, equalDoubleK, unequalDoubleK
  case equalValue, unequalValue
  /// Equality that is not charged to the cost of an expression.
  case sameValue

  // Fields of records. The immediate is the index of the field's cache.
  case fieldInt, fieldUInt, fieldDouble, fieldBool, fieldValue, hasField
  /// Reads a number of any type as a double.
  case fieldNumber

  // Fields of rows. The immediate is the index of the field.
  case rowInt, rowDouble, rowBool, rowValue, hasRowField, rowNumber
  /// Leaves if the row has no such field.
  case needRowField

  /// Makes a record of boxed registers. The immediate is its index in the program's table.
  case record

  // Jumps
  case jump, branchIf, branchUnless, branchIfNull
  /// Tests a value, which must be a bool.
  case branchUnlessValue
  case branchUnlessLessInt, branchUnlessLessOrEqualInt, branchUnlessEqualInt, branchUnlessUnequalInt
  case branchUnlessLessIntK, branchUnlessLessOrEqualIntK, branchUnlessGreaterIntK, branchUnlessGreaterOrEqualIntK
  case branchUnlessEqualIntK, branchUnlessUnequalIntK
  case branchUnlessLessDouble, branchUnlessLessOrEqualDouble
  case branchUnlessLessDoubleK, branchUnlessLessOrEqualDoubleK, branchUnlessGreaterDoubleK
  case branchUnlessGreaterOrEqualDoubleK
  /// Compares the remainder of a division by a power of two with zero. The immediate is the mask.
  case branchUnlessMultiple, branchIfMultiple
  /// Compares the remainder of a division by a constant that is not a power of two with zero.
  case branchUnlessDivisible, branchIfDivisible
  /// Compares the remainder of a division. The immediate holds the divisor and, in its lower half, the remainder.
  case branchUnlessRemainderEqualK, branchUnlessRemainderUnequalK

  /// Enters the row of a key, in a slot or boxed; jumps if that row is closed. The immediate is the site.
  case enterIntRow, enterRow
  /// Resets the cells from index `ProgramTables.firstReset`. Leaves if an initial value does not fit its slot.
  case resetCells

  // Parts and expressions that are evaluated by their plan
  /// Prepares the activation for the parts of an expression that are evaluated by their plan.
  case prepare
  /// Sets the value of a name that the expression binds, in the activation.
  case bindSlot, bindValue
  case callInt, callDouble, callBool, callValue
  /// Charges again for a part that an earlier expression has computed. The slot `c` of the part's call holds its cost.
  case charge
  /// Evaluates a whole expression.
  case evaluate
  /// Applies a function to two values. The immediate holds the site and, in its lower half, the function's index.
  case apply

  // Ends
  case emit, emitValue, end
  /// Creates a record and ends with it: the immediate is its index in the program's table.
  case emitRecord
  /// Ends with the current row, or with a record of it that is not created yet.
  case emitRow, emitRowRecord
  /// Fails if a value is nested too deeply.
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
    /// Reads the boxed registers of a record; the immediate is its index.
    static let readsRecord = Access(rawValue: 1 << 9)
    /// Reads the slots and boxed registers that an evaluation binds; the immediate is its index.
    static let readsBindings = Access(rawValue: 1 << 10)
    /// Changes the boxed registers of cells.
    static let writesCells = Access(rawValue: 1 << 11)

    /// May leave, or has an effect other than writing its slot.
    static let acts = Access(rawValue: 1 << 12)
    /// May continue at the instruction `c`.
    static let jumps = Access(rawValue: 1 << 13)
    /// Never continues at the next instruction.
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
  /// Calls a function with each slot among the operands.
  @inline(__always)
  func forEachSlot(_ body: (Int) -> Void) {
    let access = opcode.access
    if !access.isDisjoint(with: [.readsA, .writesA]) { body(Int(a)) }
    if access.contains(.readsB) { body(Int(b)) }
    if !access.isDisjoint(with: [.readsC, .writesC]) { body(Int(c)) }
  }
}
