internal import CLibrary
internal import Synchronization

/// Whether the program has been asked to stop: SIGINT (Ctrl-C), SIGTERM or SIGHUP.
///
/// Loops check `hasHappened` and end the program in an orderly fashion. If none does within two seconds, or if the
/// program is about to end because of a crash or exhausted memory, the handler writes the complete lines in the output
/// buffer.
package enum Interruption {
  /// The first signal that asked; 0 before that.
  private static let signalNumber = Atomic<Int32>(0)
  /// A pipe that becomes readable with the interruption: what a waiting loop also waits for.
  private static let readEnd = Atomic<Int32>(-1)
  private static let writeEnd = Atomic<Int32>(-1)
  /// The address of the buffer of standard output, which registers itself for its lifetime; 0 if there is none.
  private static let output = Atomic<UInt>(0)
  /// The address of the function that writes the complete lines of that buffer; 0 if there is none.
  private static let writer = Atomic<UInt>(0)

  /// Writes the complete lines of a buffer, given its address. Called by signal handlers, so it must not allocate memory.
  package typealias BufferWriter = @convention(c) (UnsafeMutableRawPointer) -> Void

  /// The signals of a crash. A thread has to leave them unblocked: else the system ends the process without the handlers.
  static let crashes = [SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE]
  /// The previous actions for the signals of a crash, by their numbers: those of the system, or of Swift's runtime,
  /// which prints the location of the crash.
  nonisolated(unsafe) private static let lastActions = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(crashes.max() ?? 0) + 1)
    actions.initialize(repeating: sigaction(), count: Int(crashes.max() ?? 0) + 1)
    return actions
  }()

  /// Whether the signals of a crash are handled.
  private static let watchesCrashes = Atomic<Bool>(false)

  /// Time a run may take to stop, in seconds; afterward the process ends at once.
  private static let patience: UInt32 = 2

  /// Gives the program as long as it takes to stop in an orderly fashion. A second signal ends it at once.
  package static func extend() { _ = alarm(0) }

  /// Whether it has been asked for.
  package static var hasHappened: Bool { signalNumber.load(ordering: .relaxed) != 0 }

  /// The exit code: 128 and the signal's number, which is 130 for SIGINT, 143 for SIGTERM and 129
  /// for SIGHUP.
  package static var exitCode: Int32 {
    let number = signalNumber.load(ordering: .relaxed)
    return 128 + (number == 0 ? SIGINT : number)
  }

  /// Becomes readable once it has happened.
  static var descriptor: FileDescriptor { FileDescriptor(number: readEnd.load(ordering: .relaxed)) }

  /// Takes over the signals. A closed pipe is an error of `write` from now on, not the process's death.
  package static func watch() {
    guard readEnd.load(ordering: .relaxed) < 0 else { return }
    guard let pipe = try? FileDescriptor.pipe() else { return }
    readEnd.store(pipe.reader.number, ordering: .relaxed)
    writeEnd.store(pipe.writer.number, ordering: .relaxed)
    // NB: made here, for a handler must not be the first to use them.
    _ = signalNumber.load(ordering: .relaxed)
    _ = output.load(ordering: .relaxed)
    TerminalMode.prepare()
    signal(SIGPIPE, SIG_IGN)
    install(SIGALRM) { _ in Interruption.endAtOnce() }
    install(SIGINT, note)
    install(SIGTERM, note)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGALRM, SIGINT, SIGTERM] + crashes { sigaddset(&signals, number) }
    // 'nohup' has the program go on when its terminal closes.
    if !isIgnored(SIGHUP) {
      install(SIGHUP, note)
      sigaddset(&signals, SIGHUP)
    }
    useHandlerStack()
    watchCrashes()
    // A parent may have handed down a mask in which they are blocked.
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Takes over the signals of a crash alone, once.
  static func watchCrashes() {
    guard !watchesCrashes.exchange(true, ordering: .relaxed) else { return }
    CrashMark.prepare()
    TerminalMode.prepare()
    for number in crashes { installLast(number) }
  }

  /// Runs the body while this thread gets none of the signals. A thread that the body starts gets them once it watches.
  static func withoutSignals<Output>(_ body: () -> Output) -> Output {
    var (signals, before) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    for number in [SIGALRM, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Gives the current thread an alternate stack for handlers of a stack overflow.
  ///
  /// - Returns: The memory of the stack, to be freed when the thread has ended; nil if it could not be allocated.
  @discardableResult
  static func useHandlerStack() -> UnsafeMutableRawPointer? {
    #if os(tvOS) || os(watchOS)
    return nil  // These systems have no alternate stacks.
    #else
    var stack = stack_t()
    guard let memory = malloc(handlerStackBytes) else { return nil }
    stack.ss_sp = memory
    stack.ss_size = .init(handlerStackBytes)
    guard sigaltstack(&stack, nil) == 0 else {
      free(memory)
      return nil
    }
    return memory
    #endif
  }

  /// Frees the second stack of the present thread.
  static func freeHandlerStack(_ memory: UnsafeMutableRawPointer?) {
    #if !os(tvOS) && !os(watchOS)
    guard let memory else { return }
    var stack = stack_t()
    stack.ss_flags = Int32(SS_DISABLE)
    sigaltstack(&stack, nil)
    free(memory)
    #endif
  }

  /// As much as a signal's frame takes on any machine, and some calls.
  private static let handlerStackBytes = 64 * 1024

  // MARK: Output

  /// Makes the handlers write the contents of this buffer. A program has one kind of buffer.
  package static func protect(_ buffer: UnsafeMutableRawPointer, _ write: @escaping BufferWriter) {
    writer.store(unsafeBitCast(write, to: UInt.self), ordering: .relaxed)
    output.store(UInt(bitPattern: buffer), ordering: .releasing)
  }

  /// Makes the handlers ignore this buffer from now on.
  package static func release(_ buffer: UnsafeMutableRawPointer) {
    _ = output.compareExchange(expected: UInt(bitPattern: buffer), desired: 0, ordering: .relaxed)
  }

  private static func writeOutput() {
    guard let buffer = UnsafeMutableRawPointer(bitPattern: output.exchange(0, ordering: .acquiring)),
      let writer = UnsafeRawPointer(bitPattern: writer.load(ordering: .relaxed))
    else { return }
    unsafeBitCast(writer, to: BufferWriter.self)(buffer)
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
    TerminalMode.restore()
    writeOutput()
    _exit(exitCode)
  }

  /// Writes the output and raises the signal again for the previous handler, which reports the location and ends the
  /// process.
  ///
  /// NB: Raised explicitly, since a signal sent by another process would not be delivered again.
  private static let noteLast: Handler = { number, information, context in
    CrashMark.note()
    TerminalMode.restore()
    Interruption.writeOutput()
    let last = Interruption.lastActions[Int(number)]
    signal(number, SIG_DFL)
    if Interruption.isFunction(last) {
      if last.sa_flags & Int32(SA_SIGINFO) != 0 {
        Interruption.longHandler(last)?(number, information, context)
      } else {
        Interruption.handler(last)?(number)
      }
    }
    signal(number, SIG_DFL)
    raise(number)
  }

  private typealias Handler =
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  #if canImport(Darwin)
  private static func handler(_ action: sigaction) -> (@convention(c) (Int32) -> Void)? {
    action.__sigaction_u.__sa_handler
  }
  private static func longHandler(_ action: sigaction) -> Handler? { action.__sigaction_u.__sa_sigaction }
  #else
  private static func handler(_ action: sigaction) -> (@convention(c) (Int32) -> Void)? {
    action.__sigaction_handler.sa_handler
  }
  private static func longHandler(_ action: sigaction) -> Handler? { action.__sigaction_handler.sa_sigaction }
  #endif

  /// Whether a signal is handled by a function of the program.
  private static func isFunction(_ action: sigaction) -> Bool {
    let address = unsafeBitCast(handler(action), to: Int.self)
    return address != unsafeBitCast(SIG_DFL, to: Int.self) && address != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(handler(action), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// NB: without SA_RESTART, so that a waiting `read` comes back.
  static func install(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
    action.__sigaction_u.__sa_handler = handler
    #else
    action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(number, &action, nil)
  }

  /// Installs the handler of a signal that ends the process, before the current handler.
  private static func installLast(_ number: Int32) {
    guard !isIgnored(number) else { return }
    sigaction(number, nil, lastActions + Int(number))
    var action = sigaction()
    action.sa_flags = Int32(SA_ONSTACK) | Int32(SA_SIGINFO)
    #if canImport(Darwin)
    action.__sigaction_u.__sa_sigaction = noteLast
    #else
    action.__sigaction_handler.sa_sigaction = noteLast
    #endif
    sigaction(number, &action, nil)
  }
}
