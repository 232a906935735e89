@_spi(Engine) package import StreamCore

/// A piece of a file: whole lines, followed by the rest of the bytes read.
///
/// - Memory: Grows with its longest line.
package final class LineChunk {
  /// NB: Longer than `capacity` by the padding, so that readable bytes follow every line.
  private(set) var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Number of bytes read.
  private(set) var end = 0
  /// Number of bytes in whole lines, in the last line of the file, or in a piece of a line that is too long.
  package private(set) var count = 0
  /// Whether the file ends after it.
  package private(set) var isLast = false
  /// Why no more can be read.
  private(set) var failure: SystemError?
  /// The content of the file before it; nil if that is not kept, and before content that is skipped has passed.
  var trace: ContentTrace?
  /// The rows of its lines, as far as they have been read.
  private(set) var rows: RowBatch?

  init(capacity: Int) {
    self.capacity = capacity
    storage = Self.allocate(capacity)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + PaddedBytes.padding)
    storage.initialize(repeating: 0, count: PaddedBytes.padding)
    return storage
  }

  deinit { storage.deallocate() }

  /// The lines.
  package var lines: PaddedBytes { PaddedBytes(unsafe: storage, count: count) }

  /// The bytes after the whole lines.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + count, count: end - count) }

  /// Restarts with these bytes and with room for more.
  func begin(with bytes: [UInt8], room: Int) {
    (end, count, isLast, failure) = (0, 0, false, nil)
    rows?.forget()
    // The memory of a long line is released.
    if capacity > 4 * (bytes.count + room) { resize(to: 2 * (bytes.count + room)) }
    makeRoom(bytes.count + room)
    bytes.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { storage.update(from: base, count: buffer.count) }
    }
    end = bytes.count
  }

  /// Reads once and returns the number of bytes read.
  func extend(from file: FileDescriptor, atMost room: Int) throws(SystemError) -> Int {
    makeRoom(room)
    defer { (storage + end).update(repeating: 0, count: PaddedBytes.padding) }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(start: storage + end, count: room))
    end += count
    return count
  }

  /// Sets the number of bytes in whole lines.
  func setCount(_ count: Int) { self.count = min(max(count, 0), end) }

  /// Records that the file ends here.
  func markLast() { isLast = true }

  /// Records why no more can be read.
  func markFailed(_ error: SystemError) { failure = error }

  /// Reads the lines into rows.
  func readRows(by plan: RowPlan) {
    // Lines worth reading as rows have at least 16 bytes.
    let rows = self.rows ?? RowBatch(capacity: max(capacity / 16, 1))
    self.rows = rows
    rows.read(lines, by: plan)
  }

  private func makeRoom(_ room: Int) {
    if capacity - end < room { resize(to: max(2 * capacity, end + room)) }
  }

  private func resize(to capacity: Int) {
    let storage = Self.allocate(capacity)
    storage.update(from: self.storage, count: min(end, capacity))
    self.storage.deallocate()
    (self.storage, self.capacity) = (storage, capacity)
  }
}
