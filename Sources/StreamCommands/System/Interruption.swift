internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether somebody has asked the program to stop: SIGINT (Ctrl-C) or SIGTERM.
enum Interruption {
  private static let flag = Atomic<Bool>(false)
  /// A pipe that becomes readable with the interruption: what a waiting loop also waits for.
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)

  /// How long a run may take to stop, in seconds; then the process ends at once.
  private static let patience: UInt32 = 2

  /// Whether it has been asked for.
  static var hasHappened: Bool { flag.load(ordering: .relaxed) }

  /// What can be read from once it has happened.
  static var descriptor: FileDescriptor { FileDescriptor(number: readEnd.load(ordering: .relaxed)) }

  /// Takes over the signals. A closed pipe is an error of `write` from now on, not the process's death.
  static func watch() {
    guard readEnd.load(ordering: .relaxed) < 0 else { return }
    guard let pipe = try? FileDescriptor.pipe() else { return }
    readEnd.store(pipe.reader.number, ordering: .relaxed)
    writeEnd.store(pipe.writer.number, ordering: .relaxed)
    _ = flag.load(ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    install(SIGALRM) { _ in _exit(130) }
    install(SIGINT, note)
    install(SIGTERM, note)
    // A parent may have handed down a mask in which they are blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGALRM, SIGINT, SIGTERM] { sigaddset(&signals, number) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Only what may be called in a signal's handler. A second signal, or patience at its end, ends the process.
  private static let note: @convention(c) (Int32) -> Void = { _ in
    if Interruption.flag.exchange(true, ordering: .relaxed) { _exit(130) }
    var byte: UInt8 = 1
    _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
    _ = alarm(Interruption.patience)
  }

  /// NB: without SA_RESTART, so that a waiting `read` comes back.
  private static func install(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(number, &action, nil)
  }
}
