internal import StreamEngine

/// The wait before an attempt: exponential back-off with a maximum and jitter.
struct Backoff: Sendable {
  /// The wait before the first attempt, in seconds.
  let seconds: Double
  /// The ratio of a wait to the previous one.
  let factor: Double
  /// The longest wait, in seconds.
  let maximum: Double
  /// The fraction of the wait, 0 to 1, that is added or subtracted at most.
  let jitter: Double

  /// One year in seconds, the longest wait of any operator.
  static let longest: Double = 31_536_000

  /// - Parameter attempt: The number of the attempt, from 1.
  func interval(before attempt: Int64, _ random: inout RandomSequence) -> Interval {
    guard seconds > 0 else { return Interval(nanoseconds: 0) }
    var length = min(seconds * Self.power(factor, attempt - 1), maximum)
    if jitter > 0 { length *= 1 + jitter * (2 * random.next() - 1) }
    return Interval(seconds: length)
  }

  /// Exponentiation by squaring, because there may be many attempts; infinite on overflow.
  private static func power(_ base: Double, _ exponent: Int64) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}

/// Pseudorandom numbers that depend only on the seed: SplitMix64 (Steele, Lea and Flood, 2014).
struct RandomSequence: Codable, Sendable {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  /// The next number, at least 0 and less than 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / 0x1p53
  }
}
