internal import StreamSharing

/// The resources of a hub.
enum Route: String, CaseIterable, Sendable {
  case file = "/repository/{path}"
  case streams = "/v1/streams"
  case stream = "/v1/streams/{name}"
  case versions = "/v1/streams/{name}/versions"
  case version = "/v1/streams/{name}/versions/{version}"
  case difference = "/v1/streams/{name}/diff"
  case promote = "/v1/streams/{name}/promote"
  case halt = "/v1/streams/{name}/halt"
  case rollback = "/v1/streams/{name}/rollback"
  case metadata = "/v1/streams/{name}/metadata"
  case events = "/v1/events"
  case reports = "/v1/reports"
  case rollout = "/v1/rollouts/{name}"
  case description = "/openapi.json"
  case liveness = "/healthz"
  case health = "/health"
  case readiness = "/readyz"
  case metrics = "/metrics"

  /// The methods that it supports, in the order of the field `allow`.
  var methods: [String] {
    switch self {
    case .stream: ["GET", "HEAD", "PUT"]
    case .promote, .halt, .rollback, .metadata, .reports: ["POST"]
    default: ["GET", "HEAD"]
    }
  }

  /// Maximum length of a body, in bytes.
  var bodyLimit: Int {
    switch self {
    case .stream: 1024 * 1024
    case .metadata: 8 * 1024 * 1024
    case .reports: 64 * 1024
    case .promote, .halt, .rollback: 16 * 1024
    default: 0
    }
  }

  /// The resource that a path leads to, with the variable parts of the path, which are still percent-encoded.
  struct Match: Hashable, Sendable {
    let route: Route
    var name = ""
    var version = ""
  }

  /// Finds the resource of a path; nil if there is none.
  ///
  /// The slashes in the name of a stream may be percent-encoded. They have to be if the name ends like a resource below
  /// a stream, as `a/versions` does.
  static func match(_ path: some StringProtocol) -> Match? {
    switch path {
    case "/v1/streams": return Match(route: .streams)
    case "/v1/events": return Match(route: .events)
    case "/v1/reports": return Match(route: .reports)
    case "/openapi.json": return Match(route: .description)
    case "/healthz": return Match(route: .liveness)
    case "/health": return Match(route: .health)
    case "/readyz": return Match(route: .readiness)
    case "/metrics": return Match(route: .metrics)
    default: break
    }
    if let rest = path.removing("/repository/") { return Match(route: .file, name: String(rest)) }
    if let rest = path.removing("/v1/rollouts/") { return Match(route: .rollout, name: String(rest)) }
    guard let rest = path.removing("/v1/streams/") else { return nil }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 1, let last = parts.last {
      let name = parts.dropLast().joined(separator: "/")
      switch last {
      case "versions": return Match(route: .versions, name: name)
      case "diff": return Match(route: .difference, name: name)
      case "promote": return Match(route: .promote, name: name)
      case "halt": return Match(route: .halt, name: name)
      case "rollback": return Match(route: .rollback, name: name)
      case "metadata": return Match(route: .metadata, name: name)
      default: break
      }
      if parts.count > 2, parts[parts.count - 2] == "versions" {
        return Match(route: .version, name: parts.dropLast(2).joined(separator: "/"), version: String(last))
      }
    }
    return Match(route: .stream, name: String(rest))
  }
}

extension StringProtocol {
  /// The text after a prefix; nil if it has another beginning.
  fileprivate func removing(_ prefix: String) -> SubSequence? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
