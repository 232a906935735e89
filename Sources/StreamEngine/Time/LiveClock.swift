internal import CLibrary
package import StreamCore

/// The machine's monotonic clock, relative to the start of a stream. It stops while the machine sleeps, as the time of a
/// dispatch queue does.
package struct LiveClock: Sendable {
  private let start = SuspendingClock.now
  /// The calendar time at the start: the execution's origin.
  package let origin: Timestamp

  /// Creates a clock that starts now.
  package init() {
    var time = timespec()
    #if os(WASI)
    // The names of its clocks are macros that Swift does not import.
    timespec_get(&time, TIME_UTC)
    #else
    clock_gettime(CLOCK_REALTIME, &time)
    #endif
    origin = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Time elapsed since the start.
  package var now: StreamTime {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return StreamTime(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
