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
  /// What an instruction does to the slots.
  struct Access: OptionSet {
    let rawValue: UInt8
    static let writesA = Access(rawValue: 1)
    static let readsA = Access(rawValue: 2)
    static let readsB = Access(rawValue: 4)
    static let readsC = Access(rawValue: 8)
    /// May leave, or does something beside writing its slot.
    static let acts = Access(rawValue: 16)
    static let jumps = Access(rawValue: 32)

    static let unary: Access = [.writesA, .readsB]
    static let binary: Access = [.writesA, .readsB, .readsC]
  }

  var access: Access {
    switch self {
    case .nop: []
    case .leave, .countValue, .moveValue, .evaluate, .apply, .prepare, .bindValue, .callValue, .fieldValue, .record,
      .emitValue, .emitRow, .emitRecord, .emitRowRecord, .rowValue, .needRowField, .resetCells, .end:
      .acts
    case .limitDepth, .charge: [.readsB, .acts]
    case .emit: [.readsA, .acts]
    case .box, .bindSlot: [.readsB, .acts]
    case .count: [.readsA, .writesA, .acts]
    case .unboxInt, .unboxUInt, .unboxDouble, .unboxBool, .unboxNumber, .callInt, .callDouble, .callBool, .fieldInt,
      .fieldUInt, .fieldDouble, .fieldBool, .fieldNumber, .hasField, .rowInt, .rowDouble, .rowBool, .rowNumber,
      .hasRowField:
      [.writesA, .acts]
    case .equalValue, .unequalValue, .sameValue: [.writesA, .acts]
    case .addInt, .subtractInt, .multiplyInt, .divideInt, .remainderInt, .addUInt, .subtractUInt, .multiplyUInt,
      .divideUInt, .remainderUInt:
      [.binary, .acts]
    case .negateInt, .absoluteInt, .addIntK, .multiplyIntK, .doubleToInt: [.unary, .acts]
    case .move, .divideIntK, .remainderIntK, .negateDouble, .absoluteDouble, .addDoubleK, .multiplyDoubleK,
      .divideDoubleK, .squareRoot, .floor, .ceiling, .round, .truncate, .intToDouble, .uintToDouble, .not, .lessIntK,
      .lessOrEqualIntK, .greaterIntK, .greaterOrEqualIntK, .equalIntK, .unequalIntK, .lessDoubleK,
      .lessOrEqualDoubleK, .greaterDoubleK, .greaterOrEqualDoubleK, .equalDoubleK, .unequalDoubleK:
      .unary
    case .addDouble, .subtractDouble, .multiplyDouble, .divideDouble, .remainderDouble, .lessInt, .lessOrEqualInt,
      .equalInt, .unequalInt, .lessUInt, .lessOrEqualUInt, .lessDouble, .lessOrEqualDouble, .equalDouble,
      .unequalDouble:
      .binary
    case .jump, .branchIfNull, .branchUnlessValue, .enterRow: [.acts, .jumps]
    case .enterIntRow, .branchIf, .branchUnless, .branchUnlessLessIntK, .branchUnlessLessOrEqualIntK,
      .branchUnlessGreaterIntK,
      .branchUnlessGreaterOrEqualIntK, .branchUnlessEqualIntK, .branchUnlessUnequalIntK, .branchUnlessLessDoubleK,
      .branchUnlessLessOrEqualDoubleK, .branchUnlessGreaterDoubleK, .branchUnlessGreaterOrEqualDoubleK,
      .branchUnlessMultiple, .branchIfMultiple, .branchUnlessDivisible, .branchIfDivisible,
      .branchUnlessRemainderEqualK, .branchUnlessRemainderUnequalK:
      [.readsA, .acts, .jumps]
    case .branchUnlessLessInt, .branchUnlessLessOrEqualInt, .branchUnlessEqualInt, .branchUnlessUnequalInt,
      .branchUnlessLessDouble, .branchUnlessLessOrEqualDouble:
      [.readsA, .readsB, .acts, .jumps]
    }
  }

  /// Whether it computes a part that runs as its plan.
  var isCall: Bool {
    switch self {
    case .callInt, .callDouble, .callBool, .callValue: true
    default: false
    }
  }

  /// Whether it reads or writes boxed registers.
  var usesValues: Bool {
    switch self {
    case .moveValue, .box, .unboxInt, .unboxUInt, .unboxDouble, .unboxBool, .unboxNumber, .countValue, .equalValue,
      .unequalValue, .sameValue, .fieldInt, .fieldUInt, .fieldDouble, .fieldBool, .fieldNumber, .fieldValue, .hasField,
      .record, .branchIfNull, .branchUnlessValue, .enterIntRow, .enterRow, .resetCells, .prepare, .bindValue,
      .callValue, .evaluate,
      .apply, .emitValue,
      .limitDepth, .rowValue, .emitRecord, .emitRowRecord:
      true
    default: false
    }
  }

  /// Whether nothing after it is reached.
  var isFinal: Bool {
    switch self {
    case .jump, .leave, .emit, .emitValue, .emitRow, .emitRecord, .emitRowRecord, .end: true
    default: false
    }
  }
}
