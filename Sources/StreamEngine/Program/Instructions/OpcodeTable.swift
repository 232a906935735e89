import StreamCore

/// An entry of the opcode table.
struct OpcodeDefinition {
  /// The kinds of the operands and the effects.
  let access: Opcode.Access
  /// Runs an operation and its successors.
  let handler: Handler
  /// The opcode that reads the same field of a row; nil unless this one reads a field of a record.
  private(set) var ofRow: Opcode?
  /// The opcode that fuses this comparison with a branch taken unless the comparison is true.
  private(set) var branchUnless: Opcode?
  /// The opcode that fuses this comparison with a branch taken if it is true; nil for doubles, because of NaN.
  private(set) var branchIf: Opcode?

  @inline(__always)
  init(_ access: Opcode.Access, _ handler: @escaping Handler) {
    self.access = access
    self.handler = handler
  }

  @inline(__always)
  func joined(unless: Opcode? = nil, when: Opcode? = nil) -> Self {
    var definition = self
    (definition.branchUnless, definition.branchIf) = (unless, when)
    return definition
  }

  @inline(__always)
  func ofRow(_ opcode: Opcode) -> Self {
    var definition = self
    definition.ofRow = opcode
    return definition
  }
}

extension Opcode {
  private typealias Definition = OpcodeDefinition

