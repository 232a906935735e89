@_spi(Engine) internal import StreamCore
internal import StreamDriving

/// The values that a stream has published, as the items of a frame: a time and a JSON text each.
final class ResultBuffer {
  @exclusivity(unchecked) var bytes: [UInt8] = []
  @exclusivity(unchecked) private(set) var count = 0
  private let writer = JSONRecordWriter()
  /// Writes values that keep their types, for another stage; nil if people read them.
  @exclusivity(unchecked) private var typed: RecordedValues?

  init(keepsTypes: Bool = false) { if keepsTypes { typed = RecordedValues() } }

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
      if typed == nil { try writer.appendChecked(value, to: &bytes) } else { try typed?.append(value, to: &bytes) }
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
