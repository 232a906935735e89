internal import StreamCore
internal import StreamKit

/// The version that a refreshed repository offers a client.
enum SharedStreamOffer: Sendable {
  /// The version is one that the client has.
  case known(Publication, expires: Int64)
  case new(LoadedVersion)
  /// The version cannot run here.
  ///
  /// - Parameter isLasting: Whether it is refused after a restart, too.
  case refused(StreamRecord.Refused, isLasting: Bool)
}

/// Finds and loads the version that a client takes.
struct SharedStreamLoader: Sendable {
  let name: StreamName
  let client: SharingClient
  let targets: any RepositoryTransport
  let options: CompileOptions
  let probation: Probation

  /// Selects, reads, checks and compiles.
  ///
  /// - Parameters:
  ///   - repository: The refreshed repository.
  ///   - trial: The version that is or was on probation, if its probation has not ended.
  ///   - refusals: The versions that are not tried again.
  ///   - isKnown: Whether the client has a content.
  /// - Returns: The offer, and what is wrong with candidates that were not selected.
  func load(
    from repository: RepositoryClient, trial: StreamRecord.Trial?, refusals: [StreamRecord.Refused],
    isKnown: (String) -> Bool
  ) async throws(TrustError) -> (offer: SharedStreamOffer, problem: TrustError?) {
    var repository = repository
    func refusal(of publication: Publication) -> StreamRecord.Refused? {
      refusals.first { $0.includes(publication) }
    }
    let selection: Selection
    do throws(TrustError) {
      selection = try await repository.select(
        name.path, for: client, providing: options.host.offers,
        refusing: { refusal(of: $0) != nil })
    } catch {
      guard let target = try await repository.target(name.path), let publication = try? Publication(of: target),
        !publication.requires.allSatisfy(options.host.offers)
      else { throw error }
      let known = refusal(of: publication).map { SharedStreamOffer.refused($0, isLasting: false) }
      return (known ?? refused(publication, [error.reason]), nil)
    }
    let (publication, problem) = (selection.publication, selection.problems.first)
    if let known = refusal(of: publication) { return (.refused(known, isLasting: false), problem) }
    let expires = repository.expiration(of: selection.target)
    if isKnown(publication.identity) { return (.known(publication, expires: expires), problem) }
    if let trial, trial.version.content == publication.identity, trial.version.number == publication.version,
      trial.crashes >= probation.attempts
    {
      let times = trial.crashes == 1 ? "once" : "\(trial.crashes) times"
      let offer = refused(
        publication, ["the process crashed \(times) while the version was on probation"], isLasting: true)
      return (offer, problem)
    }
    let bytes = try await repository.read(selection.target, from: targets)
    do throws(Diagnostics) {
      let loaded = try LoadedVersion(
        bytes, at: selection.target.path, version: publication.version, content: publication.content,
        parameters: publication.parameters, expires: expires, options)
      return (.new(loaded), problem)
    } catch {
      return (refused(publication, error.reasons), problem)
    }
  }

  private func refused(
    _ publication: Publication, _ reasons: [String], isLasting: Bool = false
  ) -> SharedStreamOffer {
    .refused(
      StreamRecord.Refused(version: publication.version, content: publication.identity, reasons: reasons),
      isLasting: isLasting)
  }
}
