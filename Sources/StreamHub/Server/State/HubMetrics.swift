internal import StreamFiles
internal import Synchronization

/// Counters for Prometheus.
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

  /// The counters.
  var text: PrometheusText {
    let state = state.withLock { $0 }
    var text = PrometheusText(prefix: "streamhub")
    text.add(
      "requests_total", .counter, "Requests by route and status.",
      state.requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }.map {
        (["route": $0.key.route, "status": String($0.key.status)], Double($0.value))
      })
    text.add(
      "changes_total", .counter, "Changes of streams by kind.",
      HubChange.Kind.allCases.map { (["kind": $0.rawValue], Double(state.changes[$0] ?? 0)) })
    text.add("self_halts_total", .counter, "Rollouts that the hub has halted.", Double(state.selfHalts))
    text.add("reports_total", .counter, "Reports of clients that were accepted.", Double(state.reports))
    return text
  }
}
