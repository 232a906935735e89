/// Hands numbers from one thread to another. It is a pipe, so that whoever takes them can wait for them and for files.
struct NumberPipe: Sendable {
  /// Can be read from when there is a number.
  let reader: FileDescriptor
  private let writer: FileDescriptor

  init() throws(SystemError) { (reader, writer) = try FileDescriptor.pipe() }

  /// Hands a number over. Does not wait for as long as a few hundred are on their way.
  func put(_ number: UInt8) {
    try? writer.write([number])
  }

  /// Takes a number, and waits for it.
  ///
  /// - Returns: nil when none will come, or where a signal has interrupted the wait.
  func take() -> UInt8? {
    var number: UInt8 = 0
    let count = withUnsafeMutableBytes(of: &number) { try? reader.read(into: $0) }
    return count == 1 ? number : nil
  }

  /// No more numbers come: what waits for them is told.
  func closeWriter() { writer.close() }

  func closeReader() { reader.close() }

  func close() {
    closeWriter()
    closeReader()
  }
}
