internal import StreamCore
internal import StreamSharing

/// A repository at a hub, changed with the keys of a publisher. The hub signs the snapshot and the timestamp.
struct SignedRepository: WritableRepository {
  private var remote: RemotePublisher
  private let hub: HubInterface
  private(set) var warnings: [String] = []

  init(_ remote: RemotePublisher, at hub: HubInterface) {
    self.remote = remote
    self.hub = hub
  }

  var streams: [PublishedStream] { get throws(TrustError) { try remote.publisher.streams } }

  var expirations: [RoleExpiration] { remote.publisher.repository.expirations }

  func bytes(of version: PublishedStream.Version) async throws(TrustError) -> [UInt8] { try await remote.read(version) }

  mutating func publish(_ draft: Draft, now: Int64) async throws(TrustError) -> RepositoryPublisher.Outcome {
    // A candidate of the same content may become stable.
    let candidates = try streams.first { $0.name == draft.name }?.candidates ?? []
    for candidate in candidates where candidate.publication.identity == draft.identity {
      try await remote.read(candidate)
    }
    return try await send(draft.name) { publisher throws(TrustError) in try publisher.publish(draft, now: now) }
  }

  mutating func promote(
    _ name: StreamName, version: Int?, percent: Int?, now: Int64
  ) async throws(TrustError) -> Publication {
    if percent == nil { try await remote.read(try stream(name).candidate(version)) }
    return try await send(name) { publisher throws(TrustError) in
      try publisher.promote(name, version: version, percent: percent, now: now)
    }
  }

  mutating func halt(
    _ name: StreamName, version: Int?, reason: String, now: Int64
  ) async throws(TrustError) -> Publication {
    try await send(name) { publisher throws(TrustError) in
      try publisher.halt(name, version: version, reason: reason, now: now)
    }
  }

  mutating func rollBack(
    _ name: StreamName, to version: Int?, notes: String?, now: Int64
  ) async throws(TrustError) -> RepositoryPublisher.Outcome {
    try await remote.read(try stream(name).earlier(version))
    return try await send(name) { publisher throws(TrustError) in
      try publisher.rollBack(name, to: version, notes: notes, now: now)
    }
  }

  /// Signs a role again, so that it expires later.
  ///
  /// - Throws: `notFound` if the role lists no stream.
  mutating func renew(_ role: String, now: Int64) async throws(TrustError) {
    let known = remote.publisher.repository
    _ = try known.authority(of: role)
    var listed: StreamName?
    for stream in try streams where try known.role(publishing: stream.name.path) == role { listed = stream.name }
    guard let listed else { throw TrustError(.notFound, role, "the role lists no stream yet") }
    _ = try await send(listed) { publisher throws(TrustError) in try publisher.renew([role], now: now) }
  }

  /// Signs a change and sends it to the hub.
  private mutating func send<Result>(
    _ name: StreamName, _ make: (inout RepositoryPublisher) throws(TrustError) -> Result
  ) async throws(TrustError) -> Result {
    let (result, change) = try remote.sign(make)
    if let change {
      let body = Array(JSONWriter.compact(change.json).utf8)
      warnings = try await hub.change(name, "POST", "/metadata", body: body).response.warnings
    }
    return result
  }
}
