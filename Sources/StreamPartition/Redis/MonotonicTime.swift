internal import CLibrary
internal import StreamEngine

/// The clock that is never set.
enum MonotonicTime {
  private static let clock = LiveClock()

  /// Milliseconds since an arbitrary moment.
  static var milliseconds: Int { Int(clock.now.nanoseconds / 1_000_000) }

  /// Waits, at most this long.
  static func sleep(milliseconds: Int) {
    _ = poll(nil, 0, Int32(clamping: max(0, milliseconds)))
  }
}
