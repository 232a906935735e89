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
  /// Whether times are written beside values.
  var writesTimes: Bool { get }
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
  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool { false }
  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool { false }

  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool {
    rows.columns == nil && rows.isCanonical && write(rows.line.bytes, to: output)
  }

  func finish(_ end: StreamEnd, to output: OutputBuffer) {}
}

/// What stands beside a value to tell its time.
struct TimeStamping {
  /// The calendar's instant at the start, where the data have a calendar.
  let origin: Timestamp?

  /// `{"at":1,` and, of the data's own clock, `"time":"…",`.
  func appendMembers(_ time: StreamTime, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\"at\":".utf8)
    Self.appendSeconds(time, to: &bytes)
    if let origin {
      bytes.append(contentsOf: ",\"time\":\"".utf8)
      let instant = Timestamp(seconds: origin.seconds, nanoseconds: Int64(origin.nanoseconds) &+ time.nanoseconds)
      bytes.append(contentsOf: instant.rfc3339.utf8)
      bytes.append(UInt8(ascii: "\""))
    }
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
