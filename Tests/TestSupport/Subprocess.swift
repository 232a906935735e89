package import CLibrary
internal import Synchronization

/// The output of the program, and how it ended.
package struct Outcome: Equatable {
  package var output: String
  package var errors: String
  package var code: Int32

  package init(output: String, errors: String, code: Int32) {
    self.output = output
    self.errors = errors
    self.code = code
  }
}

/// The built program as a process of its own.
package enum Subprocess {
  /// The program that `STREAMRUN` names, for example a released one; else the one beside the tests or in `.build`.
  package static let path: String = {
    if let given = getenv("STREAMRUN") { return absolute(String(cString: given)) }
    let runner = absolute(CommandLine.arguments.first ?? "")
    let beside = (runner.split(separator: "/", omittingEmptySubsequences: false).dropLast() + ["streamrun"])
      .joined(separator: "/")
    return access(beside, X_OK) == 0 ? beside : Fixture.package + "/.build/debug/streamrun"
  }()

  /// The absolute form of a path: most tests start the program in another folder.
  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Runs the program to its end; `input` is what it reads on standard input.
  package static func run(
    _ arguments: [String], input: String = "", in directory: String? = nil, environment: [String] = []
  ) -> Outcome {
    let files = Fixture.Folder()
    let child = Child(
      arguments, input: openRead(files.add("input", input)), output: openWrite(files.path("output")),
      errors: openWrite(files.path("errors")), in: directory, environment: environment)
    let code = child.wait()
    return Outcome(output: Fixture.read(files.path("output")), errors: Fixture.read(files.path("errors")), code: code)
  }

  /// The output of a line of shell, errors included; `streamrun` in it is the program.
  package static func shell(_ command: String, in directory: String) -> String {
    let files = Fixture.Folder()
    let child = Child(
      program: "/bin/sh", ["-c", "streamrun() { '\(path)' \"$@\"; }; \(command)"], input: openRead("/dev/null"),
      output: openWrite(files.path("output")), errors: nil, in: directory)
    _ = child.wait()
    return Fixture.read(files.path("output"))
  }

  package static func openRead(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
  package static func openWrite(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  }
}

/// A process that runs.
package struct Child {
  /// Held while a process is started, and while files are open that none may inherit.
  fileprivate static let starting = Mutex(())

  package let id: pid_t

  /// Starts it; the files given are closed here and become its standard files. Without `errors` they go to `output`.
  package init(
    program: String = Subprocess.path, _ arguments: [String], input: Int32, output: Int32, errors: Int32?,
    in directory: String? = nil, environment: [String] = []
  ) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, file) in [input, output, errors ?? output].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    // The tests may run where SIGHUP is ignored, as under 'nohup'; their child processes get the default handler.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    // A test may ignore SIGPIPE for its process, too.
    for number in [SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // The shell changes the folder, then becomes the program: the process is the same.
    let change = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory ?? "."]
    let words: [UnsafeMutablePointer<CChar>?] = (change + [program] + arguments).map { strdup($0) } + [nil]
    let settings: [UnsafeMutablePointer<CChar>?] = (["PATH=/usr/bin:/bin"] + environment).map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var id: pid_t = 0
    let problem = Self.starting.withLock { _ in
      posix_spawn(&id, change[0], &actions, &attributes, words, settings)
    }
    self.id = problem == 0 ? id : -1
    for file in [input, output] + (errors.map { [$0] } ?? []) { close(file) }
  }

  /// Waits for its end; gives the exit code, 128 and more for a signal.
  package func wait() -> Int32 {
    guard id > 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  package func send(_ signal: Int32) { kill(id, signal) }
}

#if os(Linux)
// The system's knowledge of processes.
extension Child {
  /// The processes that a process has started and that have not ended.
  package static func children(of process: pid_t) -> [pid_t] {
    Fixture.names(in: "/proc/\(process)/task", ending: "").flatMap { thread in
      Fixture.read("/proc/\(process)/task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// The fields of a process behind its name; the first is its state.
  private static func status(of process: pid_t) -> [Substring] {
    let text = Fixture.read("/proc/\(process)/stat")
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ")
  }

  /// `Z` where it has ended.
  package static func state(of process: pid_t) -> Substring { status(of: process).first ?? "Z" }

  /// The processor time that a process has used.
  package static func seconds(of process: pid_t) -> Double {
    let fields = status(of: process)
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Whether a process has a handler for a signal.
  package static func handles(_ signal: Int32, _ process: pid_t) -> Bool {
    let line = Fixture.read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    guard let digits = line?.split(separator: "\t").last, let mask = UInt64(digits, radix: 16) else { return false }
    return mask & (1 << UInt64(signal - 1)) != 0
  }

  /// Waits until something is so, or the process has ended.
  package func wait(until isSo: () -> Bool) {
    while !isSo(), Self.state(of: id) != "Z" { poll(nil, 0, 5) }
  }

  /// Waits until it has worked for so long, however long it has to wait for the processor.
  package func wait(forWork seconds: Double) { wait { Self.seconds(of: id) >= seconds } }

  /// Waits until a process that it has started has worked for so long.
  package func wait(forWorkOfChild seconds: Double) {
    wait { Self.children(of: id).contains { Self.seconds(of: $0) >= seconds } }
  }

  /// Waits until it has a handler for a signal, and waits for something itself.
  package func wait(forHandlerOf signal: Int32) {
    wait { Self.handles(signal, id) && Self.state(of: id) == "S" }
  }
}
#else
// If the system does not report it, twice the time has to be enough.
extension Child {
  package func wait(until isSo: () -> Bool) { for _ in 0..<12_000 where !isSo() { poll(nil, 0, 5) } }
  package func wait(forWork seconds: Double) { usleep(UInt32(seconds * 2e6)) }
  package func wait(forWorkOfChild seconds: Double) { usleep(UInt32(seconds * 2e6)) }
  package func wait(forHandlerOf signal: Int32) { usleep(1_000_000) }
}
#endif

/// A pipe between the test and a process.
package struct Pipe {
  package let reader: Int32
  package let writer: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    // A process that another test starts in between would hold the pipe open, until it ends.
    Child.starting.withLock { _ in
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    (reader, writer) = (ends[0], ends[1])
  }

  package func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { buffer in writeBytes(writer, buffer) }
  }

  /// Milliseconds that a loaded machine may take for a step. A test ends earlier unless it fails.
  private static let patience: Int32 = 120_000

  /// Waits for text; empty at the end of the pipe, or if the process is silent for two minutes.
  package func read() -> String {
    var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Self.patience) > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { buffer in readBytes(reader, buffer) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Waits for text with this ending, however many writes it comes in; less if the pipe ends before.
  package func read(through ending: String) -> String {
    var text = ""
    while !text.hasSuffix(ending), case let more = read(), !more.isEmpty { text += more }
    return text
  }
}

private func writeBytes(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  write(file, buffer.baseAddress, buffer.count)
}

private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
