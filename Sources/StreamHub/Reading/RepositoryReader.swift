#if Sharing
internal import CLibrary
internal import StreamCore
internal import StreamDriving
internal import StreamSharing
internal import Synchronization

/// A repository that was refreshed, for commands that read it.
struct RepositoryReader {
  var client: RepositoryClient
  let targets: any RepositoryTransport

  /// Opens the repository of the options, and refreshes its metadata.
  ///
  /// A folder is trusted as it is unless there is a root. The metadata of an address are kept, so that the next command
  /// accepts no older ones.
  init(_ options: SourceOptions, now: Int64) async throws(TrustError) {
    let place = options.repository
    let store = try Self.store(options)
    let base = try RepositoryBase(place)
    targets = base.targets
    client = try RepositoryClient(metadata: base.metadata, store: store, now: now)
    try await client.refresh()
  }

  private static func store(_ options: SourceOptions) throws(TrustError) -> any MetadataStore {
    let place = options.repository
    if RepositoryBase.isAddress(place) {
      return try CacheFolder(options.cache, of: place).trusting(options.trust)
    }
    let root = options.trust ?? Path.join(Path.join(place, "metadata"), "1.root.json")
    guard let bytes = try FolderFiles.read(root, atMost: RepositoryLimits().rootBytes, of: root) else {
      throw TrustError(
        .notFound, place,
        options.trust == nil
          ? "there is no repository in this folder; 'streamhub init' creates one" : "there is no file '\(root)'")
    }
    let store = MemoryStore()
    try RepositoryClient.trust(bytes, in: store)
    return store
  }

  /// The bytes of a version.
  func bytes(of target: Target) async throws(TrustError) -> [UInt8] { try await client.read(target, from: targets) }
}

/// The folder or the address of a repository: `metadata` and `targets` are below it.
struct RepositoryBase {
  let metadata: any RepositoryTransport
  let targets: any RepositoryTransport

  static func isAddress(_ place: String) -> Bool { place.contains("://") }

  init(_ place: String) throws(TrustError) {
    guard Self.isAddress(place) else {
      metadata = FolderTransport(Path.join(place, "metadata"))
      targets = FolderTransport(Path.join(place, "targets"))
      return
    }
    let base = place.hasSuffix("/") ? place : place + "/"
    metadata = try HTTPTransport(base + "metadata")
    targets = try HTTPTransport(base + "targets")
  }
}

/// Metadata for one command.
private final class MemoryStore: MetadataStore {
  private let files = Mutex<[String: [UInt8]]>([:])

  func load(_ role: String) throws(TrustError) -> [UInt8]? { files.withLock { $0[role] } }
  func store(_ bytes: [UInt8], as role: String) throws(TrustError) { files.withLock { $0[role] = bytes } }
}
#endif
