@_spi(Engine) package import StreamCore
package import StreamEngine
internal import StreamKit

/// The output format of a stream's values.
package enum ValueFormat: String, CaseIterable, Sendable {
  /// One JSON value per line.
  case ndjson
  /// A JSON array.
  case json
  /// Strings without quotes, also those that stand for times, bytes and infinite numbers; other values as JSON.
  case text
  /// A row for each value, below the names of the first one's fields.
  case csv
  /// The same with tabs between the fields.
  case tsv
  /// A diagram of the whole, at the end.
  case marbles
}

extension ValueFormat {
  /// Whether values are rows with columns.
  var isTable: Bool { self == .csv || self == .tsv }

  /// Creates the writer of an output.
  ///
  /// - Parameters:
  ///   - isLive: Whether times are those of the machine's clock.
  ///   - columns: The names of the columns of a table. Default nil: those of the values.
  func makeWriter(_ stamping: TimeStamping?, isLive: Bool, columns: [String]? = nil) -> any ValueWriter {
    switch self {
    case .ndjson: NDJSONWriter(stamping)
    case .json: JSONArrayWriter(stamping)
    case .text: TextWriter(stamping)
    case .csv: CSVWriter(stamping, columns: columns)
    case .tsv: CSVWriter(stamping, separator: UInt8(ascii: "\t"), columns: columns)
    case .marbles: MarblesWriter(isLive: isLive)
    }
  }

  /// The format of a file's extension, in any case; nil for other extensions. The extension of a compressed file is the
  /// one before: `out.csv.gz` is a table.
  package init?(ofFile path: String) {
    guard let format = FileFormat(ofFile: path) else { return nil }
    self.init(rawValue: format.rawValue)
  }
}

/// Writes the values of a stream in one format.
package protocol ValueWriter: AnyObject {
  /// - Throws: why the value has no form in this format.
  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic)
  /// Writes a value given as its line of JSON. Returns false if the format needs the value itself.
  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool
  /// Writes a record that has not been built. Returns false if it must be built.
  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool
  /// Writes the record of the current row. Returns false if it must be built, or written differently from its line in
  /// the file.
  func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool
  /// Takes back the value that was written last, whose bytes are gone: it was too long.
  func takeBack()
  /// Limits the length of values in bytes. A longer value is written only as far as needed to detect that.
  func bound(to bytes: Int)
  /// Called before buffered values are written to their destination, after which they cannot change.
  func settle(in output: OutputBuffer)
  /// Whether the values in the buffer may change if they wait for others.
  var mayWait: Bool { get }
  /// A warning about values that were not written as a whole; nil if there are none.
  var warning: Diagnostic? { get }
  /// Whether times are written beside values.
  var writesTimes: Bool { get }
  /// Whether a number was written as a string since JSON has none for it.
  var hasNonFinite: Bool { get }
  /// The state from which the text can be continued.
  var state: WriterState { get }
  /// Continues a text in this state; a new text if it is the initial one.
  func resume(_ state: WriterState)
  /// Writes the end of the output, even if the stream failed.
  func finish(_ end: StreamEnd, to output: OutputBuffer)
}

/// The end of the stream, and its time.
package struct StreamEnd {
  package var time: StreamTime
  /// The completion; nil if the stream has not completed.
  package var event: ExecutionEvent?
}

extension Value {
  /// The content of the JSON string that stands for a value: of a string, a time, a duration, bytes, and a number that is
  /// not finite. Nil for other values.
  var stringContent: String? {
    switch self {
    case .string(let text): return text
    case .double(let number) where number.isFinite: return nil
    // Their JSON has no escapes.
    case .timestamp, .duration, .bytes, .double: return String(JSONWriter.compact(self).dropFirst().dropLast())
    default: return nil
    }
  }
}

extension ValueWriter {
  package var hasNonFinite: Bool { false }
  package var state: WriterState { WriterState() }
  package func resume(_ state: WriterState) {}
  package func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool { false }
  package func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool { false }

  package func write(rowOf rows: LineRows, to output: OutputBuffer) -> Bool {
    rows.columns == nil && rows.isCanonical && write(rows.line.bytes, to: output)
  }

  package func finish(_ end: StreamEnd, to output: OutputBuffer) {}
  package func takeBack() {}
  package func settle(in output: OutputBuffer) {}
  package var mayWait: Bool { false }
  package var warning: Diagnostic? { nil }
  package func bound(to bytes: Int) {}
}

extension Diagnostic {
  /// A value is not printed, for it has more bytes than these.
  package static func tooLongValue(_ limit: ByteCount) -> Diagnostic {
    Diagnostic(
      .limitExceeded, "a value is longer than \(limit), which is the limit", help: "--max-value sets the limit")
  }
}

extension JSONRecordWriter {
  /// Limits the length of a value in bytes. A longer value is written only as far as needed to detect that.
  func bound(to bytes: Int) {
    // Values before it may wait in the buffer.
    limit = bytes.addingReportingOverflow(OutputBuffer.capacity).overflow ? .max : bytes + OutputBuffer.capacity
  }
}

/// The members beside a value that give its time.
struct TimeStamping {
  /// The calendar time at the start, if the data have event time.
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

  /// Returns the calendar time in RFC 3339 form; nil if the data have no event time.
  func calendarText(_ time: StreamTime) -> String? {
    guard let origin else { return nil }
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Timestamp(seconds: origin.seconds &+ seconds, nanoseconds: Int64(origin.nanoseconds) + rest).rfc3339
  }

  /// Appends seconds with at least `digits` digits after the decimal point, and as many as needed.
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
