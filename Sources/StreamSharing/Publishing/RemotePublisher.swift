internal import StreamCore
internal import Synchronization

/// Signs changes of a repository on a hub, which signs the snapshot and the timestamp.
///
/// A change starts from metadata that a client has verified, so that the keeper of the repository cannot make a
/// publisher sign anything else.
package struct RemotePublisher: Sendable {
  package private(set) var publisher: RepositoryPublisher
  private let storage: Collection
  private let client: RepositoryClient
  private let targets: any RepositoryTransport

  /// Reads all roles of a repository.
  ///
  /// - Parameters:
  ///   - client: The client, which was refreshed.
  ///   - targets: The targets of the repository.
  package init(_ client: RepositoryClient, targets: any RepositoryTransport) async throws(TrustError) {
    var client = client
    let storage = Collection()
    publisher = RepositoryPublisher(
      Repository(storage: storage, keys: [], signed: try await client.signedParts()))
    self.storage = storage
    self.client = client
    self.targets = targets
  }

  /// Adds keys to those at hand.
  package mutating func add(_ keys: [SigningKey]) {
    var repository = publisher.repository
    repository.add(keys)
    publisher = RepositoryPublisher(repository)
  }

  /// Whether the keys at hand may sign a stream.
  package func canSign(_ name: StreamName) -> Bool {
    guard let role = try? publisher.repository.role(publishing: name.path) else { return false }
    return publisher.repository.canSign(role)
  }

  /// Reads the file of a version. Changes that need it read it before.
  @discardableResult
  package func read(_ version: PublishedStream.Version) async throws(TrustError) -> [UInt8] {
    let bytes = try await client.read(version.target, from: targets)
    storage.keep(bytes, of: version.target)
    return bytes
  }

  /// Makes a change of a stream.
  ///
  /// - Returns: The result, and what was signed; nil if nothing was.
  package mutating func sign<Result>(
    _ make: (inout RepositoryPublisher) throws(TrustError) -> Result
  ) throws(TrustError) -> (result: Result, change: SignedChange?) {
    let result = try make(&publisher)
    return (result, try storage.takeChange())
  }
}

/// The files that a publisher has signed, in memory.
private final class Collection: RepositoryStorage {
  private struct State {
    /// Files of the repository that were read.
    var known: [String: [UInt8]] = [:]
    var written: [(path: String, bytes: [UInt8])] = []
  }

  private let state = Mutex(State())

  var isCollection: Bool { true }

  func keep(_ bytes: [UInt8], of target: Target) {
    guard let place = try? Repository.place(of: target.file, at: target.path) else { return }
    state.withLock { $0.known[place] = bytes }
  }

  func prepare() throws(TrustError) {}

  func read(_ path: String, of subject: String) throws(TrustError) -> [UInt8]? { state.withLock { $0.known[path] } }

  func write(_ bytes: [UInt8], to path: String, of subject: String) throws(TrustError) {
    state.withLock { $0.written.append((path, bytes)) }
  }

  func exclusively(_ change: () throws(TrustError) -> Void) throws(TrustError) { try change() }

  /// The metadata and the files that were written; nil if there are none.
  func takeChange() throws(TrustError) -> SignedChange? {
    let written = state.withLock { state in
      defer { state.written = [] }
      return state.written
    }
    guard let (path, bytes) = written.last(where: { $0.path.hasPrefix("metadata/") }) else { return nil }
    // Such as metadata/7.checkout.json.
    let role = path.split(separator: ".", maxSplits: 1).last?.dropLast(".json".count) ?? ""
    let files = written.filter { $0.path.hasPrefix("targets/") }.map(\.bytes)
    return SignedChange(
      role: String(role), metadata: try MetadataReader(bytes: bytes, subject: String(role)).value,
      files: Array(Set(files)))
  }
}
