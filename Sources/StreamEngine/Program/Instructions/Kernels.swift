/// The arithmetic and the comparisons of instructions, on the bits in slots.
enum Kernel {
  /// A result and whether it overflows, in which case the instruction takes its side exit.
  typealias Checked = (partialValue: Int64, overflow: Bool)

  @inline(__always) static func double(_ bits: Int64) -> Double { Double(bitPattern: UInt64(bitPattern: bits)) }
  @inline(__always) private static func uint(_ bits: Int64) -> UInt64 { UInt64(bitPattern: bits) }

  // MARK: Ints

  @inline(__always) static func addInt(_ a: Int64, _ b: Int64) -> Checked { a.addingReportingOverflow(b) }
  @inline(__always) static func subtractInt(_ a: Int64, _ b: Int64) -> Checked { a.subtractingReportingOverflow(b) }
  @inline(__always) static func multiplyInt(_ a: Int64, _ b: Int64) -> Checked { a.multipliedReportingOverflow(by: b) }
  @inline(__always) static func divideInt(_ a: Int64, _ b: Int64) -> Checked { a.dividedReportingOverflow(by: b) }

  @inline(__always)
  static func remainderInt(_ a: Int64, _ b: Int64) -> Checked {
    // NB: The library reports an overflow for the remainder of the least int by -1, which is 0.
    b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
  }

  @inline(__always) static func negateInt(_ a: Int64) -> Checked { subtractInt(0, a) }

  @inline(__always)
  static func absoluteInt(_ a: Int64) -> Checked {
    let magnitude = (a ^ a &>> 63) &- (a &>> 63)
    // Only the least int has no magnitude: it stays negative.
    return (magnitude, magnitude < 0)
  }

  @inline(__always)
  static func divideIntK(_ a: Int64, _ divisor: Constant) -> Int64 {
    let sign = divisor.immediate &>> 63
    return (Reciprocal.quotient(a, factor: divisor.detail, shift: divisor.shift) ^ sign) &- sign
  }

  /// The remainder has the sign of the dividend.
  @inline(__always)
  static func remainderIntK(_ a: Int64, _ divisor: Constant) -> Int64 {
    let quotient = Reciprocal.quotient(a, factor: divisor.detail, shift: divisor.shift)
    return a &- quotient &* Int64(bitPattern: UInt64(divisor.immediate.magnitude))
  }

  // MARK: Uints

  @inline(__always)
  private static func bits(_ result: (partialValue: UInt64, overflow: Bool)) -> Checked {
    (Int64(bitPattern: result.partialValue), result.overflow)
  }

  @inline(__always)
  static func addUInt(_ a: Int64, _ b: Int64) -> Checked { bits(uint(a).addingReportingOverflow(uint(b))) }
  @inline(__always)
  static func subtractUInt(_ a: Int64, _ b: Int64) -> Checked { bits(uint(a).subtractingReportingOverflow(uint(b))) }
  @inline(__always)
  static func multiplyUInt(_ a: Int64, _ b: Int64) -> Checked { bits(uint(a).multipliedReportingOverflow(by: uint(b))) }
  @inline(__always)
  static func divideUInt(_ a: Int64, _ b: Int64) -> Checked { bits(uint(a).dividedReportingOverflow(by: uint(b))) }
  @inline(__always)
  static func remainderUInt(_ a: Int64, _ b: Int64) -> Checked {
    bits(uint(a).remainderReportingOverflow(dividingBy: uint(b)))
  }

  // MARK: Doubles

