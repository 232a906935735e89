internal import CLibrary

/// The keys of a terminal, each read when it is pressed and not shown. The terminal is restored by `restore`.
package struct TerminalKeys {
  private let file: FileDescriptor
  private let former: termios

  /// Nil if the file is not a terminal.
  package init?(_ file: FileDescriptor = .standardInput) {
    var settings = termios()
    guard file.isTerminal, tcgetattr(file.number, &settings) == 0 else { return nil }
    self.file = file
    former = settings
    // Signals of keys such as Ctrl-C stay.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(file.number, TCSANOW, &settings) == 0 else { return nil }
  }

  package func restore() {
    var settings = former
    tcsetattr(file.number, TCSANOW, &settings)
  }

  /// Waits for a key, for this time at most. Returns the pressed keys.
  package func keys(within nanoseconds: Int64) -> [UInt8] {
    guard Waiting.readable([file], nanoseconds: nanoseconds)[0] else { return [] }
    return (try? file.read(atMost: 64)) ?? []
  }
}
