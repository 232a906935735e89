public import StreamCore
public import StreamRuntime

/// Who knows the time for live streams, and calls them when it has come: a clock, or a scheduler.
///
/// For any number of subscriptions. Used from any thread.
@_spi(Driving) open class SchedulerAdapter: @unchecked Sendable {  // subclasses hold what may be used from any thread
  /// Whether streams do their work where `enqueue` says, and nowhere else.
  public let takesWork: Bool

  public init(takesWork: Bool) { self.takesWork = takesWork }

  /// Time since some instant in the past that stays the same.
  open var now: StreamTime { .zero }

  /// What the calendar shows, which `now()` of a stream that begins counts from. The machine's calendar, unless the time
  /// is one of a test: that begins in 1970, so that a test says the same whenever it is run.
  open var origin: Timestamp { LiveClock().origin }

  /// Calls back once, not before that time.
  open func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) {}

  /// Calls back as soon as possible, not before this has returned.
  open func enqueue(_ action: @escaping @Sendable () -> Void) { action() }
}
