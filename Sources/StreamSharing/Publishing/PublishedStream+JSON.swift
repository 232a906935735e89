public import StreamCore

extension PublishedStream {
  /// The stream for machines: its name, the number of its stable version, and all versions, the newest first.
  public var json: Value {
    [
      "name": .string(name.description), "stable": .int(Int64(stable.version)),
      "versions": .list(versions.map(\.json)),
    ]
  }
}

extension PublishedStream.Version {
  /// The version for machines: its state is `stable`, `candidate`, `halted` or `earlier`.
  public var json: Value {
    var map = ValueMap([("version", .int(Int64(number))), ("state", .string(word))])
    switch state {
    case .candidate(let rollout): map = map.setting("rollout", rollout.json)
    case .halted(let reason): map = map.setting("reason", .string(reason))
    case .stable, .earlier: break
    }
    if let time = publication.time { map = map.setting("time", .string(Timestamp(seconds: time).rfc3339)) }
    map = map.setting("content", .string(publication.content))
    if let behavior = publication.behavior { map = map.setting("behavior", .string(behavior)) }
    if !publication.requires.isEmpty {
      map = map.setting("requires", .list(publication.requires.map(Value.string)))
    }
    if !publication.parameters.isEmpty {
      map = map.setting("parameters", .map(ValueMap(sorting: publication.parameters)))
    }
    if let notes = publication.notes { map = map.setting("notes", .string(notes)) }
    return .map(map.setting("path", .string(target.path)).setting("bytes", .int(Int64(target.length))))
  }

  private var word: String {
    switch state {
    case .stable: "stable"
    case .candidate: "candidate"
    case .halted: "halted"
    case .earlier: "earlier"
    }
  }
}
