internal import StreamCore

/// Publishes versions of streams in a repository, and decides which clients take them.
///
/// Every version is a target of its own that stays, so that all of them can be read, compared and published again. The
/// stable file is one more target, whose description lists the candidates.
public struct RepositoryPublisher: Sendable {
  public internal(set) var repository: Repository

  public init(_ repository: Repository) { self.repository = repository }

  /// The outcome of a publication.
  public enum Outcome: Hashable, Sendable {
    case published(Publication)
    /// Clients take this content already, as the version.
    case unchanged(version: Int)
  }

  // MARK: Reading

  /// The streams of the repository, by name.
  public var streams: [PublishedStream] {
    get throws(TrustError) { try PublishedStream.all(in: try repository.targets.map(\.target)) }
  }

  /// A stream with its versions.
  ///
  /// - Throws: `notFound` if the repository has no such stream.
  public func stream(_ name: StreamName) throws(TrustError) -> PublishedStream { try streams.named(name) }

  /// The file of a version.
  public func bytes(of version: PublishedStream.Version) throws(TrustError) -> [UInt8] {
    try repository.read(version.target)
  }

  // MARK: Changes

  /// Publishes a file as the next version: as the stable file, or as a candidate if it has a rollout.
  ///
  /// - Parameters:
  ///   - draft: The file.
  ///   - now: The current time, in seconds since 1970.
  /// - Returns: `unchanged` if the stable file, or a candidate with the same rollout, has the same content and the same
  ///   values of parameters. A candidate of the same content and values becomes stable if the draft has no rollout.
  /// - Throws: `notFound` for a rollout of a stream without a stable file.
  public mutating func publish(_ draft: Draft, now: Int64) throws(TrustError) -> Outcome {
    guard let stream = try streams.first(where: { $0.name == draft.name }) else {
      guard draft.rollout == nil else {
        throw TrustError(
          .notFound, draft.name.description, "there is no stable file yet; publish one without a percentage first")
      }
      return .published(try add(draft, version: 1, to: nil, now))
    }
    if stream.stable.identity == draft.identity { return .unchanged(version: stream.stable.version) }
    if let known = stream.candidates.first(where: { $0.publication.identity == draft.identity }) {
      guard let rollout = draft.rollout else {
        return .published(try promote(draft.name, version: known.number, now: now))
      }
      if known.state == .candidate(rollout) { return .unchanged(version: known.number) }
    }
    return .published(try add(draft, version: (stream.versions.first?.number ?? 0) + 1, to: stream, now))
  }

  /// Adds a version, and makes it stable or a candidate.
  private mutating func add(
    _ draft: Draft, version: Int, to stream: PublishedStream?, _ now: Int64
  ) throws(TrustError) -> Publication {
    let publication = Publication(
      version: version, content: draft.content, behavior: draft.behavior, requires: draft.requires,
      parameters: draft.parameters, notes: draft.notes, time: now)
    let path = draft.name.path(ofVersion: version)
    let new = Repository.Addition(path: path, bytes: draft.bytes, custom: publication.custom)
    let stable: Repository.Addition
    if let rollout = draft.rollout, let stream {
      var listing = stream.stable
      listing.candidates.insert(Publication.Candidate(path: path, rollout: rollout), at: 0)
      stable = Repository.Addition(path: draft.name.path, bytes: nil, custom: listing.custom)
    } else {
      stable = Repository.Addition(path: draft.name.path, bytes: draft.bytes, custom: publication.custom)
    }
    try change(draft.name, [new, stable], now)
    return publication
  }

