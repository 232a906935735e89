/// A constant operand with the numbers that are precomputed from it.
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

/// Tests without a division whether ints are multiples of a constant.
///
/// Multiplying a multiple of an odd number by the number's inverse modulo 2^64 yields the quotient, which is small; any
/// other int yields a large product.
///
/// - SeeAlso: Warren, Hacker's Delight (2nd edition), 10-17.
struct DivisibilityTest {
  /// Inverse of the divisor's odd part modulo 2^64.
  let inverse: Int64
  /// The greatest quotient by the odd part that is a multiple of the divisor's power of two.
  let bound: Int64
  /// Exponent of the divisor's power of two.
  let shift: UInt8

  /// - Parameter divisor: A divisor for which `isPossible` is true.
  init(_ divisor: Int64) {
    let power = divisor.trailingZeroBitCount
    let odd = Int64(divisor.magnitude >> UInt64(power))
    // Each step doubles the number of correct bits; an odd number is its own inverse in the lowest three.
    var inverse = odd
    for _ in 0..<5 { inverse = inverse &* (2 &- odd &* inverse) }
    self.inverse = inverse
    bound = Int64.max / odd & (-1 << Int64(power))
    shift = UInt8(power)
  }

  /// Whether the test supports a divisor: its odd part is not 1.
  static func isPossible(_ divisor: Int64) -> Bool {
    divisor != 0 && divisor.magnitude >> UInt64(divisor.trailingZeroBitCount) > 1
  }

  @inline(__always)
  static func isMultiple(_ number: Int64, inverse: Int64, bound: Int64, shift: UInt8) -> Bool {
    let sum = UInt64(bitPattern: number &* inverse &+ bound)
    if shift == 0 { return sum <= UInt64(bitPattern: bound) &<< 1 }
    // The rotation moves the lowest bits, which are not all 0 unless the power of two divides the number, to the top.
    let rotated = sum &>> UInt64(shift) | sum &<< (64 &- UInt64(shift))
    return rotated <= (UInt64(bitPattern: bound) &<< 1) &>> UInt64(shift)
  }
}

/// The factor of a multiplication that replaces a division by a constant.
///
/// - SeeAlso: Granlund, Montgomery, "Division by Invariant Integers using Multiplication", 1994; Warren, 10-3.
struct Reciprocal {
  /// 2^(64 + shift) divided by the divisor's magnitude, rounded down, plus 1; its bit pattern as an unsigned number.
  let factor: Int64
  let shift: UInt8

  /// Creates the reciprocal of a divisor; nil for 0, 1, -1 and the least int, which have none.
  init?(of divisor: Int64) {
    let magnitude = divisor.magnitude
    guard magnitude > 1, divisor != .min else { return nil }
    // This shift gives the factor 64 significant bits: its relative error is then at most 1 in 2^63.
    let power = 63 - UInt64((magnitude - 1).leadingZeroBitCount)
    let (quotient, _) = magnitude.dividingFullWidth((1 << power, 0))
    factor = Int64(bitPattern: quotient &+ 1)
    shift = UInt8(power)
  }

  /// Returns the quotient by the divisor's magnitude, rounded toward zero.
  @inline(__always)
  static func quotient(_ number: Int64, factor: Int64, shift: UInt8) -> Int64 {
    // A negative factor represents itself plus 2^64.
    let high = factor.multipliedFullWidth(by: number).high &+ (number & (factor &>> 63))
    return (high &>> Int64(shift)) &- (number &>> 63)
  }
}
