internal import StreamCore

/// Collects what is written and hands it to the system in large pieces.
final class OutputBuffer: @unchecked Sendable {  // a command writes from one thread
  private let file: FileDescriptor
  /// What has not been written yet.
  @exclusivity(unchecked) var bytes: [UInt8] = []
  /// How many of the bytes are whole lines.
  @exclusivity(unchecked) private var complete = 0
  /// Whether nobody reads what is written any more; from then on nothing is.
  private(set) var isClosed = false

  /// What has been collected is written when it has so many bytes.
  static let capacity = 64 * 1024

  init(_ file: FileDescriptor) {
    self.file = file
    bytes.reserveCapacity(Self.capacity + 4096)
    Interruption.protect(self)
  }

  deinit { Interruption.release(self) }

  var isTerminal: Bool { file.isTerminal }

  /// Writes what has been collected if it is much. What stands there now are whole values.
  @inline(__always)
  func flushIfFull() throws(RunStop) {
    complete = bytes.count
    if complete >= Self.capacity { try flush() }
  }

  /// Writes what has been collected.
  func flush() throws(RunStop) {
    guard !bytes.isEmpty, !isClosed else { return }
    // From here on a handler could not tell how much has been written.
    complete = 0
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try file.write(buffer) }
    }
    bytes.removeAll(keepingCapacity: true)
    do throws(SystemError) {
      try result.get()
    } catch {
      isClosed = true
      throw error.isClosedPipe ? .outputClosed : .refused(error.diagnostic(writing: "<stdout>"), nil)
    }
  }

  /// Writes what has been collected and is complete. For handlers of signals: allocates nothing, and leaves the buffer as
  /// it is.
  ///
  /// NB: while the buffer grows, the bytes stay where they are until those are copied.
  func writeCompleteLines() {
    guard !isClosed else { return }
    bytes.withUnsafeBytes { buffer in
      var rest = UnsafeRawBufferPointer(rebasing: buffer.prefix(complete))
      while !rest.isEmpty {
        guard let count = file.writeOnce(rest) else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text and a line break.
  func appendLine(_ text: String) {
    append(text)
    bytes.append(UInt8(ascii: "\n"))
    complete = bytes.count
  }
}
