internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit
internal import StreamSharing
internal import Synchronization

/// A repository in a folder, with the keys that a hub signs with.
final class FolderRepository: HubRepository {
  private struct State {
    var publisher: RepositoryPublisher
    /// The stamp of the timestamp before the repository was opened.
    var stamp: FileStamp?
    /// The stamps of the keys before they were read.
    var keyStamp: [String: FileStamp]
    var streams: [HubStream]
    var keys: HubKeyState
  }

  private let folder: String
  private let keys: any HubKeys
  private let state: Mutex<State>

  /// Opens a repository.
  ///
  /// - Parameters:
  ///   - folder: The folder of the repository.
  ///   - keys: The keys at hand; without any, it can only be read.
  init(_ folder: String, keys: any HubKeys) throws(TrustError) {
    self.folder = folder
    self.keys = keys
    state = Mutex(try Self.open(folder, keys))
  }

  private static func open(_ folder: String, _ keys: any HubKeys) throws(TrustError) -> State {
    let (stamp, keyStamp) = (stamp(folder), keys.stamp)
    var repository = try Repository(opening: folder, keys: [])
    let reading = keys.read(for: repository)
    repository.add(reading.keys)
    let publisher = RepositoryPublisher(repository)
    return State(
      publisher: publisher, stamp: stamp, keyStamp: keyStamp, streams: try publisher.streams.map(HubStream.init),
      keys: HubKeyState(reading, of: repository))
  }

  private static func stamp(_ folder: String) -> FileStamp? {
    FileStamp(Path.join(folder, "metadata/timestamp.json"))
  }

  /// Opens the repository again if another program has changed it, or the keys.
  private func current() throws(TrustError) -> State {
    let known = state.withLock { $0 }
    let isNewest = !known.publisher.repository.hasNewerRoot
    guard known.stamp == nil || known.stamp != Self.stamp(folder) || known.keyStamp != keys.stamp || !isNewest else {
      return known
    }
    let opened = try Self.open(folder, keys)
    state.withLock { $0 = opened }
    return opened
  }

  func streams() throws(TrustError) -> [HubStream] { try current().streams }

  func bytes(of name: StreamName, version: Int) throws(TrustError) -> [UInt8] {
    let publisher = try current().publisher
    return try publisher.bytes(of: try publisher.stream(name).version(version))
  }

  func check(_ file: PublishedFile, of name: StreamName, within bounds: TestBounds) -> HubCheck {
    let check = PublicationCheck(
      name, file.bytes, file: name.path, arguments: CompileArguments(published: file.parameters), within: bounds)
    var outcome = HubCheck(diagnostics: Diagnostics(check.report.problems))
    for entry in check.report.files.flatMap(\.entries) where entry.status == .failed {
      outcome.failedTests.append(
        HubCheck.FailedTest(name: entry.outcome.name, differences: entry.outcome.differences))
    }
    if check.draft == nil, outcome.refusal == nil {
      outcome.diagnostics.all.append(Diagnostic(.unsupportedFormat, "the file cannot be checked"))
    }
    return outcome
  }

  func difference(of name: StreamName, from: Int, to: Int) throws(TrustError) -> Value {
    let (old, new) = (try model(name, from), try model(name, to))
    return StreamDiff(from: old, to: new).value
  }

  private func model(_ name: StreamName, _ version: Int) throws(TrustError) -> StreamModel {
    let bytes = try bytes(of: name, version: version)
    do throws(Diagnostics) {
      return try StreamModel(parsing: bytes, file: name.path(ofVersion: version))
    } catch {
      throw TrustError(.malformed, name.path(ofVersion: version), error.all.first?.message ?? "it cannot be read")
    }
  }

  // MARK: Changes

