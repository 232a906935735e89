internal import StreamCore

/// Collects what is written and hands it to the system in large pieces.
final class OutputBuffer: @unchecked Sendable {  // a command writes from one thread
  private let file: FileDescriptor
  /// What has not been written yet.
  @exclusivity(unchecked) var bytes: [UInt8] = []
  /// Whether nobody reads what is written any more; from then on nothing is.
  private(set) var isClosed = false

  private static let capacity = 64 * 1024

  init(_ file: FileDescriptor) {
    self.file = file
    bytes.reserveCapacity(Self.capacity + 4096)
  }

  var isTerminal: Bool { file.isTerminal }

  /// Writes what has been collected if it is much.
  @inline(__always)
  func flushIfFull() throws(RunStop) {
    if bytes.count >= Self.capacity { try flush() }
  }

  /// Writes what has been collected.
  func flush() throws(RunStop) {
    guard !bytes.isEmpty, !isClosed else { return }
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

  func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a text and a line break.
  func appendLine(_ text: String) {
    append(text)
    bytes.append(UInt8(ascii: "\n"))
  }
}
