internal import CLibrary

/// An open file of the operating system. The code that opens it closes it.
package struct FileDescriptor: Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package static let standardInput = FileDescriptor(number: 0)
  package static let standardOutput = FileDescriptor(number: 1)
  package static let standardError = FileDescriptor(number: 2)

  /// Opens standard files that are closed, so that no file or pipe of ours takes the place of one.
  ///
  /// They are as good as closed: standard input cannot be read, and the others cannot be written to.
  package static func openStandardFiles() {
    for file in [standardInput, standardOutput, standardError] where fcntl(file.number, F_GETFD) < 0 {
      // NB: the lowest number that is free is taken, which is this one.
      _ = SystemCalls.open("/dev/null", file == standardInput ? O_WRONLY : O_RDONLY, 0)
    }
  }

  /// The kind of a file.
  package enum Kind: Sendable {
    case regular, directory
    /// A pipe, a socket or a terminal, which is read as its content arrives.
    case stream
  }

  /// Opens a file for reading. A terminal does not become the process's own.
  ///
  /// - Parameter waits: Whether to wait until a named pipe has a writer. Default true.
  package static func open(_ path: String, waits: Bool = true) throws(SystemError) -> FileDescriptor {
    // The system would read the path only up to the NUL character.
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    return try opened(SystemCalls.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK), 0))
  }

  /// Opens a file below a directory for reading, without following links and without waiting.
  ///
  /// - Parameter path: without links, relative to the directory.
  /// - Throws: `SystemError.isReplaced` if there is a link in it.
  package static func openRegular(_ path: String, below directory: String) throws(SystemError) -> FileDescriptor {
    let names = Path.names(in: path)
    guard let last = names.last, !names.contains(".."), !path.utf8.contains(0) else { throw SystemError.invalid }
    var folder = try opened(SystemCalls.open(directory, searching | O_DIRECTORY | O_CLOEXEC, 0))
    defer { folder.close() }
    for name in names.dropLast() {
      let inner = try openedBelow(
        SystemCalls.open(below: folder.number, name, searching | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
      folder.close()
      folder = inner
    }
    return try openedBelow(
      SystemCalls.open(below: folder.number, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
  }

  /// Opens a directory only to look for names in it, which needs no permission to list it.
  private static var searching: Int32 {
    #if os(Linux)
    0o10000000  // O_PATH, which the C library's overlay does not have
    #else
    O_RDONLY
    #endif
  }

  private static func opened(_ number: Int32) throws(SystemError) -> FileDescriptor {
    guard number >= 0 else { throw SystemError.latest }
    return FileDescriptor(number: number)
  }

  private static func openedBelow(_ number: Int32) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try opened(number)
    } catch {
      // A link has replaced a directory or the file.
      throw error.number == ELOOP || error.number == ENOTDIR ? .isReplaced : error
    }
  }

  /// The file itself; closes it and throws the error if its status is not as it should be or cannot be had.
  func closing(
    unless isRight: (FileStatus) -> Bool, _ error: SystemError
  ) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      if isRight(try status()) { return self }
      throw error
    } catch {
      close()
      throw error
    }
  }

  /// Creates a file that must not exist, for writing.
  ///
  /// - Parameter mode: The permissions, restricted by the process's mask.
  static func create(_ path: String, mode: mode_t) throws(SystemError) -> FileDescriptor {
    try opened(SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode))
  }

  /// Creates a file for writing, or opens an existing one, at whose end everything is written.
  ///
  /// - Parameter isPrivate: Whether only the owner may read a new file. Default false.
  package static func append(_ path: String, isPrivate: Bool = false) throws(SystemError) -> FileDescriptor {
    let mode: mode_t = isPrivate ? 0o600 : 0o666
    return try opened(SystemCalls.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, mode))
  }

  /// Whether the last byte of a regular file ends a line. True if it is empty or cannot be read.
  package static func endsWithLine(_ path: String) -> Bool {
    guard let status = try? FileStatus(path), status.kind == .regular, status.size > 0, let file = try? open(path)
    else { return true }
    defer { file.close() }
    guard (try? file.seek(to: status.size - 1)) != nil, let last = try? file.read(atMost: 1).first else { return true }
    return last == UInt8(ascii: "\n")
  }

  /// Creates a file that must not exist, for writing. Only its owner can read it.
  package static func createPrivate(_ path: String) throws(SystemError) -> FileDescriptor {
    try create(path, mode: 0o600)
  }

  /// Opens a terminal, a pipe or another device for writing.
  static func openDevice(_ path: String) throws(SystemError) -> FileDescriptor {
    try opened(SystemCalls.open(path, O_WRONLY | O_CLOEXEC, 0))
  }

  /// A pipe: bytes that are written to one file are read from the other.
  package static func pipe() throws(SystemError) -> (reader: FileDescriptor, writer: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard makePipe(&ends) == 0 else { throw SystemError.latest }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (FileDescriptor(number: ends[0]), FileDescriptor(number: ends[1]))
  }

  /// The kind, size and identity of the file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError.latest }
    return FileStatus(status)
  }

  /// Whether the file is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// Whether it is open, and can be read.
  package var isReadable: Bool {
    let flags = fcntl(number, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  /// Reads the available bytes, at most the size of the buffer; 0 at the end. Throws `EINTR` if a signal interrupts it.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let count = SystemCalls.read(number, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw SystemError.latest }
    return count
  }

  /// Reads the available bytes, at most `count`; none at the end. Waits if none are available.
  ///
  /// - Throws: `EINTR` if the program is asked to stop.
  package func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(SystemError) {
        initializedCount = try readWaiting(into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads the available bytes, at most the size of the buffer; 0 at the end. Waits if none are available, even if the
  /// file is a pipe that another program has made non-blocking.
  ///
  /// - Throws: `EINTR` if the program is asked to stop.
  package func readWaiting(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      do throws(SystemError) {
        return try read(into: buffer)
      } catch {
        guard error.isInterruption else { throw error }
        if Interruption.hasHappened { throw .interruption }
        if error.number == EAGAIN { _ = Waiting.readable([self], nanoseconds: nil) }
      }
    }
  }

  /// Reads bytes of a regular file from an offset on, without moving the position of the file.
  ///
  /// - Throws: `SystemError.endOfFile` if there are fewer.
  package func read(exactly count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      while initializedCount < count, failure == nil {
        let rest = UnsafeMutableRawBufferPointer(buffer)[initializedCount...]
        let place = off_t(offset + initializedCount)
        let read = SystemCalls.read(
          number, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count, at: place)
        if read > 0 { initializedCount += read }
        if read == 0 { failure = .endOfFile }
        if read < 0, errno != EINTR { failure = .latest }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Continues reading at this offset from the start, in bytes.
  package func seek(to offset: Int) throws(SystemError) {
    guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw SystemError.latest }
  }

  /// Writes all of the bytes, however long that takes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = SystemCalls.write(number, rest.baseAddress, rest.count)
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

  /// Writes as many bytes as possible without waiting; nil if none can be written. Safe in signal handlers.
  package func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let count = SystemCalls.write(number, bytes.baseAddress, bytes.count)
    return count > 0 ? count : nil
  }

  /// Writes a string.
  package func write(_ text: String) throws(SystemError) {
    try write(Array(text.utf8))
  }

  /// Writes bytes.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try write(buffer) }
    }
    try result.get()
  }

  /// Waits until the written data are on disk.
  package func synchronize() throws(SystemError) {
    guard SystemCalls.synchronize(number) == 0 else { throw SystemError.latest }
  }

  /// Locks the file for this process, and copies of it, until it is closed. Returns false if another process has locked it.
  package func lockIfFree() -> Bool { SystemCalls.lock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  package func close() { closeFile(number) }
}

