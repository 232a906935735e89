package import StreamCore
internal import StreamEngine
package import StreamFiles

/// When the output is colored.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set.
  case auto
  case always, never

  /// Whether output to this file is colored.
  package func applies(to file: FileDescriptor) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      file.isTerminal && ProcessEnvironment.variable("NO_COLOR") == nil && ProcessEnvironment.variable("TERM") != "dumb"
    }
  }
}

/// The output of a command: results on standard output, everything else on standard error.
package final class Console {
  package let output = OutputBuffer(.standardOutput)
  private let errors: FileDescriptor
  private let printer: DiagnosticPrinter
  /// The texts for printing diagnostics, by file name.
  private let sources = SourceLog()
  /// The files that the command reads and writes.
  package let usedFiles = UsedFiles()
  /// The files that stream files may name.
  let access: FileAccess
  /// Texts that stand for files which the user names.
  private let texts: NamedTexts?
  /// Maximum memory of the program while it reads and compiles stream files.
  package var memory = ByteCount.standardMemoryFromNow
  /// The warnings of `reportOnce`.
  private var told: Set<Diagnostic> = []
  /// The form of messages.
  private let log: LogFormat
  /// Prints what operators publish; nil unless requested.
  var tap: TapOutput?
  /// Whether the terminal shows a progress line, which the next line replaces.
  private var hasProgress = false

  package init(
    color: ColorChoice, access: FileAccess = FileAccess(), texts: NamedTexts? = nil,
    errors: FileDescriptor = .standardError, log: LogFormat = .text
  ) {
    self.log = log
    self.access = access
    self.texts = texts
    self.errors = errors
    printer = DiagnosticPrinter(usesColors: color.applies(to: errors))
  }

  /// Whether standard error is a terminal.
  package var isAttended: Bool { errors.isTerminal }

  /// Records a text for printing diagnostics.
  package func remember(_ source: SourceText) { sources.add(source) }

  /// Creates a file loader whose texts are recorded for printing diagnostics.
  ///
  /// - Parameters:
  ///   - flushes: Whether to flush the output before waiting for a file. Default false.
  ///   - recorded: The files of the recorded run whose stream is loaded. Default none.
  ///   - texts: Texts that stand for files which the user names. Default those of the console.
  package func makeLoader(
    flushes: Bool = false, recorded: RecordedFiles? = nil, texts: NamedTexts? = nil
  ) -> FileLoader {
    let flush = { @Sendable [output] () throws(Diagnostic) in
      do throws(RunStop) {
        try output.flushAll()
      } catch {
        throw Diagnostic(.cannotWrite, "the output of the stream cannot be written")
      }
    }
    return FileLoader(
      access, flushing: flushes ? flush : nil, telling: sources, recorded: recorded, texts: texts ?? self.texts,
      noting: usedFiles, checking: CompileBound(memory: memory).check)
  }

  /// Prints a diagnostic, with the line that it points at.
  package func report(_ diagnostic: Diagnostic, in source: SourceText? = nil) {
    if log == .json { return writeLine(LogLine(diagnostic).text) }
    let source = source ?? diagnostic.location.flatMap { sources[$0.file] }
    writeLine(printer.text(diagnostic, source: source))
  }

  /// Prints all of them.
  package func report(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.all { report(diagnostic) }
  }

  /// Prints those warnings that have not been printed by this method before.
  package func reportOnce(_ warnings: [Diagnostic]) {
    for warning in warnings where told.insert(warning).inserted { report(warning) }
  }

  /// Prints a line on standard error.
  package func say(_ text: String) { writeLine(log == .json ? LogLine(text).text : VisibleText.line(text)) }

  /// Prints lines on standard error.
  package func sayLines(_ text: String) { writeLine(log == .json ? LogLine(text).text : VisibleText.lines(text)) }

  /// Writes a line whose characters are those of a terminal's.
  private func writeLine(_ text: String) {
    clearProgress()
    // An error of standard error cannot be reported.
    try? errors.write(text + "\n")
  }

  /// Says that numbers were printed for which JSON has no form.
  package func reportNonFinite() {
    say("warning: a number is NaN or infinite; it is printed as a string, because JSON has no such number")
  }

  /// Prints the message of an operator: a line unchanged, a hook with its argument.
  func show(_ note: HookEvent) { say(note.text) }

  /// Shows the progress of a run, replacing the previous progress line.
  func showProgress(_ text: String) {
    if log == .json { return writeLine(LogLine(level: "progress", text).text) }
    try? errors.write("\r\u{1B}[K" + VisibleText.line(text))
    hasProgress = true
  }

  func clearProgress() {
    guard hasProgress else { return }
    try? errors.write("\r\u{1B}[K")
    hasProgress = false
  }

  /// Flushes the output and returns the exit code, which a full disk changes.
  package func close(_ code: Int32) -> Int32 {
    clearProgress()
    do throws(RunStop) {
      try output.flushAll()
    } catch {
      if case .refused(let diagnostic, _) = error {
        report(diagnostic)
        return ExitCode.wrong
      }
    }
    return code
  }
}
