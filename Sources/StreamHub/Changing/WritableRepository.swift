internal import StreamSharing

/// A repository that commands change: in a folder, or at a hub.
protocol WritableRepository {
  /// The streams, by name.
  var streams: [PublishedStream] { get throws(TrustError) }

  /// The expirations of the roles.
  var expirations: [RoleExpiration] { get }

  /// Warnings about the last change, for people.
  var warnings: [String] { get }

  /// The file of a version.
  func bytes(of version: PublishedStream.Version) async throws(TrustError) -> [UInt8]

  /// Publishes a file as the next version.
  mutating func publish(_ draft: Draft, now: Int64) async throws(TrustError) -> RepositoryPublisher.Outcome

  /// Makes a candidate stable, or changes the percentage of its clients.
  mutating func promote(
    _ name: StreamName, version: Int?, percent: Int?, now: Int64
  ) async throws(TrustError) -> Publication

  /// Ends the rollout of a candidate.
  mutating func halt(
    _ name: StreamName, version: Int?, reason: String, now: Int64
  ) async throws(TrustError) -> Publication

  /// Publishes the content of an earlier version as a new one.
  mutating func rollBack(
    _ name: StreamName, to version: Int?, notes: String?, now: Int64
  ) async throws(TrustError) -> RepositoryPublisher.Outcome
}

extension WritableRepository {
  /// A stream with its versions.
  ///
  /// - Throws: `notFound`, with the nearest name.
  func stream(_ name: StreamName) throws(TrustError) -> PublishedStream { try streams.named(name) }
}

// In a folder.
extension RepositoryPublisher: WritableRepository {
  var expirations: [RoleExpiration] { repository.expirations }
  var warnings: [String] { [] }
}
