internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Handles invalid data: ends the run, or reports and skips them.
package final class SkipReport {
  private let console: Console
  /// Whether wrong data are left out.
  let skips: Bool
  private(set) var lineCount = 0
  private(set) var valueCount = 0

  /// The kind of a file that does not have one JSON value per line.
  private var kind: InputKind?

  /// Maximum number of reports printed in full.
  private static let limit = 10

  /// Whether the command has an option that skips wrong data.
  private let offersSkipping: Bool

  package init(_ console: Console, skips: Bool, offersSkipping: Bool = true) {
    self.console = console
    self.skips = skips
    self.offersSkipping = offersSkipping
  }

  /// The files that the command reads and writes.
  var usedFiles: UsedFiles { console.usedFiles }

  /// Prints a line.
  func say(_ text: String) { console.say(text) }

  /// Prints a warning about a file.
  func report(_ warning: Diagnostic) { console.report(warning) }

  /// Skips a line that is not JSON.
  ///
  /// - Parameter kind: The kind of a file that should have one JSON value per line; nil for a file of another format.
  func skipLine(_ diagnostic: Diagnostic, _ source: SourceText?, kind: InputKind? = nil) throws(RunStop) {
    self.kind = self.kind ?? kind
    guard skips else { throw .refused(offering(diagnostic, "lines"), source) }
    warn(diagnostic, source)
    lineCount += 1
  }

  /// Returns the diagnostic with the option that skips such data in its help.
  private func offering(_ diagnostic: Diagnostic, _ data: String) -> Diagnostic {
    guard offersSkipping else { return diagnostic }
    var offered = diagnostic
    offered.offer("skip such \(data) with --skip-errors")
    return offered
  }

  /// Skips an invalid value.
  func skipValue(_ diagnostic: Diagnostic, _ source: SourceText?) throws(RunStop) {
    guard skips else { throw .refused(offering(diagnostic, "values"), source) }
    noteValue(diagnostic, source)
  }

  /// Counts a value skipped by the stream itself, or a line of a data file that is not JSON or not a row.
  func note(_ failure: StreamFailure, _ diagnostic: Diagnostic) {
    guard failure.location != nil, failure.code != DiagnosticCode.inputTypeMismatch.rawValue else {
      return noteValue(diagnostic, nil)
    }
    warn(diagnostic, nil)
    lineCount += 1
  }

  /// A value that the stream itself has left out.
  func noteValue(_ diagnostic: Diagnostic, _ source: SourceText?) {
    warn(diagnostic, source)
    valueCount += 1
  }

  /// Says at the end how much was left out.
  ///
  /// - Parameter count: The number of values that files fed to inputs; nil if none was to feed one.
  func close(fed count: Int?) {
    guard lineCount + valueCount > 0 else { return }
    console.say("skipped \(lineCount.counted("line")), \(valueCount.counted("value"))")
    if count == 0, valueCount == 0, let kind { console.say("help: \(kind.help)") }
  }

  private func warn(_ diagnostic: Diagnostic, _ source: SourceText?) {
    guard lineCount + valueCount < Self.limit else { return }
    var warning = diagnostic
    warning.severity = .warning
    console.report(warning, in: source)
    if lineCount + valueCount == Self.limit - 1 { console.say("further warnings are counted but not shown") }
  }
}

extension Diagnostic {
  /// Adds a use of `--skip-errors` to the help, unless the help already names this option.
  mutating func offer(_ alternative: String) {
    guard help?.contains("--skip-errors") != true, !InputKind.isOfWholeFile(self) else { return }
    help = help.map { "\($0); or \(alternative)" } ?? alternative
  }

  /// Adds the ways to skip the value at which an operator has failed to the help.
  ///
  /// - Parameter failure: The failure; nothing is added if it would not skip a value.
  mutating func offerSkipping(_ failure: StreamFailure) {
    guard failure.payload == nil, failure.cause == nil, let code = DiagnosticCode(rawValue: failure.code) else {
      return
    }
    if failure.location != nil {
      if ["S0", "S3"].contains(failure.code.prefix(2)) { offer("skip such lines with --skip-errors") }
    } else if failure.value != nil, Self.skippable.contains(code) {
      offer("skip such values with --skip-errors, or \"onError\": \"skip\" beside the operator")
    }
  }

  /// The codes of failures that concern one value.
  private static let skippable: [DiagnosticCode] = [
    .expressionFailed, .divisionByZero, .overflow, .noSuchKey, .noSuchOverload, .wrongResult, .invalidConversion,
    .indexOutOfBounds,
  ]
}
