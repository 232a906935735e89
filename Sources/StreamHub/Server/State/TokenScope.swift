internal import StreamSharing

/// A permission of a token.
enum TokenScope: Hashable, Sendable {
  /// Reads streams, rollouts, events and metrics.
  case read
  /// Publishes streams whose names begin with the prefix, and reads.
  case publish(prefix: String)
  /// Reports the state of clients.
  case report
  /// Everything.
  case admin

  /// Reads a scope, such as `publish:checkout/`; nil for another text.
  init?(_ text: String) {
    switch text {
    case "read": self = .read
    case "report": self = .report
    case "admin": self = .admin
    default:
      guard text.hasPrefix("publish:") else { return nil }
      let prefix = String(text.dropFirst("publish:".count))
      // A prefix is the beginning of a name.
      guard prefix.isEmpty || (try? StreamName(prefix + "x")) != nil else { return nil }
      self = .publish(prefix: prefix)
    }
  }

  var text: String {
    switch self {
    case .read: "read"
    case .publish(let prefix): "publish:\(prefix)"
    case .report: "report"
    case .admin: "admin"
    }
  }

  /// Whether the permission includes another one. `publish` with the name of a stream asks for that stream.
  func permits(_ needed: TokenScope) -> Bool {
    switch (self, needed) {
    case (.admin, _), (.read, .read), (.publish, .read), (.report, .report): true
    case (.publish(let prefix), .publish(let name)): name.hasPrefix(prefix)
    default: false
    }
  }
}
