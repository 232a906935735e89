/// Metrics in the text format of Prometheus, version 0.0.4.
///
/// ```swift
/// var metrics = PrometheusText(prefix: "streamrun")
/// metrics.add("values_in_total", .counter, "Values read for an input.", [(["input": "a"], 3)])
/// // # HELP streamrun_values_in_total Values read for an input.
/// // # TYPE streamrun_values_in_total counter
/// // streamrun_values_in_total{input="a"} 3
/// ```
package struct PrometheusText {
  package enum Kind: String {
    case counter, gauge
  }

  /// Values with their labels.
  package typealias Samples = [([String: String], Double)]

  package private(set) var text = ""
  private let prefix: String

  /// - Parameter prefix: The beginning of the names; `_` follows.
  package init(prefix: String) {
    self.prefix = prefix
  }

  /// Adds a metric without labels.
  ///
  /// - Parameter value: nil leaves the metric out.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    guard let value else { return }
    add(name, kind, help, [([:], value)])
  }

  /// Adds a metric.
  ///
  /// - Parameter samples: None leaves the metric out.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: Samples) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(prefix)_\(name) \(help)\n# TYPE \(prefix)_\(name) \(kind.rawValue)\n"
    for (labels, value) in samples {
      let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      let suffix = list.isEmpty ? "" : "{\(list.joined(separator: ","))}"
      text += "\(prefix)_\(name)\(suffix) \(Self.number(value))\n"
    }
  }

  /// Adds the program and the stream file that it runs.
  package mutating func addBuild(_ streamName: String) {
    add(
      "build_info", .gauge, "The program and the stream file that it runs.",
      [(["version": ProgramVersion.text, "commit": ProgramVersion.commitName, "stream": streamName], 1)])
  }

  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map(String.init) ?? String(value)
  }

  /// Returns the value of a label: backslashes, quotes and line breaks are escaped.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
