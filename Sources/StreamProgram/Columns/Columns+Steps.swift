// What columns do for an instruction. Where a single run would leave, a column is flawed.

extension Columns {
  /// The loop of what computes a number from numbers; nil where there is none.
  static func computation(_ instruction: Instruction) -> Loop? {
    switch instruction.opcode {
    case .move:
      { columns, step in
        columns.compute(step) { $0 }
        columns.setMagnitude(columns.magnitude(step.pointee.b), of: step.pointee.a)
      }
    case .negateDouble: { columns, step in columns.compute(step) { (-double($0)).bits } }
    case .absoluteDouble: { columns, step in columns.compute(step) { abs(double($0)).bits } }
    case .squareRoot: { columns, step in columns.compute(step) { double($0).squareRoot().bits } }
    case .floor: { columns, step in columns.compute(step) { double($0).rounded(.down).bits } }
    case .ceiling: { columns, step in columns.compute(step) { double($0).rounded(.up).bits } }
    case .round: { columns, step in columns.compute(step) { double($0).rounded(.toNearestOrAwayFromZero).bits } }
    case .truncate: { columns, step in columns.compute(step) { double($0).rounded(.towardZero).bits } }
    case .intToDouble: { columns, step in columns.compute(step) { Double($0).bits } }
    case .addDouble: { columns, step in columns.compute(step) { (double($0) + double($1)).bits } }
    case .subtractDouble: { columns, step in columns.compute(step) { (double($0) - double($1)).bits } }
    case .multiplyDouble: { columns, step in columns.compute(step) { (double($0) * double($1)).bits } }
    case .divideDouble: { columns, step in columns.compute(step) { (double($0) / double($1)).bits } }
    case .addDoubleK:
      { columns, step in
        let constant = double(step.pointee.immediate)
        columns.compute(step) { (double($0) + constant).bits }
      }
    case .multiplyDoubleK:
      { columns, step in
        let constant = double(step.pointee.immediate)
        columns.compute(step) { (double($0) * constant).bits }
      }
    case .divideDoubleK:
      { columns, step in
        let constant = double(step.pointee.immediate)
        columns.compute(step) { (double($0) / constant).bits }
      }
    default: intComputation(instruction) ?? comparison(instruction.opcode)
    }
  }

  private static func intComputation(_ instruction: Instruction) -> Loop? {
    switch instruction.opcode {
    case .addIntK:
      { columns, step in
        let (constant, limit) = (step.pointee.immediate, columns.magnitude(step.pointee.b))
        columns.compute(step, upTo: sum(limit, constant.magnitude)) {
          $0 &+ constant
        } checked: {
          sum($0, constant, &$1)
        }
      }
    case .multiplyIntK:
      { columns, step in
        let (constant, limit) = (step.pointee.immediate, columns.magnitude(step.pointee.b))
        columns.compute(step, upTo: product(limit, constant.magnitude)) {
          $0 &* constant
        } checked: {
          product($0, constant, &$1)
        }
      }
    case .addInt:
      { columns, step in
        let limit = sum(columns.magnitude(step.pointee.b), columns.magnitude(step.pointee.c))
        columns.compute(step, upTo: limit) {
          $0 &+ $1
        } checked: {
          sum($0, $1, &$2)
        }
      }
    case .subtractInt:
      { columns, step in
        let limit = sum(columns.magnitude(step.pointee.b), columns.magnitude(step.pointee.c))
        columns.compute(step, upTo: limit) {
          $0 &- $1
        } checked: {
          difference($0, $1, &$2)
        }
      }
    case .multiplyInt:
      { columns, step in
        let limit = product(columns.magnitude(step.pointee.b), columns.magnitude(step.pointee.c))
        columns.compute(step, upTo: limit) {
          $0 &* $1
        } checked: {
          product($0, $1, &$2)
        }
      }
    case .negateInt:
      { columns, step in
        columns.compute(step, upTo: columns.magnitude(step.pointee.b)) {
          0 &- $0
        } checked: {
          difference(0, $0, &$1)
        }
      }
    case .absoluteInt:
      { columns, step in
        // Only the least int has none: it stays negative.
        columns.compute(step, upTo: columns.magnitude(step.pointee.b)) {
          magnitude($0)
        } checked: { number, flaws in
          flaws |= magnitude(number)
          return magnitude(number)
        }
      }
    case .divideIntK where Reciprocal(of: instruction.immediate) != nil:
      { columns, step in
        let (factor, shift, sign) = (step.pointee.detail, step.pointee.shift, step.pointee.immediate &>> 63)
        columns.compute(step) { (Reciprocal.quotient($0, factor: factor, shift: shift) ^ sign) &- sign }
        columns.setMagnitude(columns.magnitude(step.pointee.b), of: step.pointee.a)
      }
    case .remainderIntK where Reciprocal(of: instruction.immediate) != nil:
      { columns, step in
        let (factor, shift) = (step.pointee.detail, step.pointee.shift)
        let divisor = step.pointee.immediate.magnitude
        columns.compute(step) {
          $0 &- Reciprocal.quotient($0, factor: factor, shift: shift) &* Int64(bitPattern: UInt64(divisor))
        }
        columns.setMagnitude(UInt64(divisor), of: step.pointee.a)
      }
    default: nil
    }
  }

