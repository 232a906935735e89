internal import StreamFiles

/// Buffers output and writes it in large pieces.
///
/// NB: It is in the module of the writers. In another one, each of their accesses would be checked for exclusivity, which
/// takes a sixth of the time of a filter of lines.
package final class OutputBuffer: @unchecked Sendable {  // a command writes from one thread
  private let file: FileDescriptor
  /// The bytes not yet written.
  @exclusivity(unchecked) package var bytes: [UInt8] = []
  /// Number of bytes in whole lines.
  @exclusivity(unchecked) private var complete = 0
  /// Whether the reader has closed the output; nothing is written afterward.
  private(set) var isClosed = false

  /// Number of buffered bytes at which the buffer is written.
  static let capacity = 64 * 1024

  init(_ file: FileDescriptor) {
    self.file = file
    bytes.reserveCapacity(Self.capacity + 4096)
    Interruption.protect(Unmanaged.passUnretained(self).toOpaque()) { address in
      Unmanaged<OutputBuffer>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.writeCompleteLines() }
    }
  }

  deinit { Interruption.release(Unmanaged.passUnretained(self).toOpaque()) }

  var isTerminal: Bool { file.isTerminal }

  /// Writes the buffer if it is full. It must contain only complete values.
  @inline(__always)
  func flushIfFull() throws(RunStop) {
    complete = bytes.count
    if complete >= Self.capacity { try flush() }
  }

  /// Writes the buffer, and nothing once that has failed.
  package func flush() throws(RunStop) {
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
      throw error.isClosedPipe ? .outputClosed : .refused(error.diagnostic(writing: "<stdout>"), nil)
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
