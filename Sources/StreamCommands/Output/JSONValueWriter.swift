internal import StreamCore
internal import StreamRuntime

/// One JSON value a line.
final class NDJSONWriter: ValueWriter {
  private let stamping: TimeStamping?

  init(_ stamping: TimeStamping?) { self.stamping = stamping }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) {
    stamping.append(value, at: time, to: &output.bytes)
    output.bytes.append(UInt8(ascii: "\n"))
  }
}

/// One JSON array, a value on each line.
final class JSONArrayWriter: ValueWriter {
  private let stamping: TimeStamping?
  private var isEmpty = true

  init(_ stamping: TimeStamping?) { self.stamping = stamping }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) {
    output.append(isEmpty ? "[\n" : ",\n")
    isEmpty = false
    stamping.append(value, at: time, to: &output.bytes)
  }

  func finish(_ end: StreamEnd, to output: OutputBuffer) { output.append(isEmpty ? "[]\n" : "\n]\n") }
}

/// Strings as they are, other values as JSON; times in milliseconds' precision in front.
final class TextWriter: ValueWriter {
  private let isStamped: Bool

  init(isStamped: Bool) { self.isStamped = isStamped }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) {
    if isStamped {
      let milliseconds = StreamTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
      TimeStamping.appendSeconds(milliseconds, digits: 3, to: &output.bytes)
      output.bytes.append(UInt8(ascii: "\t"))
    }
    if case .string(let text) = value {
      output.append(text)
    } else {
      JSONWriter.append(value, to: &output.bytes)
    }
    output.bytes.append(UInt8(ascii: "\n"))
  }
}

extension TimeStamping? {
  /// The value, within an object that tells its time where that is wished for.
  fileprivate func append(_ value: Value, at time: StreamTime, to bytes: inout [UInt8]) {
    guard let self else { return JSONWriter.append(value, to: &bytes) }
    bytes.append(UInt8(ascii: "{"))
    self.appendMembers(time, to: &bytes)
    bytes.append(contentsOf: ",\"value\":".utf8)
    JSONWriter.append(value, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }
}
