internal import Synchronization

/// Counters, in the text format of Prometheus.
final class HubMetrics: Sendable {
  private struct Request: Hashable {
    let route: String
    let status: Int
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var changes: [HubChange.Kind: Int] = [:]
    var selfHalts = 0
    var reports = 0
  }

  private let state = Mutex(State())

  func noteRequest(_ route: String, _ status: Int) {
    state.withLock { $0.requests[Request(route: route, status: status), default: 0] += 1 }
  }

  func noteChange(_ kind: HubChange.Kind) { state.withLock { $0.changes[kind, default: 0] += 1 } }
  func noteSelfHalt() { state.withLock { $0.selfHalts += 1 } }
  func noteReports(_ count: Int) { state.withLock { $0.reports += count } }

  /// A value that is measured when the metrics are read.
  struct Gauge {
    let name: String
    let help: String
    let samples: [(labels: String, value: Double)]
  }

  /// The metrics as a text.
  func text(_ gauges: [Gauge]) -> String {
    let state = state.withLock { $0 }
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: Double)]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
      for sample in samples {
        let value = sample.value == sample.value.rounded() ? String(Int(sample.value)) : String(sample.value)
        text += "\(name)\(sample.labels.isEmpty ? "" : "{\(sample.labels)}") \(value)\n"
      }
    }
    add(
      "streamhub_requests_total", "counter", "Requests by route and status.",
      state.requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map {
        ("route=\"\($0.key.route)\",status=\"\($0.key.status)\"", Double($0.value))
      })
    add(
      "streamhub_changes_total", "counter", "Changes of streams by kind.",
      HubChange.Kind.allCases.map { ("kind=\"\($0.rawValue)\"", Double(state.changes[$0] ?? 0)) })
    add("streamhub_self_halts_total", "counter", "Rollouts that the hub has halted.", [("", Double(state.selfHalts))])
    add("streamhub_reports_total", "counter", "Reports of clients that were accepted.", [("", Double(state.reports))])
    for gauge in gauges { add(gauge.name, "gauge", gauge.help, gauge.samples) }
    return text
  }
}
