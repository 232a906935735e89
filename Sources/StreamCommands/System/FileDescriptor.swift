#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file of the operating system. Whoever opens it closes it.
struct FileDescriptor: Hashable, Sendable {
  let number: Int32

  static let standardInput = FileDescriptor(number: 0)
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  /// What a file is.
  enum Kind: Sendable {
    case regular, directory
    /// A pipe, a socket, a terminal: something that is read as it comes.
    case stream
  }

  /// Opens a file for reading.
  static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = openFile(path, O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  /// Makes a file that is not there yet, for writing.
  ///
  /// - Parameter mode: who may do what with it, as far as the process's mask allows.
  static func create(_ path: String, mode: mode_t) throws(SystemError) -> FileDescriptor {
    let number = openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  /// Opens for writing what is no regular file: a terminal, a pipe.
  static func openDevice(_ path: String) throws(SystemError) -> FileDescriptor {
    let number = openFile(path, O_WRONLY | O_CLOEXEC, 0)
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  /// A pipe: what is written to one file is read from the other.
  static func pipe() throws(SystemError) -> (reader: FileDescriptor, writer: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard makePipe(&ends) == 0 else { throw SystemError.latest }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (FileDescriptor(number: ends[0]), FileDescriptor(number: ends[1]))
  }

  /// What kind of file it is, and its size in bytes.
  func status() throws(SystemError) -> (kind: Kind, size: Int) {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError.latest }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .stream
      }
    return (kind, Int(status.st_size))
  }

  /// Whether a person sits behind it.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether it is open at all.
  var isOpen: Bool { fcntl(number, F_GETFD) >= 0 }

  /// Reads what is there, at most a buffer full; 0 at the end. An interruption by a signal counts as `EINTR`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let count = readBytes(number, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw SystemError.latest }
    return count
  }

  /// Reads what is there, at most so many bytes; none at the end. Waits where nothing is there yet.
  ///
  /// - Throws: `EINTR` where the program has been asked to stop.
  func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let result = readUninterrupted(UnsafeMutableRawBufferPointer(buffer))
      switch result {
      case .success(let count): initializedCount = count
      case .failure(let error): failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func readUninterrupted(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemError> {
    while true {
      let result = Result { () throws(SystemError) in try read(into: buffer) }
      guard case .failure(let error) = result, error.isInterruption, !Interruption.hasHappened else { return result }
      if error.number == EAGAIN { _ = Waiting.readable([self], nanoseconds: nil) }
    }
  }

  /// Goes on reading at this many bytes from the start.
  func seek(to offset: Int) throws(SystemError) {
    guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw SystemError.latest }
  }

  /// Writes all of the bytes, however long that takes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = writeBytes(number, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        continue
      }
      let error = SystemError.latest
      switch error.number {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      default: throw error
      }
    }
  }

  /// Writes a text.
  func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8))
  }

  /// Writes bytes.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try write(buffer) }
    }
    try result.get()
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError.latest }
  }

  func close() { closeFile(number) }
}

/// What the operating system answered: its `errno`.
struct SystemError: Error, Hashable, Sendable {
  let number: Int32

  /// The error of the call that has just failed.
  static var latest: SystemError { SystemError(number: errno) }

  /// What reading a directory as a file gives.
  static let isDirectory = SystemError(number: EISDIR)
  /// What is told where the program has been asked to stop.
  static let interruption = SystemError(number: EINTR)
  /// What writing a file gives that is another one than was read; the system has no number for it.
  static let changedMeanwhile = SystemError(number: -1)

  var isClosedPipe: Bool { number == EPIPE }
  var isInterruption: Bool { number == EINTR || number == EAGAIN }
  /// Whether the system does not allow it.
  var isRefusal: Bool { number == EACCES || number == EPERM || number == EROFS }
}

// The system's functions under names that the methods above do not hide.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
private func closeFile(_ file: Int32) { _ = close(file) }
