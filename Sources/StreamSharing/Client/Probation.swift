/// The values and the time for which a new version has to run without a failure before it counts as good.
///
/// Time counts from the first value on: one that an input receives, or that the version publishes. A version that has had
/// no value is on probation for as long as it runs, and its probation is inconclusive.
///
/// A version that fails on probation is replaced by the last good one, and is not tried again until the publisher
/// raises its version. Time and values add up over processes: a process that ends, or is killed, ends no probation.
public struct Probation: Hashable, Sendable {
  /// Seconds since the first value without a failure after which a version is good, 0 or more; nil for no such time.
  public var seconds: Double?
  /// Number of published values without a failure after which a version is good, 1 or more; nil for no such number.
  public var values: Int?
  /// Number of processes that may crash (SIGSEGV, SIGABRT and the like) during the probation. After as many, the version
  /// is refused. A process that is stopped or killed does not count. Also the number of runs in a row that a version may
  /// end with a failure after it was good; after as many it is on probation again. 1 or more.
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
