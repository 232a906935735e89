/// Buffers output and writes it in large pieces.
package final class OutputBuffer: @unchecked Sendable {  // a command writes from one thread
  private let file: FileDescriptor
  /// The bytes not yet written.
  @exclusivity(unchecked) package var bytes: [UInt8] = []
  /// Number of bytes in whole lines.
  @exclusivity(unchecked) package var complete = 0
  /// Whether the reader has closed the output; nothing is written afterward.
  package private(set) var isClosed = false

  /// Number of buffered bytes at which the buffer is written.
  package static let capacity = 64 * 1024

  package init(_ file: FileDescriptor) {
    self.file = file
    bytes.reserveCapacity(Self.capacity + 4096)
    Interruption.protect(self)
  }

  deinit { Interruption.release(self) }

  package var isTerminal: Bool { file.isTerminal }

  /// Writes the buffer, and nothing once that has failed.
  package func write() throws(SystemError) {
    guard !bytes.isEmpty, !isClosed else { return }
    // From here on, a handler would not know how much has been written.
    complete = 0
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try file.write(buffer) }
    }
    bytes.removeAll(keepingCapacity: true)
    do throws(SystemError) {
      try result.get()
    } catch {
      isClosed = true
      throw error
    }
  }

  /// Writes the complete lines in the buffer. For signal handlers: allocates nothing and does not change the buffer.
  ///
  /// NB: When the buffer grows, the old bytes stay valid until they have been copied.
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

  package func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a line.
  package func appendLine(_ text: String) {
    append(text)
    bytes.append(UInt8(ascii: "\n"))
    complete = bytes.count
  }
}