  func publish(_ publication: HubPublication, now: Int64) throws(TrustError) -> (version: Int, isNew: Bool) {
    var draft: Draft
    var rollout = publication.rollout
    let streams = try streams()
    if rollout?.salt == "" {
      // The same as the command's: a rollout of its own for each version.
      let newest = streams.first { $0.name == publication.name }?.versions.first?.number ?? 0
      rollout?.salt = "\(publication.name)-\(newest + 1)"
    }
    do throws(Diagnostics) {
      draft = try Draft(publication.name, publication.bytes, notes: publication.notes, rollout: rollout)
      draft.parameters = publication.parameters
    } catch {
      throw TrustError(.malformed, publication.name.path, error.all.first?.message ?? "it cannot be read")
    }
    return try change { publisher throws(TrustError) in
      switch try publisher.publish(draft, now: now) {
      case .published(let publication): (publication.version, true)
      case .unchanged(let version): (version, false)
      }
    }
  }

  func promote(_ name: StreamName, version: Int?, percent: Int?, now: Int64) throws(TrustError) -> Int {
    try change { publisher throws(TrustError) in
      try publisher.promote(name, version: version, percent: percent, now: now).version
    }
  }

  func halt(_ name: StreamName, version: Int?, reason: String, now: Int64) throws(TrustError) -> Int {
    try change { publisher throws(TrustError) in
      try publisher.halt(name, version: version, reason: reason, now: now).version
    }
  }

  func rollback(_ name: StreamName, to version: Int, notes: String?, now: Int64) throws(TrustError) -> Int {
    try change { publisher throws(TrustError) in
      switch try publisher.rollBack(name, to: version, notes: notes, now: now) {
      case .published(let publication): publication.version
      case .unchanged(let version): version
      }
    }
  }

  func review(_ change: SignedChange, of name: StreamName, now: Int64) throws(TrustError) -> [PublishedFile] {
    try current().publisher.review(change, of: name, now: now)
  }

  func accept(_ change: SignedChange, now: Int64) throws(TrustError) {
    try self.change { publisher throws(TrustError) in try publisher.accept(change, now: now) }
  }

  private func change<Result>(
    _ make: (inout RepositoryPublisher) throws(TrustError) -> Result
  ) throws(TrustError) -> Result {
    // It is opened again afterward, since another program may have changed it right after.
    defer { state.withLock { $0.stamp = nil } }
    var publisher = try current().publisher
    do throws(TrustError) {
      return try make(&publisher)
    } catch {
      guard error.kind == .storage else { throw error }
      // Another program may have changed it in between.
      state.withLock { $0.stamp = nil }
      publisher = try current().publisher
      return try make(&publisher)
    }
  }

  // MARK: Renewal

  var expirations: [RoleExpiration] { state.withLock(\.publisher.repository.expirations) }

  var timestampVersion: Int64 {
    state.withLock(\.publisher.repository).version(of: RoleName.timestamp.rawValue)
  }

  var keyState: HubKeyState { state.withLock(\.keys) }

  /// Metadata are signed again in the second half of their time.
  func renewIfNeeded(now: Int64) throws(TrustError) -> Bool {
    let repository = try current().publisher.repository
    let lifetimes = Lifetimes()
    guard repository.canSign("snapshot"), repository.canSign("timestamp") else { return false }
    func isOld(_ role: String, _ lifetime: Int64) -> Bool {
      repository.expiration(of: role).map { $0 - now < lifetime / 2 } ?? false
    }
    let roles = repository.roleNames.filter { role in
      RoleName(rawValue: role) ?? .targets == .targets && repository.canSign(role) && isOld(role, lifetimes.targets)
    }
    guard !roles.isEmpty || isOld("snapshot", lifetimes.snapshot) || isOld("timestamp", lifetimes.timestamp) else {
      return false
    }
    var renewed = repository
    try renewed.renew(roles, now: now)
    state.withLock { $0.stamp = nil }
    return true
  }
}

extension HubStream {
  init(_ stream: PublishedStream) {
    self.init(
      name: stream.name, stable: stream.stable.version,
      versions: stream.versions.map { version in
        let state: State =
          switch version.state {
          case .stable: .stable
          case .candidate(let rollout): .candidate(rollout)
          case .halted(let reason): .halted(reason)
          case .earlier: .earlier
          }
        let publication = version.publication
        return Version(
          number: publication.version, content: publication.content, behavior: publication.behavior,
          requires: publication.requires, notes: publication.notes, time: publication.time,
          length: version.target.length, state: state, parameters: publication.parameters)
      })
  }
}
