internal import CLibrary

/// The keys of a terminal, each read when it is pressed and not shown.
///
/// The terminal is restored by `restore`, and also when a signal or a crash ends the program, and while the program is
/// suspended. A program reads keys from one terminal at a time.
package struct TerminalKeys {
  private let file: FileDescriptor

  /// Nil if the file is not a terminal.
  package init?(_ file: FileDescriptor = .standardInput) {
    let isChanged = TerminalMode.change(file) { settings in
      // Signals of keys such as Ctrl-C stay.
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &settings.c_cc) { characters in
        // A read waits for one byte.
        (characters[Int(VMIN)], characters[Int(VTIME)]) = (1, 0)
      }
    }
    guard isChanged else { return nil }
    self.file = file
  }

  package func restore() { TerminalMode.restore() }

  /// Waits for a key, for this time at most. Returns the pressed keys.
  package func keys(within nanoseconds: Int64) -> [UInt8] {
    guard Waiting.readable([file], nanoseconds: nanoseconds)[0] else { return [] }
    return (try? file.read(atMost: 64)) ?? []
  }

  /// Waits for a key. Returns the pressed keys; nil if the terminal has gone, or the program is asked to stop.
  package func keys() -> [UInt8]? {
    while !Interruption.hasHappened {
      guard Waiting.readable([file], nanoseconds: nil)[0] else { continue }
      guard let keys = try? file.read(atMost: 64), !keys.isEmpty else { return nil }
      return keys
    }
    return nil
  }
}
