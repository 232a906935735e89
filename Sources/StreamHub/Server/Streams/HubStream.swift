internal import CEL
internal import StreamCore
internal import StreamSharing

/// A stream of the hub's repository, as its API describes it.
struct HubStream: Hashable, Sendable {
  let name: StreamName
  /// The number of the stable version.
  let stable: Int
  /// The newest first.
  let versions: [Version]

  struct Version: Hashable, Sendable {
    let number: Int
    let content: String
    let behavior: String?
    let requires: [String]
    let notes: String?
    /// The time of the publication, in seconds since 1970.
    let time: Int64?
    let length: Int?
    let state: State
    /// The values of the file's parameters.
    var parameters: [String: Value] = [:]
  }

  /// The clients that take a version.
  enum State: Hashable, Sendable {
    case stable
    case candidate(Rollout)
    /// Halted, with the reason.
    case halted(String)
    /// No clients, since a later version is stable.
    case earlier
  }

  /// A version by its number; nil if there is none.
  subscript(number: Int) -> Version? { versions.first { $0.number == number } }

  /// The state without its history.
  var json: Value {
    .map(
      ValueMap([
        ("name", .string(name.description)), ("path", .string(name.path)), ("stable", .int(Int64(stable))),
        ("newest", .int(Int64(versions.first?.number ?? stable))),
        ("content", self[stable].map { .string($0.content) } ?? .null),
        ("candidates", .list(versions.filter(\.isCandidate).map(\.json))),
      ]))
  }

  var versionsJSON: Value {
    .map(
      ValueMap([
        ("name", .string(name.description)), ("versions", .list(versions.map(\.json))),
      ]))
  }

  /// The entity tag of the stream, which every change of it changes.
  var tag: String { EntityTag.of(JSONWriter.compact(versionsJSON)) }
}

extension HubStream.Version {
  var isCandidate: Bool { if case .candidate = state { true } else { false } }

  var json: Value {
    var map = ValueMap([
      ("version", .int(Int64(number))), ("state", .string(state.name)), ("content", .string(content)),
    ])
    if let behavior { map = map.setting("behavior", .string(behavior)) }
    if !requires.isEmpty { map = map.setting("requires", .list(requires.map(Value.string))) }
    if !parameters.isEmpty { map = map.setting("parameters", .map(ValueMap(sorting: parameters))) }
    if let notes { map = map.setting("notes", .string(notes)) }
    if let time { map = map.setting("time", .string(Timestamp(seconds: time).rfc3339)) }
    if let length { map = map.setting("bytes", .int(Int64(length))) }
    switch state {
    case .candidate(let rollout):
      var members = ValueMap(members: ("percent", .int(Int64(rollout.percent))), ("salt", .string(rollout.salt)))
      if let condition = rollout.condition { members = members.setting("where", .string(condition.text)) }
      map = map.setting("rollout", .map(members))
    case .halted(let reason): map = map.setting("reason", .string(reason))
    case .stable, .earlier: break
    }
    return .map(map)
  }
}

extension HubStream.State {
  /// The state as a word of the API.
  var name: String {
    switch self {
    case .stable: "stable"
    case .candidate: "candidate"
    case .halted: "halted"
    case .earlier: "earlier"
    }
  }

  static let names = ["stable", "candidate", "halted", "earlier"]
}
