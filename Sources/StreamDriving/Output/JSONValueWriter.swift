@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles

/// A writer of values as JSON, with or without their times.
class RecordWriter {
  fileprivate final let stamping: TimeStamping?
  fileprivate final let records = JSONRecordWriter()

  final var writesTimes: Bool { stamping != nil }

  final func bound(to bytes: Int) { records.bound(to: bytes) }

  init(_ stamping: TimeStamping?) { self.stamping = stamping }

  final var hasNonFinite: Bool { records.hasNonFinite }
}

/// One JSON value per line.
final class NDJSONWriter: RecordWriter, ValueWriter {
  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool {
    guard stamping == nil else { return false }
    return records.appendLine(record, to: &output.bytes)
  }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    try stamping.append(value, at: time, by: records, to: &output.bytes)
    output.bytes.append(UInt8(ascii: "\n"))
  }

  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool {
    guard stamping == nil else { return false }
    output.bytes.append(contentsOf: line)
    output.bytes.append(UInt8(ascii: "\n"))
    return true
  }
}

/// Writes one JSON array, with a value on each line.
final class JSONArrayWriter: RecordWriter, ValueWriter {
  private var isEmpty = true
  /// Whether the value that was written last is the first.
  private var isFirst = false

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let (start, wasEmpty) = (output.bytes.count, isEmpty)
    begin(output)
    do throws(Diagnostic) {
      try stamping.append(value, at: time, by: records, to: &output.bytes)
    } catch {
      output.bytes.removeLast(output.bytes.count - start)
      isEmpty = wasEmpty
      throw error
    }
  }

  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool {
    guard stamping == nil else { return false }
    begin(output)
    output.bytes.append(contentsOf: line)
    return true
  }

  private func begin(_ output: OutputBuffer) {
    output.append(isEmpty ? "[\n" : ",\n")
    isFirst = isEmpty
    isEmpty = false
  }

  func takeBack() { isEmpty = isFirst }

  var state: WriterState { WriterState(hasBegun: !isEmpty) }

  func resume(_ state: WriterState) { isEmpty = !state.hasBegun }

  func finish(_ end: StreamEnd, to output: OutputBuffer) { output.append(isEmpty ? "[]\n" : "\n]\n") }
}

/// Strings unchanged, other values as JSON. In front of them, between tabs, the seconds since the start, to the
/// millisecond, and in event time the calendar's instant.
final class TextWriter: RecordWriter, ValueWriter {
  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    let start = output.bytes.count
    if let stamping {
      let milliseconds = StreamTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
      TimeStamping.appendSeconds(milliseconds, digits: 3, to: &output.bytes)
      output.bytes.append(UInt8(ascii: "\t"))
      if let calendar = stamping.calendarText(time) { output.append(calendar + "\t") }
    }
    if let text = value.stringContent {
      output.append(text)
    } else {
      do throws(Diagnostic) {
        try records.appendChecked(value, to: &output.bytes)
      } catch {
        output.bytes.removeLast(output.bytes.count - start)
        throw error
      }
    }
    output.bytes.append(UInt8(ascii: "\n"))
  }
}

extension TimeStamping? {
  /// Appends the value, wrapped in an object with its time if requested.
  fileprivate func append(
    _ value: Value, at time: StreamTime, by records: JSONRecordWriter, to bytes: inout [UInt8]
  ) throws(Diagnostic) {
    guard let self else { return try records.appendChecked(value, to: &bytes) }
    let start = bytes.count
    bytes.append(UInt8(ascii: "{"))
    self.appendMembers(time, to: &bytes)
    bytes.append(contentsOf: ",\"value\":".utf8)
    do throws(Diagnostic) {
      try records.appendChecked(value, to: &bytes)
    } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
