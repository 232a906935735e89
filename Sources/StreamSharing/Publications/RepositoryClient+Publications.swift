internal import StreamCore

/// A stream file that a client takes.
public struct Selection: Hashable, Sendable {
  public let target: Target
  public let publication: Publication
  /// Whether it is a candidate of a rollout, not the stable file.
  public let isCandidate: Bool
  /// Why earlier candidates were not taken, apart from the percentage.
  public let problems: [TrustError]
}

extension RepositoryClient {
  /// Selects the file that a client takes for a name: the first candidate that it can run and that is rolled out to it,
  /// else the stable file. Call `refresh` before.
  ///
  /// - Parameters:
  ///   - name: The path of the stable file's target.
  ///   - client: The client, whose ID and attributes decide.
  ///   - provides: Whether the client has a function or an operator of this name.
  ///   - isRefused: Whether the client does not try a content again, since it has failed.
  /// - Throws: `notFound` if there is no such stream file, or if the client cannot run the stable one.
  public mutating func select(
    _ name: String, for client: SharingClient, providing provides: (String) -> Bool,
    refusing isRefused: (Publication) -> Bool = { _ in false }
  ) async throws(TrustError) -> Selection {
    guard let stable = try await target(name) else {
      throw TrustError(.notFound, name, "the repository has no such stream")
    }
    let publication = try Publication(of: stable)
    var problems: [TrustError] = []
    for candidate in publication.candidates {
      do throws(TrustError) {
        guard try Self.isSelected(candidate, by: client) else { continue }
        guard let target = try await target(candidate.path) else {
          throw TrustError(.notFound, candidate.path, "the repository has no such target")
        }
        let offered = try Publication(of: target)
        try Self.check(offered, at: candidate.path, provides)
        guard offered.halted == nil, !isRefused(offered) else { continue }
        return Selection(target: target, publication: offered, isCandidate: true, problems: problems)
      } catch {
        // A candidate that cannot be had never keeps a client from the stable file.
        problems.append(error)
      }
    }
    try Self.check(publication, at: name, provides)
    return Selection(target: stable, publication: publication, isCandidate: false, problems: problems)
  }

  private static func isSelected(
    _ candidate: Publication.Candidate, by client: SharingClient
  ) throws(TrustError) -> Bool {
    do throws(Diagnostics) {
      return try candidate.rollout.selects(client)
    } catch {
      throw TrustError(.malformed, candidate.path, "where: \(error.all.first?.message ?? "the condition is wrong")")
    }
  }

  private static func check(
    _ publication: Publication, at path: String, _ provides: (String) -> Bool
  ) throws(TrustError) {
    let missing = publication.requires.filter { !provides($0) }
    guard missing.isEmpty else {
      throw TrustError(.notFound, path, "this client lacks \(missing.joined(separator: ", "))")
    }
  }
}
