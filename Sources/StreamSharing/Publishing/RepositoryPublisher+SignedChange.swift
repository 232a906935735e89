package import StreamCore

/// A stream file that a change adds, with the values of its parameters.
package struct PublishedFile: Hashable, Sendable {
  package let bytes: [UInt8]
  package let parameters: [String: Value]

  package init(bytes: [UInt8], parameters: [String: Value] = [:]) {
    self.bytes = bytes
    self.parameters = parameters
  }
}

// Changes that a publisher has signed elsewhere.
extension RepositoryPublisher {
  /// The files that a change of a stream adds as new versions, to be checked before it is accepted.
  ///
  /// - Throws: If the change is not signed by the keys of its role, changes anything but this stream, describes a file
  ///   wrongly, or takes back what was published.
  package func review(
    _ change: SignedChange, of name: StreamName, now: Int64
  ) throws(TrustError) -> [PublishedFile] {
    let next = try repository.review(change, now: now)
    let known = try repository.content(of: change.role).targets
    try checkPlace(name, change.role)
    for path in Set(known.keys).union(next.targets.keys).sorted() where known[path] != next.targets[path] {
      guard next.targets[path] != nil else { throw refusal(path, "a file that was published stays") }
      guard path == name.path || PublishedStream.name(ofVersionAt: path) == name else {
        throw refusal(path, "only '\(name)' can be changed here")
      }
    }
    guard let stream = try Self.stream(name, in: next) else {
      throw refusal(name.path, "there is no stable file")
    }
    let former = try Self.stream(name, in: repository.content(of: change.role))
    try checkStable(stream, next, after: former)
    var files: [PublishedFile] = []
    for version in stream.versions {
      if let old = former?.versions.first(where: { $0.number == version.number }) {
        guard old.target.file == version.target.file, old.publication.identity == version.publication.identity else {
          throw refusal(version.target.path, "version \(version.number) was published with another content")
        }
      } else {
        let bytes = try newFile(version, of: name, change, after: former?.versions.first?.number ?? 0)
        files.append(PublishedFile(bytes: bytes, parameters: version.publication.parameters))
      }
    }
    return files
  }

  /// Accepts a change that was reviewed: the snapshot and the timestamp are signed with the keys at hand.
  package mutating func accept(_ change: SignedChange, now: Int64) throws(TrustError) {
    try repository.accept(change, try repository.review(change, now: now), now: now)
  }

  /// Checks that clients search the role for the stream, and that no other role lists it.
  private func checkPlace(_ name: StreamName, _ role: String) throws(TrustError) {
    let searched = try repository.roles(searchedFor: name.path)
    guard searched.contains(role) else { throw refusal(name.path, "'\(role)' may not publish this path") }
    for other in searched where other != role {
      guard try repository.content(of: other).targets[name.path] == nil else {
        throw refusal(name.path, "'\(other)' publishes it already")
      }
    }
  }

  private func checkStable(
    _ stream: PublishedStream, _ role: TargetsRole, after former: PublishedStream?
  ) throws(TrustError) {
    let path = stream.name.path
    guard let version = stream.versions.first(where: { $0.number == stream.stable.version }),
      version.target.file == role.targets[path]?.file, version.publication.identity == stream.stable.identity
    else { throw refusal(path, "the stable file is none of the versions") }
    guard stream.stable.version >= former?.stable.version ?? 0 else {
      throw refusal(path, "version \(stream.stable.version) is older than the stable version")
    }
    for candidate in stream.stable.candidates {
      guard stream.versions.contains(where: { $0.target.path == candidate.path }) else {
        throw refusal(path, "the candidate '\(candidate.path)' is none of the versions")
      }
    }
  }

  private func newFile(
    _ version: PublishedStream.Version, of name: StreamName, _ change: SignedChange, after newest: Int
  ) throws(TrustError) -> [UInt8] {
    let (path, publication) = (version.target.path, version.publication)
    guard version.number > newest else { throw refusal(path, "the newest version is \(newest)") }
    let bytes = try repository.bytes(of: version.target, in: change)
    // A file that cannot be read is refused by the check of its content, which says why.
    guard let draft = try? Draft(name, bytes) else { return bytes }
    guard draft.content == publication.content, draft.behavior == publication.behavior,
      draft.requires == publication.requires
    else { throw refusal(path, "its description is not that of the file") }
    return bytes
  }

  private static func stream(_ name: StreamName, in role: TargetsRole) throws(TrustError) -> PublishedStream? {
    try PublishedStream.all(in: Array(role.targets.values)).first { $0.name == name }
  }

  private func refusal(_ path: String, _ reason: String) -> TrustError { TrustError(.unsafeName, path, reason) }
}
