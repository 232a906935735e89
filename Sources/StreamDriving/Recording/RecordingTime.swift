internal import StreamCore
internal import StreamEngine

/// The times of a recording: seconds since the start of the stream, exact to the nanosecond.
enum RecordingTime {
  /// Number of nanoseconds up to which a double of seconds is exact.
  private static let exact: Int64 = 4_000_000_000_000_000

  /// Appends a time: a number of seconds, or beyond 46 days the same number as a string, since a double would round it.
  static func append(_ time: StreamTime, to bytes: inout [UInt8]) {
    guard time.nanoseconds < 0 || time.nanoseconds > exact else {
      return TimeStamping.appendSeconds(time, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: String(time.nanoseconds).utf8)
    bytes.append(contentsOf: "ns\"".utf8)
  }

  /// Returns the time that was written; nil if the value is none.
  static func read(_ value: Value) -> StreamTime? {
    switch value {
    case .int(let seconds):
      let (nanoseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return isOver ? nil : StreamTime(nanoseconds: nanoseconds)
    case .double(let seconds): return seconds.isFinite ? StreamTime(seconds: seconds) : nil
    case .string(let text):
      guard text.hasSuffix("ns"), let nanoseconds = Int64(text.dropLast(2)) else { return nil }
      return StreamTime(nanoseconds: nanoseconds)
    default: return nil
    }
  }
}
