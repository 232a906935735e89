internal import CLibrary

/// The clock that is never set.
enum MonotonicTime {
  private static let start = ContinuousClock.now

  /// Milliseconds since an arbitrary moment.
  static var milliseconds: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  /// Waits, at most this long.
  static func sleep(milliseconds: Int) {
    _ = poll(nil, 0, Int32(clamping: max(0, milliseconds)))
  }
}
