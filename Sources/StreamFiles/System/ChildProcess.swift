internal import CLibrary
internal import Synchronization

/// Another process of a program, to which this one writes and from which it reads.
package struct ChildProcess: Sendable {
  /// The child's input. Closing it ends the input.
  package let requests: FileDescriptor
  /// The output of the child can be read here.
  package let replies: FileDescriptor
  private let id: pid_t

  /// First number of the child's ends of the pipes. Lower numbers belong to the parent of the program: `/dev/fd/3` in
  /// its arguments is the same file for the child.
  private static let firstNumber: Int32 = 200

  /// Held while a process is started, so that none inherits the pipes of another one.
  static let starting = Mutex(())

  /// The end of a process.
  package enum End: Sendable {
    case exit(Int32)
    case signal(Int32)

    /// The end in words.
    package var text: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number):
        "signal \(number), " + (strsignal(number).map { String(cString: $0).lowercased() } ?? "unknown")
      }
    }
  }

  /// Starts a program, which has the open files of this one that are not closed by `exec`, and its environment.
  ///
  /// - Parameter arguments: makes the arguments from the numbers of the files that the child reads requests from and
  ///   writes replies to.
  package init(_ program: String, _ arguments: (_ requests: Int32, _ replies: Int32) -> [String]) throws(SystemError) {
    self = try Self.starting.withLock { _ throws(SystemError) in try Self.start(program, arguments) }
  }

  private init(id: pid_t, requests: FileDescriptor, replies: FileDescriptor) {
    (self.id, self.requests, self.replies) = (id, requests, replies)
  }

  private static func start(
    _ program: String, _ arguments: (Int32, Int32) -> [String]
  ) throws(SystemError) -> ChildProcess {
    var isStarted = false
    let requests = try FileDescriptor.pipe()
    defer { requests.reader.close() }
    defer { if !isStarted { requests.writer.close() } }
    let replies = try FileDescriptor.pipe()
    defer { replies.writer.close() }
    defer { if !isStarted { replies.reader.close() } }
    let requestEnd = try requests.reader.inheritable(from: firstNumber)
    defer { requestEnd.close() }
    let replyEnd = try replies.writer.inheritable(from: firstNumber)
    defer { replyEnd.close() }
    let id = try spawn(program, arguments(requestEnd.number, replyEnd.number))
    isStarted = true
    return ChildProcess(id: id, requests: requests.writer, replies: replies.reader)
  }

  private static func spawn(_ program: String, _ arguments: [String]) throws(SystemError) -> pid_t {
    #if os(tvOS) || os(watchOS)
    throw SystemError(number: ENOSYS)  // These systems start no processes.
    #else
    #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
    #else
    var attributes = posix_spawnattr_t()
    #endif
    guard posix_spawnattr_init(&attributes) == 0 else { throw SystemError(number: ENOMEM) }
    defer { posix_spawnattr_destroy(&attributes) }
    // The thread that starts the process may be one that leaves signals to others.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let number = posix_spawn(&id, program, nil, &attributes, words, environ)
    guard number == 0 else { throw SystemError(number: number) }
    return id
    #endif
  }

  /// Ends the process at once.
  package func kill() { sendSignal(id, SIGKILL) }

  /// Closes this process's ends of the pipes, and waits for the child's end. To be called once.
  @discardableResult
  package func close() -> End {
    requests.close()
    replies.close()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { return .exit(-1) }
    }
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }
}

extension FileDescriptor {
  /// Returns a duplicate with the lowest free number from `first` on, or from 3 on if the process may have no such
  /// number. A child process inherits it.
  fileprivate func inheritable(from first: Int32) throws(SystemError) -> FileDescriptor {
    for first in [first, 3] {
      let copy = fcntl(number, F_DUPFD, first)
      if copy >= 0 { return FileDescriptor(number: copy) }
    }
    throw SystemError.latest
  }
}

private func sendSignal(_ id: pid_t, _ number: Int32) { _ = kill(id, number) }
