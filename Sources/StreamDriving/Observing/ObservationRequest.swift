/// How a run is observed while it runs.
package struct ObservationRequest: Equatable {
  /// The operators whose values are printed: identifiers, locations, or `*`.
  package var taps: [String] = []
  /// The file for these values; nil for standard error.
  package var tapPath: String?
  /// The file with metrics for Prometheus.
  package var metrics: String?
  /// Seconds between two writes of that file, greater than zero.
  package var metricsSeconds = Self.standardMetricsSeconds
  /// The directory of the socket at which the run listens for `streamrun top`.
  package var socketFolder: String?

  package static let standardMetricsSeconds = 5.0

  package init() {}
}
