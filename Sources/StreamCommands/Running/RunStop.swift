internal import StreamCore
internal import StreamRuntime

/// Why a run ends before the stream has come to its end.
enum RunStop: Error {
  /// As many values as were wanted, or as much time.
  case enough
  /// Nobody reads the output any more.
  case outputClosed
  /// A signal asked the program to stop.
  case interrupted
  /// The stream failed.
  case failed(StreamFailure)
  /// Data, or the output, are wrong; with the text in which that is to be shown.
  case refused(Diagnostic, SourceText?)
}

/// What the process says to the shell.
enum ExitCode {
  static let good: Int32 = 0
  /// Tests failed, or the stream ended in failure.
  static let failed: Int32 = 1
  /// File, data or arguments are wrong.
  static let wrong: Int32 = 2
  /// 128 and the number of the signal that asked the program to stop.
  static var interrupted: Int32 { Interruption.exitCode }

  /// What a stream ends with that fails: `wrong` where its data or a file that it names are, else `failed`.
  static func code(of failure: StreamFailure) -> Int32 {
    switch DiagnosticCode(rawValue: failure.code)?.rawValue.prefix(2) {
    case "S0", "S3", "S5": wrong
    default: failed
    }
  }
}