  /// The opcode's entry in the table.
  @inline(__always)
  private var definition: OpcodeDefinition {
    switch self {
    case .nop: Definition([]) { Cursor($0, $1, $2).proceed() }
    case .leave: Definition([.acts, .ends]) { Cursor($0, $1, $2).leave() }

    // Between registers
    case .move: Definition(.unary) { Cursor($0, $1, $2).move() }
    case .moveValue:
      Definition([.writesValueA, .readsValueB, .acts]) { Cursor($0, $1, $2).perform { $0.move($1.b, to: $1.a) } }
    case .box:
      Definition([.writesValueA, .readsB, .acts]) {
        Cursor($0, $1, $2).perform { $0.box($1.left, $1.immediate, to: $1.a) }
      }
    case .unboxInt: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).unbox { $0.int } }
    case .unboxUInt: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).unbox { $0.uint } }
    case .unboxDouble: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).unbox { $0.double } }
    case .unboxBool: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).unbox { $0.bool } }
    case .unboxNumber: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).unbox { $0.number } }

    // Ints
    case .addInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.addInt) }
    case .subtractInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.subtractInt) }
    case .multiplyInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.multiplyInt) }
    case .divideInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.divideInt) }
    case .remainderInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.remainderInt) }
    case .negateInt: Definition([.unary, .acts]) { Cursor($0, $1, $2).compute(Kernel.negateInt) }
    case .absoluteInt: Definition([.unary, .acts]) { Cursor($0, $1, $2).compute(Kernel.absoluteInt) }
    case .addIntK: Definition([.unary, .acts]) { Cursor($0, $1, $2).computeK(Kernel.addInt) }
    case .multiplyIntK: Definition([.unary, .acts]) { Cursor($0, $1, $2).computeK(Kernel.multiplyInt) }
    case .divideIntK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.divideIntK) }
    case .remainderIntK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.remainderIntK) }
    case .count: Definition([.readsA, .writesA, .acts]) { Cursor($0, $1, $2).count() }
    case .countValue:
      Definition([.readsValueA, .writesValueA, .acts]) { Cursor($0, $1, $2).perform { $0.count($1.a) } }

    // Uints
    case .addUInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.addUInt) }
    case .subtractUInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.subtractUInt) }
    case .multiplyUInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.multiplyUInt) }
    case .divideUInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.divideUInt) }
    case .remainderUInt: Definition([.binary, .acts]) { Cursor($0, $1, $2).compute(Kernel.remainderUInt) }

    // Doubles
    case .addDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.addDouble) }
    case .subtractDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.subtractDouble) }
    case .multiplyDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.multiplyDouble) }
    case .divideDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.divideDouble) }
    case .remainderDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.remainderDouble) }
    case .negateDouble: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.negateDouble) }
    case .absoluteDouble: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.absoluteDouble) }
    case .addDoubleK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.addDouble) }
    case .multiplyDoubleK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.multiplyDouble) }
    case .divideDoubleK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.divideDouble) }
    case .squareRoot: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.squareRoot) }
    case .floor: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.floor) }
    case .ceiling: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.ceiling) }
    case .round: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.round) }
    case .truncate: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.truncate) }

    // Conversions
    case .intToDouble: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.intToDouble) }
    case .uintToDouble: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.uintToDouble) }
    case .doubleToInt: Definition([.unary, .acts]) { Cursor($0, $1, $2).compute(Kernel.doubleToInt) }

    // Comparisons
    case .not: Definition(.unary) { Cursor($0, $1, $2).compute(Kernel.not) }
    case .lessInt:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessInt) }
        .joined(unless: .branchUnlessLessInt)
    case .lessOrEqualInt:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessOrEqualInt) }
        .joined(unless: .branchUnlessLessOrEqualInt)
    case .equalInt:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.equalInt) }
        .joined(unless: .branchUnlessEqualInt, when: .branchUnlessUnequalInt)
    case .unequalInt:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.unequalInt) }
        .joined(unless: .branchUnlessUnequalInt, when: .branchUnlessEqualInt)
    case .lessIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.lessInt) }
        .joined(unless: .branchUnlessLessIntK, when: .branchUnlessGreaterOrEqualIntK)
    case .lessOrEqualIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.lessOrEqualInt) }
        .joined(unless: .branchUnlessLessOrEqualIntK, when: .branchUnlessGreaterIntK)
    case .greaterIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.greaterInt) }
        .joined(unless: .branchUnlessGreaterIntK, when: .branchUnlessLessOrEqualIntK)
    case .greaterOrEqualIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.greaterOrEqualInt) }
        .joined(unless: .branchUnlessGreaterOrEqualIntK, when: .branchUnlessLessIntK)
    case .equalIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.equalInt) }
        .joined(unless: .branchUnlessEqualIntK, when: .branchUnlessUnequalIntK)
    case .unequalIntK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.unequalInt) }
        .joined(unless: .branchUnlessUnequalIntK, when: .branchUnlessEqualIntK)
    case .lessUInt: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessUInt) }
    case .lessOrEqualUInt: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessOrEqualUInt) }
    case .lessDouble:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessDouble) }
        .joined(unless: .branchUnlessLessDouble)
    case .lessOrEqualDouble:
      Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.lessOrEqualDouble) }
        .joined(unless: .branchUnlessLessOrEqualDouble)
    case .equalDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.equalDouble) }
    case .unequalDouble: Definition(.binary) { Cursor($0, $1, $2).compute(Kernel.unequalDouble) }
    case .lessDoubleK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.lessDouble) }
        .joined(unless: .branchUnlessLessDoubleK)
    case .lessOrEqualDoubleK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.lessOrEqualDouble) }
        .joined(unless: .branchUnlessLessOrEqualDoubleK)
    case .greaterDoubleK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.greaterDouble) }
        .joined(unless: .branchUnlessGreaterDoubleK)
    case .greaterOrEqualDoubleK:
      Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.greaterOrEqualDouble) }
        .joined(unless: .branchUnlessGreaterOrEqualDoubleK)
    case .equalDoubleK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.equalDouble) }
    case .unequalDoubleK: Definition(.unary) { Cursor($0, $1, $2).computeK(Kernel.unequalDouble) }
    case .equalValue:
      Definition([.writesA, .readsValueB, .readsValueC, .acts]) { Cursor($0, $1, $2).equalValues(false) }
    case .unequalValue:
      Definition([.writesA, .readsValueB, .readsValueC, .acts]) { Cursor($0, $1, $2).equalValues(true) }
    case .sameValue: Definition([.writesA, .readsValueB, .readsValueC, .acts]) { Cursor($0, $1, $2).sameValues() }

    // Fields
    case .fieldInt: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).field { $0.int } }.ofRow(.rowInt)
    case .fieldUInt: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).field { $0.uint } }.ofRow(.leave)
    case .fieldDouble:
      Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).field { $0.double } }.ofRow(.rowDouble)
    case .fieldBool:
      Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).field { $0.bool } }.ofRow(.rowBool)
    case .fieldNumber:
      Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).field { $0.number } }.ofRow(.rowNumber)
    case .fieldValue:
      Definition([.writesValueA, .readsValueB, .acts]) { Cursor($0, $1, $2).fieldValue() }.ofRow(.rowValue)
    case .hasField: Definition([.writesA, .readsValueB, .acts]) { Cursor($0, $1, $2).hasField() }.ofRow(.hasRowField)
    case .rowInt: Definition([.writesA, .acts]) { Cursor($0, $1, $2).rowField { $0.int } }
    case .rowDouble: Definition([.writesA, .acts]) { Cursor($0, $1, $2).rowField { $0.double } }
    case .rowBool: Definition([.writesA, .acts]) { Cursor($0, $1, $2).rowField { $0.bool } }
    case .rowNumber: Definition([.writesA, .acts]) { Cursor($0, $1, $2).rowField { $0.pointee.number?.bits } }
    case .hasRowField: Definition([.writesA, .acts]) { Cursor($0, $1, $2).rowField { $0.pointee.isThere ? 1 : 0 } }
    case .rowValue: Definition([.writesValueA, .acts]) { Cursor($0, $1, $2).rowValue() }
    case .needRowField: Definition(.acts) { Cursor($0, $1, $2).needRowField() }
    case .record:
      Definition([.writesValueA, .readsRecord, .acts]) {
        Cursor($0, $1, $2).perform { $0.makeRecord($1.immediate, in: $1.a) }
      }

    // Jumps
    case .jump: Definition([.acts, .jumps, .ends]) { Cursor($0, $1, $2).jump() }
    case .branchIf: Definition(.test) { Cursor($0, $1, $2).branch { $0 == 0 } }
    case .branchUnless: Definition(.test) { Cursor($0, $1, $2).branch { $0 != 0 } }
    case .branchIfNull: Definition([.readsValueA, .acts, .jumps]) { Cursor($0, $1, $2).branchIfNull() }
    case .branchUnlessValue: Definition([.readsValueA, .acts, .jumps]) { Cursor($0, $1, $2).branchUnlessTrue() }
    case .branchUnlessLessInt: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.lessInt) }
    case .branchUnlessLessOrEqualInt: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.lessOrEqualInt) }
    case .branchUnlessEqualInt: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.equalInt) }
    case .branchUnlessUnequalInt: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.unequalInt) }
    case .branchUnlessLessIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.lessInt) }
    case .branchUnlessLessOrEqualIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.lessOrEqualInt) }
    case .branchUnlessGreaterIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.greaterInt) }
    case .branchUnlessGreaterOrEqualIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.greaterOrEqualInt) }
    case .branchUnlessEqualIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.equalInt) }
    case .branchUnlessUnequalIntK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.unequalInt) }
    case .branchUnlessLessDouble: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.lessDouble) }
    case .branchUnlessLessOrEqualDouble: Definition(.comparison) { Cursor($0, $1, $2).branch(Kernel.lessOrEqualDouble) }
    case .branchUnlessLessDoubleK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.lessDouble) }
    case .branchUnlessLessOrEqualDoubleK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.lessOrEqualDouble) }
    case .branchUnlessGreaterDoubleK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.greaterDouble) }
    case .branchUnlessGreaterOrEqualDoubleK:
      Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.greaterOrEqualDouble) }
    case .branchUnlessMultiple: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.isMultiple) }
    case .branchIfMultiple: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.isNoMultiple) }
    case .branchUnlessDivisible: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.isDivisible) }
    case .branchIfDivisible: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.isIndivisible) }
    case .branchUnlessRemainderEqualK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.hasRemainder) }
    case .branchUnlessRemainderUnequalK: Definition(.test) { Cursor($0, $1, $2).branchK(Kernel.hasOtherRemainder) }
    case .enterIntRow: Definition([.readsA, .writesCells, .acts, .jumps]) { Cursor($0, $1, $2).enterIntRow() }
    case .enterRow: Definition([.readsValueA, .writesCells, .acts, .jumps]) { Cursor($0, $1, $2).enterRow() }
    case .resetCells:
      Definition([.writesCells, .acts]) { Cursor($0, $1, $2).attempt { frame, _ in frame.resetCells() } }

    // Parts and expressions that are evaluated by their plan
    case .prepare: Definition([.readsBindings, .acts]) { Cursor($0, $1, $2).perform { $0.prepare($1.immediate) } }
    case .bindSlot:
      Definition([.readsB, .acts]) { Cursor($0, $1, $2).perform { $0.bind($1.left, $1.c, at: $1.immediate) } }
    case .bindValue:
      Definition([.readsValueB, .acts]) { Cursor($0, $1, $2).perform { $0.bind($1.b, at: $1.immediate) } }
    case .callInt:
      Definition([.writesA, .writesC, .acts]) { Cursor($0, $1, $2).attempt { $0.call($1.operation.pointee) } }
    case .callDouble:
      Definition([.writesA, .writesC, .acts]) { Cursor($0, $1, $2).attempt { $0.call($1.operation.pointee) } }
    case .callBool:
      Definition([.writesA, .writesC, .acts]) { Cursor($0, $1, $2).attempt { $0.call($1.operation.pointee) } }
    case .callValue:
      Definition([.writesValueA, .writesC, .acts]) { Cursor($0, $1, $2).attempt { $0.call($1.operation.pointee) } }
    case .charge: Definition([.readsB, .acts]) { Cursor($0, $1, $2).attempt { $0.charge($1.left) } }
    case .evaluate:
      Definition([.writesValueA, .writesC, .readsBindings, .acts]) {
        Cursor($0, $1, $2).attemptOrFail { $0.evaluate($1.operation.pointee) }
      }
    case .apply:
      Definition([.writesValueA, .readsValueB, .readsValueC, .acts]) {
        Cursor($0, $1, $2).attemptOrFail { $0.apply($1.operation.pointee) }
      }

    // Ends
    case .emit: Definition([.readsA, .acts, .ends]) { Cursor($0, $1, $2).emit() }
    case .emitValue: Definition([.readsValueA, .acts, .ends]) { Cursor($0, $1, $2).emitValue() }
    case .emitRecord: Definition([.readsRecord, .acts, .ends]) { Cursor($0, $1, $2).emitRecord() }
    case .emitRow: Definition([.acts, .ends]) { Cursor($0, $1, $2).emitRow() }
    case .emitRowRecord: Definition([.readsRecord, .acts, .ends]) { Cursor($0, $1, $2).emitRowRecord() }
    case .end: Definition([.acts, .ends]) { Cursor($0, $1, $2).end() }
    case .limitDepth: Definition([.readsValueA, .readsB, .acts]) { Cursor($0, $1, $2).limitDepth() }
    }
  }

  var access: Access { definition.access }
  var handler: Handler { definition.handler }
  var ofRow: Opcode? { definition.ofRow }
  var branchUnless: Opcode? { definition.branchUnless }
  var branchIf: Opcode? { definition.branchIf }
}
