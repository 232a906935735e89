internal import StreamCore
internal import StreamKit

/// The time without records of an input that is fed live: after `idle` seconds, event time passes by the clock of the
/// machine, as in `run`.
final class FeedSilence {
  /// When the latest record was read, and the newest event time then; nil while records arrive.
  private var start: (milliseconds: Int, newest: Int64)?
  private var idle: Int?

  /// The longest time between two looks, in milliseconds.
  private static let interval = 1_000

  /// Notes that no record is there now.
  ///
  /// - Parameters:
  ///   - newest: The newest event time, in nanoseconds since 1970.
  ///   - idle: Seconds after which the input is idle; nil for never.
  /// - Returns: The longest wait for a record, in nanoseconds.
  func begin(with newest: Int64, idle seconds: Double?) -> Int64 {
    let now = MonotonicTime.milliseconds
    if start == nil { start = (now, newest) }
    idle = seconds.map { Int(($0 * 1_000).rounded(.up)) }
    guard let start, let idle, start.newest != Watermark.none else { return Int64(Self.interval) * 1_000_000 }
    let rest = start.milliseconds + idle - now
    return Int64(max(1, min(rest > 0 ? rest : idle, Self.interval))) * 1_000_000
  }

  /// The event time now, in nanoseconds since 1970; nil unless the input is idle.
  var present: Int64? {
    guard let start, let idle, start.newest != Watermark.none else { return nil }
    let passed = MonotonicTime.milliseconds - start.milliseconds
    return passed < idle ? nil : start.newest + Int64(passed) * 1_000_000
  }

  /// Notes that a record has been read.
  func end() { start = nil }
}
