internal import StreamCore
internal import StreamSharing

/// A change of a stream that the hub reports to its clients.
struct HubChange: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case published, promoted, halted, rolledback
  }

  let kind: Kind
  let stream: StreamName
  let version: HubStream.Version

  /// The data of the event.
  var json: Value {
    guard case .map(let description) = version.json else { return .null }
    var map = ValueMap([("stream", .string(stream.description))])
    for name in ["version", "state", "content", "rollout", "reason"] {
      if let value = description[name] { map = map.setting(name, value) }
    }
    return .map(map)
  }

  /// The changes between two states of a repository, in the order of names and versions. They are found by comparison,
  /// so that changes by other programs are noticed too.
  static func changes(from old: [HubStream], to new: [HubStream]) -> [HubChange] {
    let former = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    var changes: [HubChange] = []
    for stream in new where former[stream.name] != stream {
      for version in stream.versions.reversed() {
        guard let kind = kind(of: version, in: stream, former[stream.name]) else { continue }
        changes.append(HubChange(kind: kind, stream: stream.name, version: version))
      }
    }
    return changes
  }

  private static func kind(of version: HubStream.Version, in stream: HubStream, _ former: HubStream?) -> Kind? {
    guard let before = former?[version.number] else {
      // A version that is no longer new when it is first seen needs no notice.
      guard version.isCandidate || version.state == .stable else { return nil }
      let isRepeated = stream.versions.contains {
        $0.number < version.number && $0.content == version.content && $0.parameters == version.parameters
      }
      return isRepeated && version.state == .stable ? .rolledback : .published
    }
    guard before.state != version.state else { return nil }
    switch version.state {
    case .stable, .candidate: return .promoted
    case .halted: return .halted
    case .earlier: return nil
    }
  }
}
