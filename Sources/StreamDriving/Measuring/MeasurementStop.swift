package import StreamCore
internal import StreamEngine

/// Why a measurement ends before there are figures.
package enum MeasurementStop: Error {
  /// The stream failed.
  case failed(Diagnostic)
  /// There is nothing to measure, or the data are wrong.
  case refused(Diagnostic)
  /// Ctrl-C.
  case interrupted

  /// - Parameter diagnostic: The failure as a diagnostic.
  init(_ failure: StreamFailure, _ diagnostic: Diagnostic) {
    self = ExitCode.code(of: failure) == ExitCode.wrong ? .refused(diagnostic) : .failed(diagnostic)
  }
}
