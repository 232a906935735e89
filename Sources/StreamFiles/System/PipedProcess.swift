internal import CLibrary
internal import Synchronization

/// A program that runs in a process group of its own, with pipes that this process uses without waiting.
///
/// The program inherits standard error, and standard output if that is not read. A signal from the terminal does not reach
/// it: the owner ends it.
package final class PipedProcess {
  /// The program's standard output; nil if it is not read.
  package let output: FileDescriptor?
  /// The program's standard input; nil once it is closed.
  package private(set) var input: FileDescriptor?
  /// The other end of standard input, for counting the bytes that the program has not read; nil unless requested.
  private let unread: FileDescriptor?
  private let id: pid_t
  /// How the program has ended; nil while it runs.
  package private(set) var end: ChildProcess.End?
  /// Number of bytes that its input has taken.
  package private(set) var writtenCount = 0
  /// Whether the program has closed its output.
  package private(set) var hasClosedOutput = false

  /// The most bytes that are read at once.
  private static let pieceSize = 64 * 1024

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The name of a program in `PATH`, or its path.
  ///   - readsOutput: Whether this process reads its standard output.
  ///   - keepsUnread: Whether `takeUnread` counts the bytes that the program has not read.
  ///   - messages: The file for its standard error. Default that of this process.
  ///   - result: The file for its standard output, which is not read then. Default nil.
  ///   - third: Bytes that the program reads from its file 3; at most 16 KiB.
  ///   - environment: All of its environment, as `NAME=VALUE`. Default that of this process.
  package init(
    _ program: String, _ arguments: [String], readsOutput: Bool, keepsUnread: Bool = false,
    messages: FileDescriptor? = nil, result: FileDescriptor? = nil, third: [UInt8]? = nil, environment: [String]? = nil
  ) throws(SystemError) {
    ignoreClosedPipes()
    (id, input, output, unread) = try ChildProcess.starting.withLock { _ throws(SystemError) in
      var opened: [FileDescriptor] = []
      var kept: [FileDescriptor] = []
      defer { for file in opened where !kept.contains(file) { file.close() } }
      func pipe() throws(SystemError) -> (reader: FileDescriptor, writer: FileDescriptor) {
        let ends = try FileDescriptor.pipe()
        opened += [ends.reader, ends.writer]
        return ends
      }
      func high(_ file: FileDescriptor) throws(SystemError) -> FileDescriptor {
        let copy = try file.duplicate()
        opened.append(copy)
        return copy
      }
      let requests = try pipe()
      var files: [(file: FileDescriptor, number: Int32)] = []
      try files.append((high(requests.reader), 0))
      let replies = try readsOutput ? pipe() : nil
      if let replies { try files.append((high(replies.writer), 1)) }
      if let result { try files.append((high(result), 1)) }
      if let messages { try files.append((high(messages), 2)) }
      if let third {
        let more = try pipe()
        try more.writer.write(third)
        try files.append((high(more.reader), 3))
      }
      let id = try spawn(program, arguments, files, environment)
      requests.writer.neverWait()
      replies?.reader.neverWait()
      kept = [requests.writer] + (replies.map { [$0.reader] } ?? []) + (keepsUnread ? [requests.reader] : [])
      return (id, requests.writer, replies?.reader, keepsUnread ? requests.reader : nil)
    }
  }

  deinit {
    kill()
    if end == nil { wait() }
    closeInput()
    output?.close()
    unread?.close()
  }

  // MARK: Input and output

  /// Writes as many bytes as the program's input takes now. Returns their number.
  package func write(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let input else { return 0 }
    var done = 0
    bytes.withUnsafeBytes { buffer in
      while done < buffer.count, let count = input.writeOnce(UnsafeRawBufferPointer(rebasing: buffer.dropFirst(done))) {
        done += count
      }
    }
    writtenCount += done
    return done
  }

  /// Returns the available output; nil if there is none now, and after its end.
  package func read() -> [UInt8]? {
    guard let output, !hasClosedOutput else { return nil }
    do throws(SystemError) {
      var failure: SystemError?
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
        do throws(SystemError) {
          count = try output.read(into: UnsafeMutableRawBufferPointer(buffer))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      if bytes.isEmpty { hasClosedOutput = true }
      return bytes.isEmpty ? nil : bytes
    } catch {
      if !error.isInterruption { hasClosedOutput = true }
      return nil
    }
  }

  /// Ends the program's input.
  package func closeInput() {
    input?.close()
    input = nil
  }

  /// Returns the number of bytes that the program has not read, once it has ended.
  package func takeUnread() -> Int {
    guard let unread, end != nil else { return 0 }
    var count = 0
    // NB: the pipe has no end while its writer is open, so a wait is avoided by looking first.
    while Waiting.isReadable(unread), let bytes = try? unread.read(atMost: Self.pieceSize), !bytes.isEmpty {
      count += bytes.count
    }
    return count
  }

  // MARK: The end

  /// Whether the program has ended. Its child processes end with it.
  package func hasEnded() -> Bool {
    if end != nil { return true }
    var information = siginfo_t()
    let flags = WEXITED | WNOHANG | WNOWAIT
    guard waitid(P_PID, id_t(id), &information, flags) == 0, information.si_signo == SIGCHLD else { return false }
    // NB: while the process is not waited for, no other can have its number.
    kill()
    wait()
    return true
  }

  /// Asks the program, and all that it has started, to end.
  package func terminate() { if end == nil { sendSignal(-id, SIGTERM) } }

  /// Ends the program, and all that it has started, at once.
  package func kill() { if end == nil { sendSignal(-id, SIGKILL) } }

  private func wait() {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else {
        end = .exit(-1)
        return
      }
    }
    end = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  /// Ends programs: closes their inputs, waits for a moment, then asks them to end, then ends them.
  ///
  /// - Parameter milliseconds: The time for a program to end without a signal. It is shorter if the program is asked to stop.
  package static func stop(_ processes: [PipedProcess], within milliseconds: Int) {
    for process in processes { process.closeInput() }
    wait(for: processes, milliseconds)
    for process in processes { process.terminate() }
    wait(for: processes, 300)
    for process in processes where !process.hasEnded() {
      process.kill()
      process.wait()
    }
  }

  /// Waits until all programs have ended, reading what they print.
  ///
  /// - Parameter milliseconds: The longest wait; nil for as long as it takes, unless the program is asked to stop.
  package static func wait(for processes: [PipedProcess], _ milliseconds: Int?) {
    var (rest, pause) = (milliseconds ?? .max, 1)
    while rest > 0, processes.contains(where: { !$0.hasEnded() }) {
      for process in processes { while process.read() != nil {} }
      poll(nil, 0, Int32(pause))
      rest = min(rest - pause, Interruption.hasHappened ? 700 : .max)
      pause = min(2 * pause, 20)
    }
  }
}

extension FileDescriptor {
  /// Returns a duplicate with a high number, which no child process inherits.
  fileprivate func duplicate() throws(SystemError) -> FileDescriptor {
    for first: Int32 in [200, 10] {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, first)
      if copy >= 0 { return FileDescriptor(number: copy) }
    }
    throw SystemError.latest
  }

  /// Makes reads and writes return at once.
  fileprivate func neverWait() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

/// Starts a program whose files are these, by their numbers there.
private func spawn(
  _ program: String, _ arguments: [String], _ files: [(file: FileDescriptor, number: Int32)], _ environment: [String]?
) throws(SystemError) -> pid_t {
  #if os(tvOS) || os(watchOS)
  throw SystemError(number: ENOSYS)  // These systems start no processes.
  #else
  #if canImport(Darwin)
  var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?) = (nil, nil)
  #else
  var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
  #endif
  guard posix_spawnattr_init(&attributes) == 0 else { throw SystemError(number: ENOMEM) }
  defer { posix_spawnattr_destroy(&attributes) }
  guard posix_spawn_file_actions_init(&actions) == 0 else { throw SystemError(number: ENOMEM) }
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (file, number) in files {
    let problem = posix_spawn_file_actions_adddup2(&actions, file.number, number)
    guard problem == 0 else { throw SystemError(number: problem) }
  }
  // The program has the signals as a shell would give it them: this process ignores closed pipes.
  var (none, defaults) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
  let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
  defer { for word in words + variables { free(word) } }
  var id: pid_t = 0
  let problem =
    environment == nil
    ? posix_spawnp(&id, program, &actions, &attributes, words, environ)
    : posix_spawnp(&id, program, &actions, &attributes, words, &variables)
  guard problem == 0 else { throw SystemError(number: problem) }
  return id
  #endif
}

private func sendSignal(_ id: pid_t, _ number: Int32) { _ = kill(id, number) }

/// Makes a closed pipe an error of `write` instead of the end of this process.
private func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