/// The kind, size and identity of a file.
package struct FileStatus: Sendable {
  package let kind: FileDescriptor.Kind
  /// In bytes; meaningful for regular files only.
  package let size: Int
  /// Differs from the identity of every other file that exists at the same time.
  package let identity: Identity

  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let node: UInt64
  }

  /// The status of the file that a path leads to.
  package init(_ path: String) throws(SystemError) {
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError.latest }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .stream
      }
    size = Int(clamping: status.st_size)
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

/// An error of the operating system, by its `errno`.
package struct SystemError: Error, Hashable, Sendable {
  package let number: Int32
  /// The reason in words, and help, if the system has no number for it.
  package let message: String?
  package let help: String?

  package init(number: Int32) { (self.number, message, help) = (number, nil, nil) }

  package init(message: String, help: String? = nil) { (number, self.message, self.help) = (-6, message, help) }

  /// The error of the call that has just failed.
  static var latest: SystemError { SystemError(number: errno) }

  /// The path contains a NUL character.
  static let invalid = SystemError(number: EINVAL)
  // The negative numbers are this program's own; the system has none for these errors.
  /// The file is outside every granted directory.
  static let isOutside = SystemError(number: -1)
  /// The file is neither a regular file nor a directory.
  static let isNoFile = SystemError(number: -2)
  /// The file was replaced between the check and the opening.
  package static let isReplaced = SystemError(number: -3)
  /// The file to be written is not the file that was read.
  static let changedMeanwhile = SystemError(number: -4)
  /// There is no such file or directory.
  package static let missingFile = SystemError(number: ENOENT)
  /// A file was to be read or made as a directory.
  package static let notADirectory = SystemError(number: ENOTDIR)
  /// The file ends before the bytes that were to be read.
  package static let endOfFile = SystemError(number: -5)
  /// The file does not have the content that a saved state has read.
  package static let isOther = SystemError(number: -7)
  /// A directory was read or written as a file.
  package static let isDirectory = SystemError(number: EISDIR)
  /// The program has been asked to stop.
  package static let interruption = SystemError(number: EINTR)

  /// Whether there is no such file.
  package var isMissingFile: Bool { number == ENOENT }
  package var isClosedPipe: Bool { number == EPIPE }
  package var isInterruption: Bool { number == EINTR || number == EAGAIN }
  /// Whether the system does not allow it.
  var isRefusal: Bool { number == EACCES || number == EPERM || number == EROFS }
}

// System functions under names that the methods above do not hide.
private func makePipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func closeFile(_ file: Int32) { _ = close(file) }
