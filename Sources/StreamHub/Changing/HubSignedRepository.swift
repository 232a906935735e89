internal import CEL
internal import StreamCore
internal import StreamSharing

/// A repository at a hub, changed with a token. The hub signs with its own keys.
struct HubSignedRepository: WritableRepository {
  private var reader: RepositoryReader
  private let hub: HubInterface
  private(set) var streams: [PublishedStream]
  private(set) var warnings: [String] = []

  init(_ reader: RepositoryReader, at hub: HubInterface) async throws(TrustError) {
    self.reader = reader
    self.hub = hub
    streams = try await self.reader.client.streams()
  }

  var expirations: [RoleExpiration] { reader.client.expirations }

  func bytes(of version: PublishedStream.Version) async throws(TrustError) -> [UInt8] {
    try await reader.bytes(of: version.target)
  }

  mutating func publish(_ draft: Draft, now: Int64) async throws(TrustError) -> RepositoryPublisher.Outcome {
    var query: [(String, String)] = []
    if !draft.parameters.isEmpty {
      query.append(("parameters", JSONWriter.compact(.map(ValueMap(sorting: draft.parameters)))))
    }
    if let notes = draft.notes { query.append(("notes", notes)) }
    if let rollout = draft.rollout {
      query += [("percent", "\(rollout.percent)"), ("salt", rollout.salt)]
      if let condition = rollout.condition { query.append(("where", condition.text)) }
    }
    let text = query.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    // The hub refuses the file if another publisher publishes in between.
    let known = try await hub.send("GET", hub.path(of: draft.name))
    let conditions = known.tag.map { ["if-match": $0] } ?? ["if-none-match": "*"]
    let (version, response) = try await hub.change(
      draft.name, "PUT", query.isEmpty ? "" : "?" + text, conditions: conditions, body: draft.bytes)
    warnings = response.warnings
    let publication = try await publication(draft.name, version)
    return response.json.member("outcome") == "unchanged"
      ? .unchanged(version: publication.version) : .published(publication)
  }

  mutating func promote(
    _ name: StreamName, version: Int?, percent: Int?, now: Int64
  ) async throws(TrustError) -> Publication {
    let candidate = try stream(name).candidate(version)
    return try await post(name, "promote", [("version", candidate.number), ("percent", percent)])
  }

  mutating func halt(
    _ name: StreamName, version: Int?, reason: String, now: Int64
  ) async throws(TrustError) -> Publication {
    let candidate = try stream(name).candidate(version)
    return try await post(name, "halt", [("version", candidate.number)], [("reason", reason)])
  }

  mutating func rollBack(
    _ name: StreamName, to version: Int?, notes: String?, now: Int64
  ) async throws(TrustError) -> RepositoryPublisher.Outcome {
    let earlier = try stream(name).earlier(version)
    let notes = notes ?? "the content of version \(earlier.number)"
    return .published(try await post(name, "rollback", [("to", earlier.number)], [("notes", notes)]))
  }

  private mutating func post(
    _ name: StreamName, _ action: String, _ numbers: [(name: String, value: Int?)],
    _ texts: [(name: String, value: String)] = []
  ) async throws(TrustError) -> Publication {
    var body = ValueMap()
    for (name, value) in numbers { if let value { body = body.setting(name, .int(Int64(value))) } }
    for (name, text) in texts { body = body.setting(name, .string(text)) }
    let (version, _) = try await hub.change(
      name, "POST", "/" + action, body: Array(JSONWriter.compact(.map(body)).utf8))
    return try await publication(name, version)
  }

  /// A version that the hub names, as the repository lists it: the hub's word is not enough.
  private mutating func publication(_ name: StreamName, _ version: Int) async throws(TrustError) -> Publication {
    try await reader.client.refresh()
    streams = try await reader.client.streams()
    return try stream(name).version(version).publication
  }
}

extension HubInterface.Response {
  /// The warnings of the hub about a change.
  var warnings: [String] {
    if case .list(let list)? = json.member("warnings") { list.compactMap(\.text) } else { [] }
  }
}

extension HubInterface {
  /// The path of a stream in the hub's interface.
  func path(of name: StreamName) -> String { "v1/streams/\(PercentEncoding.encode(name.description))" }

  /// Changes a stream. Returns the version that the hub names, and its reply.
  ///
  /// - Throws: `storage` with the hub's reason if it refuses the change; `malformed` for a reply that is not a hub's.
  @discardableResult
  func change(
    _ name: StreamName, _ method: String, _ suffix: String, conditions: [String: String] = [:], body: [UInt8]
  ) async throws(TrustError) -> (version: Int, response: Response) {
    let response = try await send(method, path(of: name) + suffix, conditions: conditions, body: body)
    guard response.isSuccess else { throw TrustError(.storage, "\(name)", "the hub refuses it: \(response.detail)") }
    // A proxy may have replied.
    guard case .int(let version)? = response.json.member("version") else {
      throw TrustError(.malformed, "\(name)", "the reply of the hub names no version")
    }
    return (Int(version), response)
  }
}
