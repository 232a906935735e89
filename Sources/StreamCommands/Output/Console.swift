internal import ArgumentParser
internal import CLibrary
internal import StreamCore
internal import StreamRuntime

/// When the output is colored.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set.
  case auto
  case always, never

  /// Whether what is printed on this file is colored.
  func applies(to file: FileDescriptor) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      file.isTerminal && ProcessEnvironment.variable("NO_COLOR") == nil && ProcessEnvironment.variable("TERM") != "dumb"
    }
  }
}

/// The process's environment.
enum ProcessEnvironment {
  /// A variable; nil where it is not set or empty.
  static func variable(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}

/// Where a command prints: results on standard output, everything else on standard error.
final class Console {
  let output = OutputBuffer(.standardOutput)
  private let errors = FileDescriptor.standardError
  private let printer: DiagnosticPrinter
  /// The texts that diagnostics point into, by the names of their files.
  private let sources = SourceLog()
  /// The files that stream files may name.
  let access: FileAccess
  /// Whether a line stands on the terminal that the next one takes the place of.
  private var hasProgress = false

  init(color: ColorChoice, access: FileAccess = FileAccess()) {
    self.access = access
    printer = DiagnosticPrinter(usesColors: color.applies(to: errors))
  }

  /// Whether a person reads what is said on standard error.
  var isAttended: Bool { errors.isTerminal }

  /// Remembers a text that diagnostics may point into.
  func remember(_ source: SourceText) { sources.add(source) }

  /// A loader of files whose texts diagnostics may point into.
  ///
  /// - Parameter flushes: whether what has been printed is written before the program waits for a file. Default false.
  func makeLoader(flushes: Bool = false) -> FileLoader {
    FileLoader(access, flushing: flushes ? output : nil, telling: sources)
  }

  /// Prints a diagnostic, with the line that it points at.
  func report(_ diagnostic: Diagnostic, in source: SourceText? = nil) {
    let source = source ?? diagnostic.location.flatMap { sources[$0.file] }
    say(printer.text(diagnostic, source: source))
  }

  /// Prints all of them.
  func report(_ diagnostics: Diagnostics) {
    for diagnostic in diagnostics.all { report(diagnostic) }
  }

  /// Prints a line on standard error.
  func say(_ text: String) {
    clearProgress()
    // Nobody can be told that standard error cannot be written to.
    try? errors.write(text + "\n")
  }

  /// Says that numbers were printed for which JSON has no form.
  func tellNonFinite() {
    say("warning: a number is NaN or infinite; it is printed as a string, for JSON has no such number")
  }

  /// Shows what an operator notes: a line as it is, a hook with what it is told.
  func tell(_ note: HookEvent) {
    switch (note.kind, note.message) {
    case (.line, .string(let line)): say(line)
    default: say("\(note.name): \(JSONWriter.beginning(of: note.message, bytes: 100_000))")
    }
  }

  /// Shows how far a run has come, in place of what was shown before.
  func showProgress(_ text: String) {
    try? errors.write("\r\u{1B}[K" + text)
    hasProgress = true
  }

  func clearProgress() {
    guard hasProgress else { return }
    try? errors.write("\r\u{1B}[K")
    hasProgress = false
  }

  /// Writes what is left of the output; gives the exit code, which a full disk changes.
  func close(_ code: Int32) -> Int32 {
    clearProgress()
    do throws(RunStop) {
      try output.flush()
    } catch {
      if case .refused(let diagnostic, _) = error {
        report(diagnostic)
        return ExitCode.wrong
      }
    }
    return code
  }
}
