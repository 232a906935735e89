/// A constant operand, and the numbers that are derived from it once.
struct Constant {
  var immediate: Int64
  var detail: Int64 = 0
  /// The number of bits by which a quotient is shifted.
  var shift: UInt8 = 0
}

extension Constant {
  init(of instruction: Instruction) {
    self.init(immediate: instruction.immediate)
    switch instruction.opcode {
    case .branchUnlessDivisible, .branchIfDivisible:
      let test = DivisibilityTest(immediate)
      (immediate, detail, shift) = (test.inverse, test.bound, test.shift)
    case .divideIntK, .remainderIntK:
      guard let reciprocal = Reciprocal(of: immediate) else {
        preconditionFailure("no instruction divides by a constant without a reciprocal")
      }
      (detail, shift) = (reciprocal.factor, reciprocal.shift)
    default: break
    }
  }
}

/// Tells whether ints are multiples of a constant, without dividing.
///
/// A multiple of an odd number times the number's inverse modulo 2^64 is the quotient, which is small; all other ints
/// come to something large.
///
/// - SeeAlso: Warren, Hacker's Delight (2nd edition), 10-17.
struct DivisibilityTest {
  /// Of the divisor's odd part.
  let inverse: Int64
  /// The greatest quotient by the odd part that the divisor's power of two divides.
  let bound: Int64
  /// The divisor's power of two.
  let shift: UInt8

  /// - Parameter divisor: such as `isPossible` is true of.
  init(_ divisor: Int64) {
    let power = divisor.trailingZeroBitCount
    let odd = Int64(divisor.magnitude >> UInt64(power))
    // Each step doubles the number of bits that are right; an odd number is its own inverse in the lowest three.
    var inverse = odd
    for _ in 0..<5 { inverse = inverse &* (2 &- odd &* inverse) }
    self.inverse = inverse
    bound = Int64.max / odd & (-1 << Int64(power))
    shift = UInt8(power)
  }

  /// Whether a divisor can be tested for: it has an odd part other than 1.
  static func isPossible(_ divisor: Int64) -> Bool {
    divisor != 0 && divisor.magnitude >> UInt64(divisor.trailingZeroBitCount) > 1
  }

  @inline(__always)
  static func isMultiple(_ number: Int64, inverse: Int64, bound: Int64, shift: UInt8) -> Bool {
    let sum = UInt64(bitPattern: number &* inverse &+ bound)
    if shift == 0 { return sum <= UInt64(bitPattern: bound) &<< 1 }
    // What the power of two does not divide has its lowest bits at the top then.
    let rotated = sum &>> UInt64(shift) | sum &<< (64 &- UInt64(shift))
    return rotated <= (UInt64(bitPattern: bound) &<< 1) &>> UInt64(shift)
  }
}

/// The factor by which ints are multiplied in place of a division by a constant.
///
/// - SeeAlso: Granlund, Montgomery, "Division by Invariant Integers using Multiplication", 1994; Warren, 10-3.
struct Reciprocal {
  /// 2^(64 + shift) divided by the divisor's magnitude, rounded up, less 2^64 where it is more than 2^63.
  let factor: Int64
  let shift: UInt8

  /// Nil for a divisor that has none: 0, 1, -1 and the least int.
  init?(of divisor: Int64) {
    let magnitude = divisor.magnitude
    guard magnitude > 1, divisor != .min else { return nil }
    // The shift that leaves 64 bits: what is left out of the quotient is then below one in 2^63 of it.
    let power = 63 - UInt64((magnitude - 1).leadingZeroBitCount)
    let (quotient, _) = magnitude.dividingFullWidth((1 << power, 0))
    factor = Int64(bitPattern: quotient &+ 1)
    shift = UInt8(power)
  }

  /// The quotient by the divisor's magnitude, towards zero.
  @inline(__always)
  static func quotient(_ number: Int64, factor: Int64, shift: UInt8) -> Int64 {
    // The factor stands for itself and 2^64 where it is negative.
    let high = factor.multipliedFullWidth(by: number).high &+ (number & (factor &>> 63))
    return (high &>> Int64(shift)) &- (number &>> 63)
  }
}
