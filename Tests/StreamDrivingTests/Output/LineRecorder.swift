import StreamCore
import StreamEngine
import TestSupport

@testable import StreamDriving
@testable import StreamFiles

/// Writes lines of JSON to a buffer of its own, which is never flushed.
final class LineRecorder: ValueWriter {
  /// A file that keeps nothing.
  static let nowhere = FileDescriptor(number: Subprocess.openWrite("/dev/null"))

  private let inner = NDJSONWriter(nil)
  private let buffer = OutputBuffer(LineRecorder.nowhere)

  var lines: [String] { String(decoding: buffer.bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
  var writesTimes: Bool { false }

  func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) throws(Diagnostic) {
    try inner.write(value, at: time, to: buffer)
  }

  func write(_ record: OutputRecord, to output: OutputBuffer) -> Bool { inner.write(record, to: buffer) }

  func write(_ line: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) -> Bool { inner.write(line, to: buffer) }
}
