/// Eight bytes of a text, looked at as digits in one go.
enum DecimalDigits {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// How many of the eight bytes are digits before the first that is none.
  @inline(__always)
  static func count(_ word: UInt64) -> Int { marks(word).trailingZeroBitCount / 8 }

  /// The highest bit of each of the eight bytes that is no digit.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let digits = word ^ (ones &* 0x30)
    // What is above 9 comes to 0x80 or more; no byte carries into the next.
    return (((digits & ~highs) &+ (ones &* 0x76)) | digits) & highs
  }

  /// The number that the first bytes are the digits of.
  ///
  /// - Parameter count: how many, 1 to 8; all of them are digits.
  @inline(__always)
  static func value(_ word: UInt64, _ count: Int) -> UInt64 {
    // As eight digits, with zeros before them.
    let digits = (word ^ (ones &* 0x30)) << UInt64(64 - 8 * count)
    // Two neighbors at a time become one number: tens, hundreds, then tens of thousands.
    let pairs = ((digits &* (10 << 8 | 1)) >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = ((pairs &* (100 << 16 | 1)) >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* (10_000 << 32 | 1)) >> 32
  }

  /// 10 to the power of 0 to 15.
  @inline(__always)
  static func power(_ exponent: Int) -> UInt64 {
    // NB: by steps, for a table would be a global that is looked after.
    var result: UInt64 = 1
    if exponent & 1 != 0 { result = 10 }
    if exponent & 2 != 0 { result &*= 100 }
    if exponent & 4 != 0 { result &*= 10_000 }
    if exponent & 8 != 0 { result &*= 100_000_000 }
    return result
  }

  /// 10 to the power of 0 to 7, as a double.
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
