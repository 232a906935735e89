internal import StreamCore
internal import StreamRuntime

/// Counts runs of upstream in a row that say nothing and take no time: more and more of them would never come to an end.
struct ResubscribeLoopGuard: Codable, Sendable {
  @Counted private var count = 0
  private var time = StreamTime.zero

  /// The most that there may be.
  private static let limit = 10_000

  /// A value has come.
  mutating func end() { count = 0 }

  /// Another run follows one that has ended.
  ///
  /// - Throws: that there have been too many; `name` is the operator.
  mutating func add(_ name: String, _ effects: Effects) throws(StreamFailure) {
    if time != effects.now { count = 0 }
    time = effects.now
    guard count < Self.limit else {
      throw StreamFailure(
        .limitExceeded, "'\(name)' has subscribed \(Self.limit) times at one instant without hearing a value")
    }
    count += 1
  }
}
