public import StreamCore
public import StreamEngine

/// The time of a `Clock`: the machine's, or a test clock.
@_spi(Driving) public final class ClockKeeper<C: Clock>: SchedulerAdapter, @unchecked Sendable
where C.Duration == Duration {
  private let clock: C
  private let start: C.Instant

  public init(_ clock: C) {
    self.clock = clock
    start = clock.now
    super.init(takesWork: false)
  }

  override public var now: StreamTime { StreamTime(nanoseconds: start.duration(to: clock.now).nanoseconds) }

  override public var origin: Timestamp {
    if clock is ContinuousClock || clock is SuspendingClock { return super.origin }
    return Timestamp(seconds: 0, nanoseconds: now.nanoseconds)
  }

  override public func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) {
    let instant = start.advanced(by: time.duration)
    Task { [clock] in
      // This task is never canceled.
      try? await clock.sleep(until: instant, tolerance: nil)
      action()
    }
  }
}

extension Duration {
  /// Nanoseconds, rounded down and clamped to 64 bits.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ attoseconds / 1_000_000_000
  }
}