  /// Makes a candidate stable, or raises the percentage of the clients that take it.
  ///
  /// - Parameters:
  ///   - name: The stream.
  ///   - version: The version; nil for the newest candidate.
  ///   - percent: The new percentage of the clients; nil for all, which makes it the stable file and ends the rollouts
  ///     of earlier versions.
  ///   - now: The current time, in seconds since 1970.
  /// - Returns: The version.
  /// - Throws: `notFound` if it is not a candidate.
  @discardableResult
  public mutating func promote(
    _ name: StreamName, version: Int? = nil, percent: Int? = nil, now: Int64
  ) throws(TrustError) -> Publication {
    let stream = try stream(name)
    let candidate = try stream.candidate(version)
    var listing = stream.stable
    guard let percent else {
      let bytes = try bytes(of: candidate)
      var publication = candidate.publication
      let earlier = Set(stream.versions.filter { $0.number <= candidate.number }.map(\.target.path))
      publication.candidates = listing.candidates.filter { !earlier.contains($0.path) }
      try change(name, [Repository.Addition(path: name.path, bytes: bytes, custom: publication.custom)], now)
      return candidate.publication
    }
    for index in listing.candidates.indices where listing.candidates[index].path == candidate.target.path {
      listing.candidates[index].rollout.percent = percent
    }
    try change(name, [Repository.Addition(path: name.path, bytes: nil, custom: listing.custom)], now)
    return candidate.publication
  }

  /// Ends the rollout of a candidate: its clients go back to the stable file.
  ///
  /// - Parameters:
  ///   - name: The stream.
  ///   - version: The version; nil for the newest candidate.
  ///   - reason: The reason, for people.
  ///   - now: The current time, in seconds since 1970.
  /// - Returns: The version.
  /// - Throws: `notFound` if it is not a candidate.
  @discardableResult
  public mutating func halt(
    _ name: StreamName, version: Int? = nil, reason: String, now: Int64
  ) throws(TrustError) -> Publication {
    let stream = try stream(name)
    var halted = try stream.candidate(version).publication
    halted.halted = reason
    let path = name.path(ofVersion: halted.version)
    var listing = stream.stable
    listing.candidates.removeAll { $0.path == path }
    try change(
      name,
      [
        Repository.Addition(path: path, bytes: nil, custom: halted.custom),
        Repository.Addition(path: name.path, bytes: nil, custom: listing.custom),
      ], now)
    return halted
  }

  /// Publishes the content of an earlier version as a new version.
  ///
  /// - Parameters:
  ///   - name: The stream.
  ///   - version: The earlier version; nil for the newest one before the stable file that has another content and was
  ///     not halted.
  ///   - notes: A remark for other publishers; nil for one that states the version.
  ///   - now: The current time, in seconds since 1970.
  /// - Throws: `notFound` if there is no such version.
  public mutating func rollBack(
    _ name: StreamName, to version: Int? = nil, notes: String? = nil, now: Int64
  ) throws(TrustError) -> Outcome {
    let stream = try stream(name)
    let earlier = try stream.earlier(version)
    let bytes = try bytes(of: earlier)
    var draft: Draft
    do throws(Diagnostics) {
      draft = try Draft(name, bytes)
    } catch {
      throw TrustError(.malformed, earlier.target.path, error.all.first?.message ?? "the file cannot be read")
    }
    draft.parameters = earlier.publication.parameters
    draft.notes = notes ?? "the content of version \(earlier.number)"
    return try publish(draft, now: now)
  }

  /// Signs roles again, so that they expire later, and the snapshot and the timestamp.
  package mutating func renew(_ roles: [String], now: Int64) throws(TrustError) {
    try repository.renew(roles, now: now)
  }

  /// - Throws: `expired` if the root has expired, since clients would refuse the change.
  private mutating func change(
    _ name: StreamName, _ additions: [Repository.Addition], _ now: Int64
  ) throws(TrustError) {
    for root in repository.expirations where root.role == RoleName.root.rawValue && root.urgency(at: now) == .expired {
      throw TrustError(.expired, root.role, "no client takes a change: \(root.text(at: now))")
    }
    try repository.publish(additions, as: try repository.role(publishing: name.path), now: now)
  }
}
