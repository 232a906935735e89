/// An instant of a running stream, in nanoseconds since its start.
///
/// ```swift
/// let later = StreamTime(seconds: 1.5) + Interval(seconds: 0.5)
/// ```
public struct StreamTime: Hashable, Comparable, Sendable, Codable {
  /// Nanoseconds since the start, up to about 292 years; negative only for recorded events before the start.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the stream.
  public static var zero: StreamTime { StreamTime(nanoseconds: 0) }
  /// An instant later than every event.
  public static var distantFuture: StreamTime { StreamTime(nanoseconds: .max) }

  /// Creates an instant from seconds since the start, rounded to the nearest nanosecond and clamped to the range.
  public init(seconds: Double) { self.init(nanoseconds: Interval(seconds: seconds).nanoseconds) }

  /// Creates an instant from the time since the start, rounded down to nanoseconds and clamped to the range.
  public init(_ duration: Duration) { self.init(nanoseconds: Interval(duration).nanoseconds) }

  /// Seconds since the start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Time since the start.
  public var duration: Duration { .nanoseconds(nanoseconds) }

  public static func < (lhs: StreamTime, rhs: StreamTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// Returns the later instant, clamped to `distantFuture`.
  public static func + (lhs: StreamTime, rhs: Interval) -> StreamTime {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return StreamTime(nanoseconds: overflow ? .max : sum)
  }

  /// Returns the interval between two instants, clamped to 64 bits.
  public static func - (lhs: StreamTime, rhs: StreamTime) -> Interval {
    Interval(nanoseconds: difference(lhs.nanoseconds, rhs.nanoseconds))
  }

  /// Returns the earlier instant, clamped to 64 bits.
  public static func - (lhs: StreamTime, rhs: Interval) -> StreamTime {
    StreamTime(nanoseconds: difference(lhs.nanoseconds, rhs.nanoseconds))
  }

  private static func difference(_ first: Int64, _ second: Int64) -> Int64 {
    let (difference, overflow) = first.subtractingReportingOverflow(second)
    return overflow ? (first < 0 ? .min : .max) : difference
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    nanoseconds = try container.decode(Int64.self)
    guard nanoseconds >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the time is \(nanoseconds) nanoseconds after the start; expected 0 or more")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

/// A duration in nanoseconds.
///
/// ```swift
/// let elapsed = StreamTime(seconds: 2) - StreamTime(seconds: 0.5)
/// ```
public struct Interval: Hashable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates an interval from a duration, rounded down to nanoseconds and clamped to 292 years.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    nanoseconds = isOver || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  /// Creates an interval from seconds, rounded to the nearest nanosecond and clamped to 292 years; NaN becomes zero.
  public init(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    if scaled.isNaN {
      nanoseconds = 0
    } else if scaled >= 9.2e18 {
      nanoseconds = .max
    } else if scaled <= -9.2e18 {
      nanoseconds = .min
    } else {
      nanoseconds = Int64(scaled)
    }
  }

  public var seconds: Double { Double(nanoseconds) / 1e9 }
}
