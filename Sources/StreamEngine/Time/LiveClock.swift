internal import CLibrary
package import StreamCore

/// The machine's monotonic clock, relative to the start of a stream.
package struct LiveClock: Sendable {
  private let start: Int64
  /// The calendar time at the start: the execution's origin.
  package let origin: Timestamp

  /// Creates a clock that starts now.
  package init() {
    start = Self.read(CLOCK_MONOTONIC)
    let calendar = Self.read(CLOCK_REALTIME)
    origin = Timestamp(seconds: 0, nanoseconds: calendar)
  }

  /// Time elapsed since the start.
  package var now: StreamTime { StreamTime(nanoseconds: Self.read(CLOCK_MONOTONIC) - start) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
