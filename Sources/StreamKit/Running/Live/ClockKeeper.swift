public import StreamCore
public import StreamEngine

/// The time of a `Clock`: the machine's, or a test clock.
@_spi(Driving) public final class ClockKeeper<C: Clock>: SchedulerAdapter, @unchecked Sendable
where C.Duration == Duration {
  private let clock: C
  private let start: C.Instant
  /// Created on first use: most streams have no timers.
  private lazy var timer = ClockTimer.shared(clock) ?? ClockTimer(clock, isShared: false)
  private let lock = Lock()

  public init(_ clock: C) {
    self.clock = clock
    start = clock.now
    super.init(takesWork: false)
  }

  override public var now: StreamTime { StreamTime(start.duration(to: clock.now)) }

  override public var origin: Timestamp {
    if clock is ContinuousClock || clock is SuspendingClock { return super.origin }
    return Timestamp(seconds: 0, nanoseconds: now.nanoseconds)
  }

  override public func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    lock.withLock { timer }.schedule(at: start.advanced(by: time.duration), action)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Performs an action once, after a time, unless the token is canceled or released before.
  ///
  /// The Swift runtime keeps 0.7 KB for a canceled `Task.sleep` until its time. A canceled action leaves nothing
  /// behind, with the machine's clocks.
  package func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    ClockKeeper(self).wake(at: StreamTime(delay), action)
  }

  /// Returns after a time; throws if the task is canceled, and leaves nothing behind.
  package func pause(for delay: Duration) async throws {
    let (end, mail) = AsyncStream.makeStream(of: Never.self)
    let token = schedule(after: delay) { mail.finish() }
    for await _ in end {}
    token.cancel()
    try Task.checkCancellation()
  }
}
