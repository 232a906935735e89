internal import StreamCore
internal import StreamEngine

/// Counts consecutive runs of upstream that publish nothing at one instant, to end an infinite loop.
struct ResubscribeLoopGuard: Codable, Sendable {
  @Counted private var count = 0
  private var time = StreamTime.zero

  /// The maximum number of such runs.
  private static let limit = 10_000

  /// Resets the count, because a value was published.
  mutating func end() { count = 0 }

  /// Counts one more run.
  ///
  /// - Parameter name: The operator's name, for the failure.
  /// - Throws: If there were too many runs.
  mutating func add(_ name: String, _ effects: Effects) throws(StreamFailure) {
    if time != effects.now { count = 0 }
    time = effects.now
    guard count < Self.limit else {
      throw StreamFailure(
        .limitExceeded, "'\(name)' has subscribed \(Self.limit) times at one instant without receiving a value")
    }
    count += 1
  }
}
