import StreamCore

extension Opcode {
  /// What carries out an operation alone. What has no answer leaves.
  var handler: Handler {
    switch self {
    case .nop: { Cursor.at($0, $1, $2) { $0.goOn() } }
    case .leave: { Cursor.at($0, $1, $2) { $0.leave() } }

    case .move: { Cursor.at($0, $1, $2) { $0.move { $0.runOrEnd() } } }
    case .moveValue: { Cursor.at($0, $1, $2) { i in i.perform { $0.move(i.b, to: i.a) } } }
    case .box: { Cursor.at($0, $1, $2) { i in i.perform { $0.box(i.left, i.immediate, to: i.a) } } }
    case .unboxInt: { Cursor.at($0, $1, $2) { $0.unbox { $0.int } } }
    case .unboxUInt: { Cursor.at($0, $1, $2) { $0.unbox { $0.uint } } }
    case .unboxDouble: { Cursor.at($0, $1, $2) { $0.unbox { $0.double } } }
    case .unboxBool: { Cursor.at($0, $1, $2) { $0.unbox { $0.bool } } }
    case .unboxNumber: { Cursor.at($0, $1, $2) { $0.unbox { $0.number } } }

    case .addInt: { Cursor.at($0, $1, $2) { $0.write($0.left.addingReportingOverflow($0.right)) } }
    case .subtractInt: { Cursor.at($0, $1, $2) { $0.write($0.left.subtractingReportingOverflow($0.right)) } }
    case .multiplyInt: { Cursor.at($0, $1, $2) { $0.write($0.left.multipliedReportingOverflow(by: $0.right)) } }
    case .divideInt: { Cursor.at($0, $1, $2) { $0.divideInt() } }
    case .remainderInt: { Cursor.at($0, $1, $2) { $0.remainderInt() } }
    case .negateInt: { Cursor.at($0, $1, $2) { $0.write((0 as Int64).subtractingReportingOverflow($0.left)) } }
    case .absoluteInt: { Cursor.at($0, $1, $2) { $0.left == .min ? $0.leave() : $0.write(abs($0.left)) } }
    case .addIntK: { Cursor.at($0, $1, $2) { $0.write($0.left.addingReportingOverflow($0.immediate)) } }
    case .multiplyIntK: { Cursor.at($0, $1, $2) { $0.write($0.left.multipliedReportingOverflow(by: $0.immediate)) } }
    case .divideIntK: { Cursor.at($0, $1, $2) { $0.write($0.left / $0.immediate) } }
    case .remainderIntK: { Cursor.at($0, $1, $2) { $0.write($0.left % $0.immediate) } }
    case .count: { Cursor.at($0, $1, $2) { $0.count { $0.runOrEnd() } } }
    case .countValue: { Cursor.at($0, $1, $2) { i in i.perform { $0.count(i.a) } } }

    case .addUInt: { Cursor.at($0, $1, $2) { $0.write($0.leftUInt.addingReportingOverflow($0.rightUInt)) } }
    case .subtractUInt: { Cursor.at($0, $1, $2) { $0.write($0.leftUInt.subtractingReportingOverflow($0.rightUInt)) } }
    case .multiplyUInt:
      { Cursor.at($0, $1, $2) { $0.write($0.leftUInt.multipliedReportingOverflow(by: $0.rightUInt)) } }
    case .divideUInt: { Cursor.at($0, $1, $2) { $0.write($0.leftUInt.dividedReportingOverflow(by: $0.rightUInt)) } }
    case .remainderUInt:
      { Cursor.at($0, $1, $2) { $0.write($0.leftUInt.remainderReportingOverflow(dividingBy: $0.rightUInt)) } }

    case .addDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble + $0.rightDouble) } }
    case .subtractDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble - $0.rightDouble) } }
    case .multiplyDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble * $0.rightDouble) } }
    case .divideDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble / $0.rightDouble) } }
    case .remainderDouble:
      { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.truncatingRemainder(dividingBy: $0.rightDouble)) } }
    case .negateDouble: { Cursor.at($0, $1, $2) { $0.write(-$0.leftDouble) } }
    case .absoluteDouble: { Cursor.at($0, $1, $2) { $0.write(abs($0.leftDouble)) } }
    case .addDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble + $0.number) } }
    case .multiplyDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble * $0.number) } }
    case .divideDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble / $0.number) } }
    case .squareRoot: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.squareRoot()) } }
    case .floor: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.rounded(.down)) } }
    case .ceiling: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.rounded(.up)) } }
    case .round: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.rounded(.toNearestOrAwayFromZero)) } }
    case .truncate: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble.rounded(.towardZero)) } }

    case .intToDouble: { Cursor.at($0, $1, $2) { $0.write(Double($0.left)) } }
    case .uintToDouble: { Cursor.at($0, $1, $2) { $0.write(Double($0.leftUInt)) } }
    case .doubleToInt: { Cursor.at($0, $1, $2) { $0.doubleToInt() } }

    case .not: { Cursor.at($0, $1, $2) { $0.write($0.left ^ 1) } }
    case .lessInt: { Cursor.at($0, $1, $2) { $0.write($0.left < $0.right) } }
    case .lessOrEqualInt: { Cursor.at($0, $1, $2) { $0.write($0.left <= $0.right) } }
    case .equalInt: { Cursor.at($0, $1, $2) { $0.write($0.left == $0.right) } }
    case .unequalInt: { Cursor.at($0, $1, $2) { $0.write($0.left != $0.right) } }
    case .lessIntK: { Cursor.at($0, $1, $2) { $0.write($0.left < $0.immediate) } }
    case .lessOrEqualIntK: { Cursor.at($0, $1, $2) { $0.write($0.left <= $0.immediate) } }
    case .greaterIntK: { Cursor.at($0, $1, $2) { $0.write($0.left > $0.immediate) } }
    case .greaterOrEqualIntK: { Cursor.at($0, $1, $2) { $0.write($0.left >= $0.immediate) } }
    case .equalIntK: { Cursor.at($0, $1, $2) { $0.write($0.left == $0.immediate) } }
    case .unequalIntK: { Cursor.at($0, $1, $2) { $0.write($0.left != $0.immediate) } }
    case .lessUInt: { Cursor.at($0, $1, $2) { $0.write($0.leftUInt < $0.rightUInt) } }
    case .lessOrEqualUInt: { Cursor.at($0, $1, $2) { $0.write($0.leftUInt <= $0.rightUInt) } }
    case .lessDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble < $0.rightDouble) } }
    case .lessOrEqualDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble <= $0.rightDouble) } }
    case .equalDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble == $0.rightDouble) } }
    case .unequalDouble: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble != $0.rightDouble) } }
    case .lessDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble < $0.number) } }
    case .lessOrEqualDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble <= $0.number) } }
    case .greaterDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble > $0.number) } }
    case .greaterOrEqualDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble >= $0.number) } }
    case .equalDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble == $0.number) } }
    case .unequalDoubleK: { Cursor.at($0, $1, $2) { $0.write($0.leftDouble != $0.number) } }
    case .equalValue: { Cursor.at($0, $1, $2) { $0.equalValues(false) } }
    case .unequalValue: { Cursor.at($0, $1, $2) { $0.equalValues(true) } }
    case .sameValue: { Cursor.at($0, $1, $2) { $0.sameValues() } }

    case .fieldInt: { Cursor.at($0, $1, $2) { $0.field { $0.int } } }
    case .fieldUInt: { Cursor.at($0, $1, $2) { $0.field { $0.uint } } }
    case .fieldDouble: { Cursor.at($0, $1, $2) { $0.field { $0.double } } }
    case .fieldBool: { Cursor.at($0, $1, $2) { $0.field { $0.bool } } }
    case .fieldNumber: { Cursor.at($0, $1, $2) { $0.field { $0.number } } }
    case .fieldValue: { Cursor.at($0, $1, $2) { $0.fieldValue() } }
    case .hasField: { Cursor.at($0, $1, $2) { $0.hasField() } }
    case .rowInt: { Cursor.at($0, $1, $2) { $0.rowField { $0.int } } }
    case .rowDouble: { Cursor.at($0, $1, $2) { $0.rowField { $0.double } } }
    case .rowBool: { Cursor.at($0, $1, $2) { $0.rowField { $0.bool } } }
    case .rowNumber: { Cursor.at($0, $1, $2) { $0.rowField { $0.pointee.number?.bits } } }
    case .rowValue: { Cursor.at($0, $1, $2) { $0.rowValue() } }
    case .needRowField: { Cursor.at($0, $1, $2) { $0.needRowField() } }
    case .hasRowField: { Cursor.at($0, $1, $2) { $0.rowField { $0.pointee.isThere ? 1 : 0 } } }
    case .record: { Cursor.at($0, $1, $2) { i in i.perform { $0.makeRecord(i.immediate, in: i.a) } } }

    case .jump: { Cursor.at($0, $1, $2) { $0.jump() } }
    case .branchIf: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] == 0) } }
    case .branchUnless: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] != 0) } }
    case .branchIfNull: { Cursor.at($0, $1, $2) { $0.branchIfNull() } }
    case .branchUnlessValue: { Cursor.at($0, $1, $2) { $0.branchUnlessTrue() } }
    case .branchUnlessLessInt: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] < $0.left) } }
    case .branchUnlessLessOrEqualInt: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] <= $0.left) } }
    case .branchUnlessEqualInt: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] == $0.left) } }
    case .branchUnlessUnequalInt: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] != $0.left) } }
    case .branchUnlessLessIntK, .branchUnlessLessOrEqualIntK, .branchUnlessGreaterIntK,
      .branchUnlessGreaterOrEqualIntK, .branchUnlessEqualIntK:
      { Cursor.at($0, $1, $2) { $0.branch(unless: $0.isWithin($0.slots[$0.a])) } }
    case .branchUnlessUnequalIntK: { Cursor.at($0, $1, $2) { $0.branch(unless: !$0.isWithin($0.slots[$0.a])) } }
    // NB: NaN is not less, and not greater either.
    case .branchUnlessLessDouble: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) < $0.leftDouble) } }
    case .branchUnlessLessOrEqualDouble:
      { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) <= $0.leftDouble) } }
    case .branchUnlessLessDoubleK: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) < $0.number) } }
    case .branchUnlessLessOrEqualDoubleK: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) <= $0.number) } }
    case .branchUnlessGreaterDoubleK: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) > $0.number) } }
    case .branchUnlessGreaterOrEqualDoubleK:
      { Cursor.at($0, $1, $2) { $0.branch(unless: $0.double($0.a) >= $0.number) } }
    case .branchUnlessMultiple: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] & $0.immediate == 0) } }
    case .branchIfMultiple: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.slots[$0.a] & $0.immediate != 0) } }
    case .branchUnlessDivisible: { Cursor.at($0, $1, $2) { $0.branch(unless: $0.isMultiple($0.slots[$0.a])) } }
    case .branchIfDivisible: { Cursor.at($0, $1, $2) { $0.branch(unless: !$0.isMultiple($0.slots[$0.a])) } }
    case .branchUnlessRemainderEqualK:
      { Cursor.at($0, $1, $2) { $0.branch(unless: $0.hasRemainder($0.slots[$0.a])) } }
    case .branchUnlessRemainderUnequalK:
      { Cursor.at($0, $1, $2) { $0.branch(unless: !$0.hasRemainder($0.slots[$0.a])) } }

    case .enterIntRow: { Cursor.at($0, $1, $2) { $0.enterIntRow() } }
    case .enterRow: { Cursor.at($0, $1, $2) { $0.enterRow() } }

    case .resetCells: { Cursor.at($0, $1, $2) { i in i.attempt { $0.resetCells() } } }

    case .prepare: { Cursor.at($0, $1, $2) { i in i.perform { $0.prepare(i.immediate) } } }
    case .bindSlot: { Cursor.at($0, $1, $2) { i in i.perform { $0.bind(i.left, i.c, at: i.immediate) } } }
    case .bindValue: { Cursor.at($0, $1, $2) { i in i.perform { $0.bind(i.b, at: i.immediate) } } }
    case .callInt, .callDouble, .callBool, .callValue:
      { Cursor.at($0, $1, $2) { i in i.attempt { $0.call(i.operation.pointee) } } }
    case .charge: { Cursor.at($0, $1, $2) { i in i.attempt { $0.charge(i.left) } } }
    case .evaluate: { Cursor.at($0, $1, $2) { i in i.attemptOrFail { $0.evaluate(i.operation.pointee) } } }
    case .apply: { Cursor.at($0, $1, $2) { i in i.attemptOrFail { $0.apply(i.operation.pointee) } } }

    case .emit: { Cursor.at($0, $1, $2) { $0.emit($0.slots[$0.a]) } }
    case .emitValue: { Cursor.at($0, $1, $2) { $0.emitValue() } }
    case .emitRow: { Cursor.at($0, $1, $2) { $0.emitRow() } }
    case .emitRecord: { Cursor.at($0, $1, $2) { $0.emitRecord(Frame.recordOutput) } }
    case .emitRowRecord: { Cursor.at($0, $1, $2) { $0.emitRecord(Frame.rowRecordOutput) } }
    case .end: { Cursor.at($0, $1, $2) { $0.end() } }
    case .limitDepth: { Cursor.at($0, $1, $2) { $0.limitDepth() } }
    }
  }
}
