/// Operations on eight bytes of a text as decimal digits, all at once.
enum DecimalDigits {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Returns the number of digits before the first of the eight bytes that is not a digit.
  @inline(__always)
  static func count(_ word: UInt64) -> Int { marks(word).trailingZeroBitCount / 8 }

  /// Returns the highest bit of each of the eight bytes that is not a digit.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let digits = word ^ (ones &* 0x30)
    // A byte above 9 becomes 0x80 or more; no byte carries into the next.
    return (((digits & ~highs) &+ (ones &* 0x76)) | digits) & highs
  }

  /// Returns the number that is represented by the first bytes.
  ///
  /// - Parameter count: The number of bytes, 1 to 8; all of them are digits.
  @inline(__always)
  static func value(_ word: UInt64, _ count: Int) -> UInt64 {
    // Eight digits, with leading zeros.
    let digits = (word ^ (ones &* 0x30)) << UInt64(64 - 8 * count)
    // Each step combines pairs of neighbors; the weights are 10, 100 and 10,000.
    let pairs = ((digits &* (10 << 8 | 1)) >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = ((pairs &* (100 << 16 | 1)) >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* (10_000 << 32 | 1)) >> 32
  }

  /// Returns 10 to the power of `exponent`, 0 to 15.
  @inline(__always)
  static func power(_ exponent: Int) -> UInt64 {
    // NB: Computed in steps, since accesses to a table, a global, would have overhead.
    var result: UInt64 = 1
    if exponent & 1 != 0 { result = 10 }
    if exponent & 2 != 0 { result &*= 100 }
    if exponent & 4 != 0 { result &*= 10_000 }
    if exponent & 8 != 0 { result &*= 100_000_000 }
    return result
  }

  /// Returns 10 to the power of `exponent`, 0 to 7, as a double.
  @inline(__always)
  static func smallPower(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    default: 10_000_000
    }
  }
}
