/// An instant of a running stream: nanoseconds since its start.
public struct StreamTime: Hashable, Comparable, Sendable, Codable {
  /// Nanoseconds since the start, 0 or more; 292 years at most.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the stream.
  public static var zero: StreamTime { StreamTime(nanoseconds: 0) }
  /// Later than anything that happens.
  public static var distantFuture: StreamTime { StreamTime(nanoseconds: .max) }

  /// The instant this long after the start, to the nearest nanosecond; beyond the range the nearest bound.
  public init(seconds: Double) { self.init(nanoseconds: Interval(seconds: seconds).nanoseconds) }

  /// Seconds since the start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Time since the start.
  public var duration: Duration { .nanoseconds(nanoseconds) }

  public static func < (lhs: StreamTime, rhs: StreamTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  /// The later instant; never beyond `distantFuture`.
  public static func + (lhs: StreamTime, rhs: Interval) -> StreamTime {
    let (sum, overflow) = lhs.nanoseconds.addingReportingOverflow(rhs.nanoseconds)
    return StreamTime(nanoseconds: overflow ? .max : sum)
  }

  public static func - (lhs: StreamTime, rhs: StreamTime) -> Interval {
    Interval(nanoseconds: lhs.nanoseconds &- rhs.nanoseconds)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    nanoseconds = try container.decode(Int64.self)
    guard nanoseconds >= 0 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an instant is \(nanoseconds) nanoseconds after the start; expected 0 or more")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }
}

/// A length of time in nanoseconds.
public struct Interval: Hashable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// This many seconds, to the nearest nanosecond; beyond 292 years, and for NaN, the nearest bound or zero.
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
