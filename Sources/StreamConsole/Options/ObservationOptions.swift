internal import ArgumentParser
package import StreamDriving

extension LogFormat: ExpressibleByArgument {}

/// The format of messages on standard error.
package struct LogOptions: ParsableArguments {
  @Option(help: "Format of messages on standard error: text, or json with an object on each line, as in --log json.")
  package var log = LogFormat.text

  package init() {}
}

/// The file of metrics.
package struct MetricsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Rewrites a file of metrics for Prometheus, as in --metrics /var/lib/node_exporter/tilt.prom.", valueName: "file"),
    completion: .file())
  var metrics: String?

  @Option(help: ArgumentHelp("Time between two writes of the metrics. Default 5.", valueName: "seconds"))
  var metricsEvery: Double?

  /// The file; nil for none.
  package var path: String? { metrics }

  /// Seconds between two writes.
  package var seconds: Double { metricsEvery ?? ObservationRequest.standardMetricsSeconds }

  package init() {}

  package func validate() throws {
    if metricsEvery != nil, metrics == nil { throw ValidationError("--metrics-every needs --metrics FILE") }
    if let metricsEvery, !(metricsEvery > 0) {
      throw ValidationError("--metrics-every is \(metricsEvery); expected seconds above 0")
    }
  }
}

/// The options for looking into a stream while it runs.
package struct ObservationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Prints the values that operators publish, on standard error: identifiers or locations of operators, separated by "
        + "commas, or '*' for all, as in --tap total,/operators/0.", valueName: "id,…"))
  var tap: [String] = []

  @Option(
    help: ArgumentHelp("Appends these values to a file instead, as in --tap-to seen.ndjson.", valueName: "file"),
    completion: .file())
  var tapTo: String?

  @OptionGroup var metrics: MetricsOptions

  @Option(
    help: ArgumentHelp(
      "Listens at a socket in this directory, so that 'streamrun top DIR' shows the run, as in --socket run.",
      valueName: "dir"), completion: .directory)
  var socket: String?

  package init() {}

  package func validate() throws {
    if tapTo != nil, tap.isEmpty { throw ValidationError("--tap-to needs --tap with the operators to observe") }
    if tap.contains(where: { Self.names($0).isEmpty }) {
      throw ValidationError("--tap names no operator: write an operator's id, its location, or '*'")
    }
  }

  private static func names(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  var request: ObservationRequest {
    var request = ObservationRequest()
    (request.taps, request.tapPath) = (tap.flatMap(Self.names), tapTo)
    (request.metrics, request.socketFolder) = (metrics.path, socket)
    request.metricsSeconds = metrics.seconds
    return request
  }
}
