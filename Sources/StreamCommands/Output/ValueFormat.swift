internal import ArgumentParser
internal import StreamCore
internal import StreamRuntime

/// How the values of a stream are printed.
enum ValueFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// One JSON value a line.
  case ndjson
  /// One JSON array.
  case json
  /// Strings as they are, other values as JSON.
  case text
  /// A row for each value, below the names of the first one's fields.
  case csv
  /// A diagram of the whole, at the end.
  case marbles
}

/// Writes the values of a stream in one format.
protocol ValueWriter: AnyObject {
  /// - Throws: why the value has no form in this format.
  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic)
  /// Writes a value as the line of JSON that it is; false where that is not the format.
  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool
  /// Writes a record that has not been made; false where it has to be.
  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool
  /// Writes the record that the row at work is of; false where it has to be made, or told otherwise than it stands in its
  /// file.
  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool
  /// Takes back the value that was written last, whose bytes are gone: it was too long.
  func takeBack()
  /// Values are longer than allowed that have more bytes than these: no more than is needed to tell has to be written.
  func bound(to bytes: Int)
  /// Whether times are written beside values.
  var writesTimes: Bool { get }
  /// Whether a number was written as a string since JSON has none for it.
  var hasNonFinite: Bool { get }
  /// Writes what stands at the end, also where the stream failed.
  func finish(_ end: StreamEnd, to output: OutputBuffer)
}

/// How the stream ended, and when.
struct StreamEnd {
  var time: StreamTime
  /// The end, or the failure; nil where the stream goes on.
  var event: ExecutionEvent?
}

extension ValueWriter {
  var hasNonFinite: Bool { false }
  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool { false }
  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool { false }

  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool {
    rows.columns == nil && rows.isCanonical && write(rows.line.bytes, to: output)
  }

  func finish(_ end: StreamEnd, to output: OutputBuffer) {}
  func takeBack() {}
  func bound(to bytes: Int) {}
}

extension Diagnostic {
  /// A value is not printed, for it has more bytes than these.
  static func tooLongValue(_ limit: ByteCount) -> Diagnostic {
    Diagnostic(
      .limitExceeded, "a value is longer than \(limit), which is the limit", help: "--max-value sets the limit")
  }
}

extension JSONRecordWriter {
  /// Writes no more of a value than tells that it has more than so many bytes.
  func bound(to bytes: Int) {
    // Values before it may wait in the buffer.
    limit = bytes.addingReportingOverflow(OutputBuffer.capacity).overflow ? .max : bytes + OutputBuffer.capacity
  }
}

/// What stands beside a value to tell its time.
struct TimeStamping {
  /// The calendar's instant at the start, where the data have a calendar.
  let origin: Timestamp?

  /// `{"at":1,` and, of the data's own clock, `"time":"…",`.
  func appendMembers(_ time: StreamTime, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\"at\":".utf8)
    Self.appendSeconds(time, to: &bytes)
    if let calendar = calendarText(time) {
      bytes.append(contentsOf: ",\"time\":\"".utf8)
      bytes.append(contentsOf: calendar.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// The calendar's instant as RFC 3339 writes it; nil where the data have no calendar.
  func calendarText(_ time: StreamTime) -> String? {
    guard let origin else { return nil }
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Timestamp(seconds: origin.seconds &+ seconds, nanoseconds: Int64(origin.nanoseconds) + rest).rfc3339
  }

  /// Seconds with as many digits behind the point as there are, and at least so many.
  static func appendSeconds(_ time: StreamTime, digits: Int = 0, to bytes: inout [UInt8]) {
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    bytes.append(contentsOf: String(seconds).utf8)
    var fraction = Array(String(1_000_000_000 + rest).utf8.dropFirst())
    while fraction.count > digits, fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    guard !fraction.isEmpty else { return }
    bytes.append(UInt8(ascii: "."))
    bytes += fraction
  }
}
