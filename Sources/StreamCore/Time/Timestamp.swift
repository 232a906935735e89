/// A point in calendar time: seconds and nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// ```swift
/// let value = Value.timestamp(Timestamp(seconds: 1_700_000_000))
/// let date = try value.decoded(as: Date.self)
/// ```
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970, rounded down. CEL's range is 0001-01-01 … 9999-12-31.
  public let seconds: Int64
  /// Nanoseconds added to `seconds`, 0 ..< 1,000,000,000.
  public let nanoseconds: Int32

  /// Creates a timestamp `seconds` and `nanoseconds` after 1970; excess nanoseconds are added to the seconds. A sum beyond
  /// 64 bits becomes the earliest or the latest timestamp.
  public init(seconds: Int64, nanoseconds: Int64 = 0) {
    let billion: Int64 = 1_000_000_000
    var carry = nanoseconds / billion
    var rest = nanoseconds % billion
    if rest < 0 {
      rest += billion
      carry -= 1
    }
    let (sum, overflow) = seconds.addingReportingOverflow(carry)
    self.seconds = overflow ? (carry < 0 ? .min : .max) : sum
    self.nanoseconds = overflow ? (carry < 0 ? 0 : 999_999_999) : Int32(truncatingIfNeeded: rest)
  }

  /// Creates a timestamp from milliseconds since 1970.
  public init(millisecondsSince1970 milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    self.init(seconds: seconds, nanoseconds: rest * 1_000_000)
  }

  /// The range of seconds that CEL and RFC 3339 can express.
  public static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }
}
