internal import StreamFiles

extension OutputBuffer {
  /// Writes the buffer if it is full. It must contain only complete values.
  @inline(__always)
  func flushIfFull() throws(RunStop) {
    complete = bytes.count
    if complete >= Self.capacity { try flush() }
  }

  /// Writes the buffer.
  func flush() throws(RunStop) {
    do throws(SystemError) {
      try write()
    } catch {
      throw error.isClosedPipe ? .outputClosed : .refused(error.diagnostic(writing: "<stdout>"), nil)
    }
  }
}
