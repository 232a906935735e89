internal import StreamEngine

/// The call by which the time source of a stream makes it continue. At most one is pending, none is requested again while
/// it is, and none outlives the stream: it is canceled with the stream, or when this is released.
///
/// Used by the active thread of a stream only.
struct StreamWake {
  /// When the time source calls, by its own time; `distantFuture` if it has not been asked to.
  private(set) var time = StreamTime.distantFuture
  /// Kept when the call has come, too: the time source releases all that it holds for the stream with the last one.
  private var token: StreamToken?

  /// The longest time to a call, a year: the instants of a clock or of a scheduler may not reach further. A stream that is
  /// called too early requests the next one.
  private static let longest = Interval(nanoseconds: 31_536_000_000_000_000)

  /// Requests a call at a time, instead of a later one.
  ///
  /// - Parameter action: Receives the time for which it was requested.
  mutating func request(
    at time: StreamTime, of keeper: SchedulerAdapter, _ action: @escaping @Sendable (StreamTime) -> Void
  ) {
    guard time < self.time else { return }
    let time = min(time, keeper.now + Self.longest)
    guard time < self.time else { return }
    self.time = time
    // The former call is canceled after this one has been requested: a clock that sleeps continues to sleep.
    token = keeper.wake(at: time) { action(time) }
  }

  /// Notes that a call has come. One that was replaced meanwhile has no effect.
  mutating func note(_ time: StreamTime) { if time == self.time { self.time = .distantFuture } }

  mutating func cancel() {
    time = .distantFuture
    token = nil
  }
}
