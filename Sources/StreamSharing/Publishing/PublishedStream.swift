internal import StreamCore

/// A stream of a repository with all of its versions.
public struct PublishedStream: Hashable, Sendable {
  public let name: StreamName
  /// The stable file, which lists the candidates.
  public let stable: Publication
  /// The versions, the newest first.
  public let versions: [Version]

  /// A version of a stream.
  public struct Version: Hashable, Sendable {
    public let publication: Publication
    public let target: Target
    public let state: State

    public var number: Int { publication.version }
  }

  /// Which clients take a version.
  public enum State: Hashable, Sendable {
    /// All clients that take no candidate.
    case stable
    /// The clients that a rollout selects.
    case candidate(Rollout)
    /// Halted, with the reason.
    case halted(String)
    /// No clients, since a later version is stable.
    case earlier
  }

  /// Reads the streams of a repository from its targets. Targets that are not stream files are left out.
  ///
  /// - Throws: `malformed` if a description cannot be read.
  static func all(in targets: [Target]) throws(TrustError) -> [PublishedStream] {
    var versions: [StreamName: [(Target, Publication)]] = [:]
    var stable: [StreamName: Publication] = [:]
    for target in targets where target.custom.member("streamrun") != nil {
      let publication = try Publication(of: target)
      if let name = StreamName(path: target.path) {
        stable[name] = publication
      } else if let name = name(ofVersionAt: target.path, publication.version) {
        versions[name, default: []].append((target, publication))
      }
    }
    return stable.sorted { $0.key.description < $1.key.description }.map { name, publication in
      PublishedStream(name: name, stable: publication, of: versions[name] ?? [])
    }
  }

  /// Reads the path of the target of a version; nil for other targets.
  ///
  /// - Parameter version: The version; nil for any.
  static func name(ofVersionAt path: String, _ version: Int? = nil) -> StreamName? {
    guard path.hasSuffix(".json"), let at = path.lastIndex(of: "@") else { return nil }
    let digits = path[path.index(after: at)...].dropLast(5)
    guard let number = Int(digits), String(number) == digits, version ?? number == number else { return nil }
    return try? StreamName(String(path[..<at]))
  }

  private init(name: StreamName, stable: Publication, of versions: [(Target, Publication)]) {
    self.name = name
    self.stable = stable
    let rollouts = Dictionary(stable.candidates.map { ($0.path, $0.rollout) }) { first, _ in first }
    self.versions = versions.sorted { $0.1.version > $1.1.version }.map { target, publication in
      let state: State =
        if publication.version == stable.version {
          .stable
        } else if let reason = publication.halted {
          .halted(reason)
        } else if let rollout = rollouts[target.path] {
          .candidate(rollout)
        } else {
          .earlier
        }
      return Version(publication: publication, target: target, state: state)
    }
  }

  /// A version by its number.
  ///
  /// - Throws: `notFound` if the stream has no such version.
  public func version(_ number: Int) throws(TrustError) -> Version {
    guard let version = versions.first(where: { $0.number == number }) else {
      let newest = versions.first.map { ", the newest is \($0.number)" } ?? ""
      throw TrustError(.notFound, name.description, "there is no version \(number)\(newest)")
    }
    return version
  }

  /// The versions that rollouts offer, the newest first.
  public var candidates: [Version] {
    versions.filter { if case .candidate = $0.state { true } else { false } }
  }

  /// A version that a rollout offers.
  ///
  /// - Parameter number: Its number; nil for the newest one.
  /// - Throws: `notFound` if it is not a candidate.
  package func candidate(_ number: Int?) throws(TrustError) -> Version {
    guard let number else {
      guard let newest = candidates.first else {
        throw TrustError(.notFound, name.description, "there is no candidate")
      }
      return newest
    }
    let found = try version(number)
    guard case .candidate = found.state else {
      throw TrustError(.notFound, name.description, "version \(number) is not a candidate")
    }
    return found
  }

  /// A version to go back to.
  ///
  /// - Parameter number: Its number; nil for the newest one before the stable file that has another content and was not
  ///   halted.
  /// - Throws: `notFound` if there is none.
  package func earlier(_ number: Int?) throws(TrustError) -> Version {
    if let number { return try version(number) }
    let found = versions.first {
      $0.number < stable.version && $0.state == .earlier && $0.publication.identity != stable.identity
    }
    guard let found else {
      throw TrustError(.notFound, name.description, "there is no earlier version with another content")
    }
    return found
  }
}

extension RepositoryClient {
  /// The streams of the repository with their versions. Call `refresh` before.
  public mutating func streams() async throws(TrustError) -> [PublishedStream] {
    var targets: [Target] = []
    // A path may be listed by a role that is not the one it is delegated to: the search decides.
    for path in try await paths() { if let target = try await target(path) { targets.append(target) } }
    return try PublishedStream.all(in: targets)
  }

  /// A stream with its versions. Call `refresh` before.
  ///
  /// - Throws: `notFound` if the repository has no such stream.
  public mutating func stream(_ name: StreamName) async throws(TrustError) -> PublishedStream {
    try await streams().named(name)
  }
}

extension [PublishedStream] {
  /// A stream by its name.
  ///
  /// - Throws: `notFound`, with the nearest name.
  package func named(_ name: StreamName) throws(TrustError) -> PublishedStream {
    if let stream = first(where: { $0.name == name }) { return stream }
    let near = nearestName(to: name.description, among: map(\.name.description))
    throw TrustError(
      .notFound, name.description,
      "the repository has no such stream" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }
}
