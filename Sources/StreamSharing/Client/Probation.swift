#if Sharing
/// The time in which a new version has to run without a failure before it counts as good.
///
/// A version that fails on probation is replaced by the last good one, and is not tried again until the publisher
/// raises its version.
public struct Probation: Hashable, Sendable {
  /// Seconds without a failure after which a version is good, 0 or more; nil for no such time.
  public var seconds: Double?
  /// Number of published values without a failure after which a version is good, 1 or more; nil for no such number.
  public var values: Int?
  /// Number of probations that may end with the process, such as by a crash. After as many the version is refused.
  public var attempts: Int

  /// Creates the conditions. A version is good as soon as one of them holds.
  ///
  /// - Parameters:
  ///   - seconds: Default 60.
  ///   - values: Default 1,000.
  ///   - attempts: 1 or more. Default 2.
  public init(seconds: Double? = 60, values: Int? = 1_000, attempts: Int = 2) {
    self.seconds = seconds
    self.values = values
    self.attempts = attempts
  }
}
#endif
