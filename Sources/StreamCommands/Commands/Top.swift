internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun top DIR`: shows the figures of a running stream.
struct Top: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Shows rates, queues, timers, lag and memory of a running stream.",
    discussion: """
      The stream runs with '--socket DIR'. On a terminal, the figures are redrawn until q or Ctrl-C; otherwise one report \
      is printed. While it is shown, the run counts the values that each operator publishes, which makes it slower. \
      Operators in groups are counted in all groups together; with very many groups, their sizes are extrapolated and \
      their values are not counted. The run may be of another user only if this one is root.

      Examples:
        streamrun top run
        streamrun top run --json --interval 5
      """)

  @Argument(help: "The directory of the run.", completion: .directory)
  var directory: String

  @Flag(help: "Prints one report as JSON.")
  var json = false

  @Option(help: ArgumentHelp("Time over which rates are measured.", valueName: "seconds"))
  var interval = 1.0

  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if !(interval > 0) { throw ValidationError("--interval is \(interval); expected seconds above 0") }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    try Diagnostics.listing { () throws(Diagnostic) in
      let client = try StatusClient(directory)
      let nanoseconds = Int64(min(interval, 1e9) * 1e9)
      guard var earlier = try client.status() else { return }
      guard !json, FileDescriptor.standardOutput.isTerminal else {
        _ = Waiting.readable([], nanoseconds: nanoseconds)
        guard !Interruption.hasHappened, let status = try client.status() else { return }
        let report = RunStatus(status, since: earlier)
        for line in json ? [report.json] : report.lines { console.output.appendLine(line) }
        return
      }
      let screen = Screen()
      defer { screen.close() }
      screen.show(RunStatus(earlier, since: nil).lines)
      while !screen.waitsForEnd(nanoseconds), let status = try client.status() {
        screen.show(RunStatus(status, since: earlier).lines)
        earlier = status
      }
    }
    return ExitCode.good
  }
}

/// The terminal, whose content is restored at the end.
private struct Screen {
  private let keys = TerminalKeys()
  private let file = FileDescriptor.standardOutput

  /// Shows the other screen of the terminal, without a cursor.
  init() { write("\u{1B}[?1049h\u{1B}[?25l") }

  func close() {
    write("\u{1B}[?25h\u{1B}[?1049l")
    keys?.restore()
  }

  func show(_ lines: [String]) {
    // Each line is written over the one before it, so that the picture does not flicker.
    write("\u{1B}[H" + lines.map { "\(VisibleText.line($0))\u{1B}[K\n" }.joined() + "\u{1B}[J")
  }

  /// Waits. Returns whether the user ends the program.
  func waitsForEnd(_ nanoseconds: Int64) -> Bool {
    if let keys {
      if keys.keys(within: nanoseconds).contains(where: { [UInt8(ascii: "q"), UInt8(ascii: "Q")].contains($0) }) {
        return true
      }
    } else {
      _ = Waiting.readable([], nanoseconds: nanoseconds)
    }
    return Interruption.hasHappened
  }

  private func write(_ text: String) {
    // A terminal that has gone ends the program by a signal.
    try? file.write(text)
  }
}