  @inline(__always) static func addDouble(_ a: Int64, _ b: Int64) -> Int64 { (double(a) + double(b)).bits }
  @inline(__always) static func subtractDouble(_ a: Int64, _ b: Int64) -> Int64 { (double(a) - double(b)).bits }
  @inline(__always) static func multiplyDouble(_ a: Int64, _ b: Int64) -> Int64 { (double(a) * double(b)).bits }
  @inline(__always) static func divideDouble(_ a: Int64, _ b: Int64) -> Int64 { (double(a) / double(b)).bits }
  @inline(__always)
  static func remainderDouble(_ a: Int64, _ b: Int64) -> Int64 {
    double(a).truncatingRemainder(dividingBy: double(b)).bits
  }
  @inline(__always) static func negateDouble(_ a: Int64) -> Int64 { (-double(a)).bits }
  @inline(__always) static func absoluteDouble(_ a: Int64) -> Int64 { abs(double(a)).bits }
  @inline(__always) static func squareRoot(_ a: Int64) -> Int64 { double(a).squareRoot().bits }
  @inline(__always) static func floor(_ a: Int64) -> Int64 { double(a).rounded(.down).bits }
  @inline(__always) static func ceiling(_ a: Int64) -> Int64 { double(a).rounded(.up).bits }
  @inline(__always) static func round(_ a: Int64) -> Int64 { double(a).rounded(.toNearestOrAwayFromZero).bits }
  @inline(__always) static func truncate(_ a: Int64) -> Int64 { double(a).rounded(.towardZero).bits }

  // MARK: Conversions

  @inline(__always) static func intToDouble(_ a: Int64) -> Int64 { Double(a).bits }
  @inline(__always) static func uintToDouble(_ a: Int64) -> Int64 { Double(uint(a)).bits }

  @inline(__always)
  static func doubleToInt(_ a: Int64) -> Checked {
    let number = double(a)
    return number > -0x1p63 && number < 0x1p63 ? (Int64(number), false) : (0, true)
  }

  // MARK: Comparisons

  @inline(__always) static func not(_ a: Int64) -> Int64 { a ^ 1 }
  @inline(__always) static func lessInt(_ a: Int64, _ b: Int64) -> Bool { a < b }
  @inline(__always) static func lessOrEqualInt(_ a: Int64, _ b: Int64) -> Bool { a <= b }
  @inline(__always) static func greaterInt(_ a: Int64, _ b: Int64) -> Bool { a > b }
  @inline(__always) static func greaterOrEqualInt(_ a: Int64, _ b: Int64) -> Bool { a >= b }
  @inline(__always) static func equalInt(_ a: Int64, _ b: Int64) -> Bool { a == b }
  @inline(__always) static func unequalInt(_ a: Int64, _ b: Int64) -> Bool { a != b }
  @inline(__always) static func lessUInt(_ a: Int64, _ b: Int64) -> Bool { uint(a) < uint(b) }
  @inline(__always) static func lessOrEqualUInt(_ a: Int64, _ b: Int64) -> Bool { uint(a) <= uint(b) }
  @inline(__always) static func lessDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) < double(b) }
  @inline(__always) static func lessOrEqualDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) <= double(b) }
  @inline(__always) static func greaterDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) > double(b) }
  @inline(__always) static func greaterOrEqualDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) >= double(b) }
  @inline(__always) static func equalDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) == double(b) }
  @inline(__always) static func unequalDouble(_ a: Int64, _ b: Int64) -> Bool { double(a) != double(b) }

  /// Whether an int is a multiple of a power of two.
  @inline(__always) static func isMultiple(_ a: Int64, _ mask: Int64) -> Bool { a & mask == 0 }
  @inline(__always) static func isNoMultiple(_ a: Int64, _ mask: Int64) -> Bool { a & mask != 0 }

  /// Whether an int is a multiple of a constant that is not a power of two.
  @inline(__always)
  static func isDivisible(_ a: Int64, _ divisor: Constant) -> Bool {
    DivisibilityTest.isMultiple(a, inverse: divisor.immediate, bound: divisor.detail, shift: divisor.shift)
  }
  @inline(__always) static func isIndivisible(_ a: Int64, _ divisor: Constant) -> Bool { !isDivisible(a, divisor) }

  /// Whether the remainder of a division is the lower half of the constant; the upper half is the divisor.
  @inline(__always)
  static func hasRemainder(_ a: Int64, _ constants: Int64) -> Bool {
    a % (constants >> 32) == Int64(Int32(truncatingIfNeeded: constants))
  }
  @inline(__always)
  static func hasOtherRemainder(_ a: Int64, _ constants: Int64) -> Bool { !hasRemainder(a, constants) }
}
