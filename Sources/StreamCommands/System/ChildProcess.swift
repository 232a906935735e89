#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Another process of a program, to which this one writes and from which it reads.
struct ChildProcess {
  /// What is written here the child reads from its file `requestNumber`, which is at its end once this is closed.
  let requests: FileDescriptor
  /// The child writes to its file `replyNumber` what is read here.
  let replies: FileDescriptor
  private let id: pid_t

  /// The numbers under which the child has its ends of the pipes: the first ones behind the standard files.
  static let requestNumber: Int32 = 3
  static let replyNumber: Int32 = 4

  /// How a process has ended.
  enum End: Sendable {
    case exit(Int32)
    case signal(Int32)

    /// The end in words.
    var text: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number):
        "signal \(number), " + (strsignal(number).map { String(cString: $0).lowercased() } ?? "unknown")
      }
    }
  }

  /// Starts a program, which has the standard files of this one and its environment.
  init(_ program: String, _ arguments: [String]) throws(SystemError) {
    let (requestReader, requestWriter) = try FileDescriptor.pipe()
    defer { requestReader.close() }
    let pipe: (reader: FileDescriptor, writer: FileDescriptor)
    do throws(SystemError) {
      pipe = try FileDescriptor.pipe()
    } catch {
      requestWriter.close()
      throw error
    }
    defer { pipe.writer.close() }
    var id: pid_t = 0
    let number = Self.spawn(
      &id, program, arguments, [(requestReader, Self.requestNumber), (pipe.writer, Self.replyNumber)])
    guard number == 0 else {
      requestWriter.close()
      pipe.reader.close()
      throw SystemError(number: number)
    }
    (self.id, requests, replies) = (id, requestWriter, pipe.reader)
  }

  private static func spawn(
    _ id: inout pid_t, _ program: String, _ arguments: [String], _ files: [(FileDescriptor, Int32)]
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    guard posix_spawn_file_actions_init(&actions) == 0 else { return ENOMEM }
    defer { posix_spawn_file_actions_destroy(&actions) }
    // First to numbers that none of them has, so that none is overwritten.
    let firstFree = 1 + (files.flatMap { [$0.0.number, $0.1] }.max() ?? 0)
    for (place, (file, _)) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file.number, firstFree + Int32(place))
    }
    for (place, (_, target)) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, firstFree + Int32(place), target)
      posix_spawn_file_actions_addclose(&actions, firstFree + Int32(place))
    }
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    return posix_spawn(&id, program, &actions, nil, words, environ)
  }

  /// Ends the process at once.
  func kill() { sendSignal(id, SIGKILL) }

  /// Waits for the process's end.
  func wait() -> End {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { return .exit(-1) }
    }
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  /// Closes this process's ends of the pipes.
  func close() {
    requests.close()
    replies.close()
  }
}

private func sendSignal(_ id: pid_t, _ number: Int32) { _ = kill(id, number) }
