internal import CLibrary
internal import Synchronization

/// The changed settings of a terminal, and those from before.
///
/// Signal handlers restore the terminal when the program ends at once, crashes or is suspended. When the program
/// continues, they change the terminal again.
enum TerminalMode {
  /// The descriptor of the terminal; -1 while none is changed.
  private static let number = Atomic<Int32>(-1)
  /// The settings from before, and the changed settings.
  nonisolated(unsafe) private static let settings = {
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 2)
    settings.initialize(repeating: termios(), count: 2)
    return settings
  }()

  /// Changes a terminal until `restore`. Returns false if it is not a terminal, or if another one is changed.
  static func change(_ file: FileDescriptor, _ body: (inout termios) -> Void) -> Bool {
    guard file.isTerminal, number.load(ordering: .relaxed) < 0, tcgetattr(file.number, settings) == 0 else {
      return false
    }
    settings[1] = settings[0]
    body(&settings[1])
    // The handlers must find the settings when the terminal has them.
    number.store(file.number, ordering: .releasing)
    guard tcsetattr(file.number, TCSANOW, settings + 1) == 0 else {
      restore()
      return false
    }
    Interruption.install(SIGTSTP) { _ in
      TerminalMode.set(0)
      raise(SIGSTOP)
    }
    Interruption.install(SIGCONT) { _ in TerminalMode.set(1) }
    return true
  }

  /// Restores the terminal. Signal handlers may call it.
  static func restore() {
    set(0)
    number.store(-1, ordering: .relaxed)
  }

  private static func set(_ place: Int) {
    let number = number.load(ordering: .acquiring)
    guard number >= 0 else { return }
    // A handler must not change the error of the code that it interrupts.
    let error = errno
    _ = tcsetattr(number, TCSANOW, settings + place)
    errno = error
  }

  /// Lets signal handlers use this type: they must not be the first to do so.
  static func prepare() {
    _ = number.load(ordering: .relaxed)
    _ = settings
  }
}
