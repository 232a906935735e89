internal import StreamCore

/// Why a measurement ends before there are figures.
enum MeasurementStop: Error {
  /// The stream failed.
  case failed(Diagnostic)
  /// There is nothing to measure.
  case refused(Diagnostic)
  /// Ctrl-C.
  case interrupted
}
