internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether somebody has asked the program to stop: SIGINT (Ctrl-C), SIGTERM or SIGHUP.
///
/// Loops look at `hasHappened` and end the program in order. Where none does within two seconds, or where the program is
/// about to die of a crash or of exhausted memory, the handler writes the complete lines that stand in the output buffer.
enum Interruption {
  /// The first signal that asked; 0 before that.
  private static let signalNumber = Atomic<Int32>(0)
  /// A pipe that becomes readable with the interruption: what a waiting loop also waits for.
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)
  /// The address of the `OutputBuffer` of standard output, which keeps itself registered while it is there; 0 is none.
  private static let output = Atomic<UInt>(0)

  /// How long a run may take to stop, in seconds; then the process ends at once.
  private static let patience: UInt32 = 2

  /// Whether it has been asked for.
  static var hasHappened: Bool { signalNumber.load(ordering: .relaxed) != 0 }

  /// What the process says to the shell: 128 and the signal's number, which is 130 for SIGINT, 143 for SIGTERM and 129
  /// for SIGHUP.
  static var exitCode: Int32 {
    let number = signalNumber.load(ordering: .relaxed)
    return 128 + (number == 0 ? SIGINT : number)
  }

  /// What can be read from once it has happened.
  static var descriptor: FileDescriptor { FileDescriptor(number: readEnd.load(ordering: .relaxed)) }

  /// Takes over the signals. A closed pipe is an error of `write` from now on, not the process's death.
  static func watch() {
    guard readEnd.load(ordering: .relaxed) < 0 else { return }
    guard let pipe = try? FileDescriptor.pipe() else { return }
    readEnd.store(pipe.reader.number, ordering: .relaxed)
    writeEnd.store(pipe.writer.number, ordering: .relaxed)
    // NB: made here, for a handler must not be the first to use them.
    _ = signalNumber.load(ordering: .relaxed)
    _ = output.load(ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    install(SIGALRM) { _ in Interruption.endAtOnce() }
    install(SIGINT, note)
    install(SIGTERM, note)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGALRM, SIGINT, SIGTERM] { sigaddset(&signals, number) }
    // 'nohup' has the program go on when its terminal closes.
    if action(of: SIGHUP) != .ignored {
      install(SIGHUP, note)
      sigaddset(&signals, SIGHUP)
    }
    for number in [SIGABRT, SIGILL, SIGTRAP] { installLast(number) }
    // A parent may have handed down a mask in which they are blocked.
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  // MARK: Output

  /// From now on the handlers write what is left in this buffer.
  static func protect(_ buffer: OutputBuffer) {
    output.store(UInt(bitPattern: Unmanaged.passUnretained(buffer).toOpaque()), ordering: .relaxed)
  }

  /// The handlers do not touch this buffer any more.
  static func release(_ buffer: OutputBuffer) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(buffer).toOpaque())
    _ = output.compareExchange(expected: address, desired: 0, ordering: .relaxed)
  }

  private static func writeOutput() {
    let address = output.exchange(0, ordering: .relaxed)
    guard let buffer = UnsafeRawPointer(bitPattern: address) else { return }
    Unmanaged<OutputBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef { $0.writeCompleteLines() }
  }

  // MARK: Handlers, in which only what POSIX allows there may be called

  /// A second signal, or patience at its end, ends the process.
  private static let note: @convention(c) (Int32) -> Void = { number in
    let (isFirst, _) = Interruption.signalNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    guard isFirst else { Interruption.endAtOnce() }
    var byte: UInt8 = 1
    _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
    _ = alarm(Interruption.patience)
  }

  private static func endAtOnce() -> Never {
    writeOutput()
    _exit(exitCode)
  }

  /// The program cannot go on. The signal comes again, and is handled as it would have been.
  private static let noteLast: @convention(c) (Int32) -> Void = { number in
    Interruption.writeOutput()
    signal(number, SIG_DFL)
  }

  private enum Disposition { case standard, ignored, other }

  private static func action(of number: Int32) -> Disposition {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return .other }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return switch unsafeBitCast(handler, to: Int.self) {
    case unsafeBitCast(SIG_DFL, to: Int.self): .standard
    case unsafeBitCast(SIG_IGN, to: Int.self): .ignored
    default: .other
    }
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

  /// Handles what ends the process, unless somebody does who tells where it happened.
  private static func installLast(_ number: Int32) {
    if action(of: number) == .standard { install(number, noteLast) }
  }
}
