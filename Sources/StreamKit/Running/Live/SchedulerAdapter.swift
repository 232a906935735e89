public import StreamCore
public import StreamEngine

/// The time source of live streams: a clock, or a scheduler.
///
/// Serves any number of subscriptions, from any thread.
@_spi(Driving) open class SchedulerAdapter: @unchecked Sendable {  // subclasses hold what may be used from any thread
  /// Whether streams perform their work only through `enqueue`.
  public let takesWork: Bool

  public init(takesWork: Bool) { self.takesWork = takesWork }

  /// Time elapsed since a fixed instant in the past.
  open var now: StreamTime { .zero }

  /// The calendar time to which `now()` of a starting stream adds the elapsed time. The machine's calendar, except for
  /// a test clock, whose calendar begins in 1970 so that results are reproducible.
  open var origin: Timestamp { LiveClock().origin }

  /// Performs the action once, at or after the time, unless the token is canceled or released before: nothing of the
  /// action is then kept until its time.
  open func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) -> StreamToken { StreamToken {} }

  /// Performs the action as soon as possible after this call has returned.
  open func enqueue(_ action: @escaping @Sendable () -> Void) { action() }
}
