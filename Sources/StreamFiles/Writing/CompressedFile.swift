/// A file that a program of the system writes, which compresses what it gets.
package final class CompressedFile {
  private let format: Compression
  private let process: PipedProcess
  /// Whether anything has been written.
  package private(set) var hasContent = false

  /// Starts the program.
  ///
  /// - Parameter file: The file, to whose end it writes.
  package init(_ format: Compression, to file: FileDescriptor) throws(SystemError) {
    self.format = format
    do throws(SystemError) {
      process = try PipedProcess(format.program, ["-c"], readsOutput: false, result: file)
    } catch {
      guard error.isMissingFile else { throw error }
      throw SystemError(
        message: "there is no program '\(format.program)' to compress it",
        help: "install the package '\(format.program)', for instance: apt-get install \(format.program)")
    }
  }

  /// Writes all of the bytes. Waits while the program takes none.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = [UInt8](bytes)[...]
    hasContent = true
    while !rest.isEmpty {
      rest = rest.dropFirst(process.write(rest))
      if rest.isEmpty { return }
      if process.hasEnded() { throw failure }
      _ = Waiting.readable([], writable: process.input.map { [$0] } ?? [], nanoseconds: 100_000_000)
    }
  }

  /// Ends the file, and waits for the program, also while this process is asked to stop: what it has not written is lost.
  package func close() throws(SystemError) {
    process.closeInput()
    while !process.hasEnded() { PipedProcess.wait(for: [process], nil) }
    guard case .exit(0)? = process.end else { throw failure }
  }

  private var failure: SystemError {
    SystemError(message: "the program '\(format.program)' has failed to compress it", help: nil)
  }
}
