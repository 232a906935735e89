internal import CLibrary

/// A program that decompresses a file: it gets the bytes of the file from a thread, and its output is read instead.
///
/// `@unchecked`: the thread has the program's input; all else belongs to the reader.
final class Decompressor: @unchecked Sendable {
  private let format: Compression
  private let process: PipedProcess
  private let messages: FileDescriptor
  private let stopping: NumberPipe
  private var thread: SystemThread?
  /// The decompressed bytes.
  let output: FileDescriptor

  /// The longest message of the program that is shown, in bytes.
  private static let longestMessage = 1_000

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - start: The bytes of the file that have been read.
  ///   - file: The file, which has the rest.
  init(_ format: Compression, _ start: [UInt8], _ file: FileDescriptor) throws(SystemError) {
    self.format = format
    let ends = try FileDescriptor.pipe()
    do throws(SystemError) {
      process = try PipedProcess(format.program, ["-dc"], readsOutput: true, messages: ends.writer)
      stopping = try NumberPipe()
    } catch {
      ends.reader.close()
      ends.writer.close()
      guard error.isMissingFile else { throw error }
      throw SystemError(
        message: "it is compressed with \(format.name), and there is no program '\(format.program)' to decompress it",
        help: "install the package '\(format.program)', for instance: apt-get install \(format.program)")
    }
    ends.writer.close()
    messages = ends.reader
    guard let output = process.output else { throw SystemError(number: EBADF) }
    // The reader waits for this pipe as for any other.
    _ = fcntl(output.number, F_SETFL, fcntl(output.number, F_GETFL) & ~O_NONBLOCK)
    self.output = output
    let feeder = Feeder(process: process, start: start, file: file, stop: stopping.reader)
    thread = SystemThread { feeder.run() }
    if thread == nil { throw SystemError(number: EAGAIN) }
  }

  deinit {
    stopping.closeWriter()
    process.kill()
    thread?.join()
    stopping.closeReader()
    messages.close()
  }

  /// Waits for the end of the program after the end of its output. Returns the error if the file is damaged.
  func finish() -> SystemError? {
    while !process.hasEnded(), !Interruption.hasHappened { poll(nil, 0, 1) }
    if case .exit(0)? = process.end { return nil }
    if Interruption.hasHappened { return .interruption }
    var text = ""
    if Waiting.isReadable(messages), let bytes = try? messages.read(atMost: Self.longestMessage) {
      text = String(decoding: bytes, as: UTF8.self)
    }
    // A program may begin with its own name, or with a name for standard input.
    let line = text.split(whereSeparator: \.isNewline).first ?? Substring(process.end?.text ?? "it has ended")
    let words = line.split(separator: " ").drop { $0 == "/*stdin*\\" || $0 == ":" || $0 == "\(format.program):" }
    return SystemError(
      message: "\(format.program): \(words.joined(separator: " "))",
      help: "the values before the damage have been read; '\(format.program) -t FILE' checks the file")
  }
}

/// Passes the bytes of a file to a program.
///
/// `@unchecked`: nothing else uses the program's input while the thread runs.
private struct Feeder: @unchecked Sendable {
  let process: PipedProcess
  /// The first bytes, which have been read.
  let start: [UInt8]
  let file: FileDescriptor
  /// Ends the work when its writer is closed.
  let stop: FileDescriptor

  /// The most bytes that are passed at once.
  private static let size = 256 * 1024

  func run() {
    defer { process.closeInput() }
    guard let input = process.input, (try? input.write(start)) != nil else { return }
    while Waiting.readable(file, unlessClosed: stop) {
      do throws(SystemError) {
        let bytes = try file.read(atMost: Self.size)
        if bytes.isEmpty { return }
        try input.write(bytes)
      } catch {
        // The program has ended, or misses the rest and reports it.
        return
      }
    }
  }
}
