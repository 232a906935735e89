/// The wait before a program is started again: exponential back-off.
///
/// The first wait is 0.1 seconds, and each further one twice as long, up to 30 seconds. The first wait is
/// used again after progress, such as an answer, and after a program that has run for ten seconds.
package struct RestartBackoff: Sendable {
  /// The number of times in a row that the program has ended without progress.
  package private(set) var failureCount = 0
  private var hasProgress = false

  // In nanoseconds.
  private static let first: Int64 = 100_000_000
  private static let longest: Int64 = 30_000_000_000
  private static let steady: Int64 = 10_000_000_000

  package init() {}

  /// Notes that the program has done some of its work.
  package mutating func noteProgress() {
    (failureCount, hasProgress) = (0, true)
  }

  /// Notes the end of the program. Returns the nanoseconds until it is started again.
  ///
  /// - Parameter nanoseconds: How long it has run.
  package mutating func wait(afterRunOf nanoseconds: Int64) -> Int64 {
    let exponent = nanoseconds >= Self.steady || hasProgress ? 0 : min(failureCount, 16)
    failureCount = hasProgress ? 0 : failureCount + 1
    hasProgress = false
    return min(Self.longest, Self.first << Int64(exponent))
  }
}
