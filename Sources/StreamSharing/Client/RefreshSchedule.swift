/// The times at which a client reads its repository.
///
/// Times are spread at random, so that many clients do not ask a server at one moment.
public struct RefreshSchedule: Hashable, Sendable {
  /// Time between two refreshes, in seconds. Default 300.
  public var seconds: Double
  /// Largest deviation from `seconds`, as a share of it. 0 to 1, default 0.2.
  public var jitter: Double
  /// Time after the first refresh that failed, in seconds. It doubles with each further failure. Default 10.
  public var firstRetry: Double
  /// Longest time after a refresh that failed, in seconds. Default 3600.
  public var longestRetry: Double
  /// Longest time between a notice of a hub and the refresh that follows, in seconds. Default 5.
  public var noticeSpread: Double

  public init(
    seconds: Double = 300, jitter: Double = 0.2, firstRetry: Double = 10, longestRetry: Double = 3_600,
    noticeSpread: Double = 5
  ) {
    self.seconds = seconds
    self.jitter = jitter
    self.firstRetry = firstRetry
    self.longestRetry = longestRetry
    self.noticeSpread = noticeSpread
  }

  /// The time to the next refresh.
  ///
  /// - Parameters:
  ///   - failureCount: Number of refreshes that have failed since the last one that succeeded.
  ///   - chance: A random number, 0 to 1.
  func delay(after failureCount: Int, _ chance: Double) -> Duration {
    let share = 1 + jitter * (2 * chance - 1)
    guard failureCount > 0 else { return Self.duration(seconds * share) }
    // 2^40 times the first is beyond every limit.
    let doubled = firstRetry * Double(1 << Int64(min(failureCount - 1, 40)))
    return Self.duration(min(doubled, longestRetry) * share)
  }

  /// The time between a notice and the refresh.
  func delay(afterNotice chance: Double) -> Duration { Self.duration(noticeSpread * chance) }

  /// A duration of at least a millisecond, so that no number makes a client ask without a pause, and at most 100 years.
  private static func duration(_ seconds: Double) -> Duration {
    .milliseconds(Int64(max(1, min(seconds * 1_000, 3.2e12))))
  }
}
