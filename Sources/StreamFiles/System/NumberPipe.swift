/// Passes numbers from one thread to another. It is a pipe, so that the receiver can wait for it and for files
/// together.
struct NumberPipe: Sendable {
  /// Can be read from when there is a number.
  let reader: FileDescriptor
  private let writer: FileDescriptor

  init() throws(SystemError) { (reader, writer) = try FileDescriptor.pipe() }

  /// Sends a number. Does not block while fewer than a few hundred are queued.
  func put(_ number: UInt8) {
    try? writer.write([number])
  }

  /// Waits for a number and takes it.
  ///
  /// - Returns: Nil if no more numbers are sent, or if a signal has interrupted the wait.
  func take() -> UInt8? {
    var number: UInt8 = 0
    let count = withUnsafeMutableBytes(of: &number) { try? reader.read(into: $0) }
    return count == 1 ? number : nil
  }

  /// Ends the sequence of numbers and wakes the receiver.
  func closeWriter() { writer.close() }

  func closeReader() { reader.close() }

  func close() {
    closeWriter()
    closeReader()
  }
}
