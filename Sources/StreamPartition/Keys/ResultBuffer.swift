@_spi(Engine) internal import StreamCore

/// The values that a stream has published, as the items of a frame: a time and a JSON text each.
final class ResultBuffer {
  @exclusivity(unchecked) var bytes: [UInt8] = []
  @exclusivity(unchecked) private(set) var count = 0
  private let writer = JSONRecordWriter()

  /// Number of bytes at which results are handed over.
  static let limit = 4 * 1_048_576

  @inline(__always)
  var isFull: Bool { bytes.count >= Self.limit }

  /// - Parameter time: Nanoseconds since 1970.
  func append(_ value: Value, at time: Int64) throws(StageError) {
    let start = bytes.count
    bytes.append(number: time)
    bytes.append(number: 0 as UInt32)
    do throws(Diagnostic) {
      try writer.appendChecked(value, to: &bytes)
    } catch {
      throw .failed(error.message)
    }
    let size = bytes.count - start - 12
    guard size <= KeyLimits.record else {
      bytes.removeLast(size + 12)
      throw .failed(
        "a result has \(size) bytes; the limit is \(KeyLimits.record / 1_048_576) MiB on more than one machine")
    }
    bytes.put(number: UInt32(truncatingIfNeeded: size), at: start + 8)
    count += 1
  }

  func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }
}
