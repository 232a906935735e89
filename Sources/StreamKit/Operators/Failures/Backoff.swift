internal import StreamCore
internal import StreamRuntime

/// How long is waited before an attempt: longer with each, up to a bound, and a little more or less.
struct Backoff: Sendable {
  /// Before the first attempt, in seconds.
  let seconds: Double
  /// How many times longer than before the attempt before.
  let factor: Double
  /// The longest, in seconds.
  let maximum: Double
  /// The part of it, 0 to 1, that is added or taken away at most.
  let jitter: Double

  /// A year: the longest that anything waits.
  static let longest: Double = 31_536_000

  /// - Parameter attempt: 1 for the first.
  func interval(before attempt: Int64, _ random: inout RandomSequence) -> Interval {
    guard seconds > 0 else { return Interval(nanoseconds: 0) }
    var length = min(seconds * Self.power(factor, attempt - 1), maximum)
    if jitter > 0 { length *= 1 + jitter * (2 * random.next() - 1) }
    return Interval(seconds: length)
  }

  /// By squaring, since attempts may be many; infinite where it is too large.
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

/// Numbers that look random and are the same for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
struct RandomSequence: Codable, Sendable {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  /// The next number, from 0 up to but not including 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) / Double(1 << 53)
  }
}
