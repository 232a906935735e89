package import StreamCore
package import StreamEngine
internal import StreamFiles

/// Why a run ends before the stream has come to its end.
package enum RunStop: Error {
  /// The requested number of values, or the requested time, was reached.
  case enough
  /// The reader has closed the output.
  case outputClosed
  /// A signal asked the program to stop.
  case interrupted
  /// The stream failed.
  case failed(StreamFailure)
  /// The run took more work or memory than it may. The stream has not ended: a longer run might have published more.
  case limited(StreamFailure)
  /// Data, or the output, are wrong; with the text in which that is to be shown.
  case refused(Diagnostic, SourceText?)
}

extension Diagnostic {
  /// The same problem as a warning of a run that continues.
  func asWarning(_ help: String) -> Diagnostic {
    var warning = self
    (warning.severity, warning.help) = (.warning, help)
    return warning
  }
}

/// The exit codes of the process.
package enum ExitCode {
  package static let good: Int32 = 0
  /// Tests failed, the stream ended in failure, or a run or a value passed a limit.
  package static let failed: Int32 = 1
  /// File, data or arguments are wrong.
  package static let wrong: Int32 = 2
  /// 128 and the number of the signal that asked the program to stop.
  package static var interrupted: Int32 { Interruption.exitCode }

  /// The code of a stream that fails: `wrong` where its data or a file that it names are, else `failed`.
  static func code(of failure: StreamFailure) -> Int32 {
    // Only an error in the data has a location there.
    if failure.location != nil { return wrong }
    return switch DiagnosticCode(rawValue: failure.code)?.rawValue.prefix(2) {
    case "S0", "S3", "S5": wrong
    default: failed
    }
  }

  /// Returns the exit code of a run whose data or output was refused: `failed` for a value that is too long, as for a
  /// run that exceeds its memory limit; otherwise `wrong`.
  static func code(ofRefusal diagnostic: Diagnostic) -> Int32 {
    diagnostic.code == .limitExceeded ? failed : wrong
  }
}