  private static func comparison(_ opcode: Opcode) -> Loop? {
    switch opcode {
    case .not: { columns, step in columns.compute(step) { $0 ^ 1 } }
    case .lessInt: { columns, step in columns.compute(step) { bit($0 < $1) } }
    case .lessOrEqualInt: { columns, step in columns.compute(step) { bit($0 <= $1) } }
    case .equalInt: { columns, step in columns.compute(step) { bit($0 == $1) } }
    case .unequalInt: { columns, step in columns.compute(step) { bit($0 != $1) } }
    case .lessIntK: { columns, step in columns.compare(step) { $0 < $1 } }
    case .lessOrEqualIntK: { columns, step in columns.compare(step) { $0 <= $1 } }
    case .greaterIntK: { columns, step in columns.compare(step) { $0 > $1 } }
    case .greaterOrEqualIntK: { columns, step in columns.compare(step) { $0 >= $1 } }
    case .equalIntK: { columns, step in columns.compare(step) { $0 == $1 } }
    case .unequalIntK: { columns, step in columns.compare(step) { $0 != $1 } }
    case .lessDouble: { columns, step in columns.compute(step) { bit(double($0) < double($1)) } }
    case .lessOrEqualDouble: { columns, step in columns.compute(step) { bit(double($0) <= double($1)) } }
    case .equalDouble: { columns, step in columns.compute(step) { bit(double($0) == double($1)) } }
    case .unequalDouble: { columns, step in columns.compute(step) { bit(double($0) != double($1)) } }
    case .lessDoubleK: { columns, step in columns.compare(step) { double($0) < double($1) } }
    case .lessOrEqualDoubleK: { columns, step in columns.compare(step) { double($0) <= double($1) } }
    case .greaterDoubleK: { columns, step in columns.compare(step) { double($0) > double($1) } }
    case .greaterOrEqualDoubleK: { columns, step in columns.compare(step) { double($0) >= double($1) } }
    case .equalDoubleK: { columns, step in columns.compare(step) { double($0) == double($1) } }
    case .unequalDoubleK: { columns, step in columns.compare(step) { double($0) != double($1) } }
    default: nil
    }
  }

  /// Compares a column with the constant.
  @inline(__always)
  private func compare(_ step: UnsafePointer<ColumnCode.Step>, _ body: (_ number: Int64, _ constant: Int64) -> Bool) {
    let constant = step.pointee.immediate
    compute(step) { Self.bit(body($0, constant)) }
  }

  // MARK: Numbers

  @inline(__always)
  static func double(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }

  @inline(__always)
  private static func bit(_ flag: Bool) -> Int64 { flag ? 1 : 0 }

  @inline(__always)
  private static func magnitude(_ number: Int64) -> Int64 { (number ^ number &>> 63) &- (number &>> 63) }

  /// NB: without a branch, so that several numbers are added at once: a sum has overflowed where its sign is that of
  /// neither.
  @inline(__always)
  private static func sum(_ left: Int64, _ right: Int64, _ flaws: inout Int64) -> Int64 {
    let sum = left &+ right
    flaws |= (left ^ sum) & (right ^ sum)
    return sum
  }

  @inline(__always)
  private static func difference(_ left: Int64, _ right: Int64, _ flaws: inout Int64) -> Int64 {
    let difference = left &- right
    flaws |= (left ^ right) & (left ^ difference)
    return difference
  }

  @inline(__always)
  private static func product(_ left: Int64, _ right: Int64, _ flaws: inout Int64) -> Int64 {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    flaws |= overflows ? .min : 0
    return product
  }
}
