internal import CLibrary
internal import StreamCore
internal import StreamFiles
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
    let base = try RepositoryLocation(place)
    targets = base.targets
    client = try RepositoryClient(metadata: base.metadata, store: store, now: now)
    try await client.refresh()
  }

  private static func store(_ options: SourceOptions) throws(TrustError) -> any MetadataStore {
    let place = options.repository
    if RepositoryLocation.isAddress(place) {
      let (cache, root) = try CacheFolder(options.trust.cache, of: RepositoryLocation.location(of: place))
        .open(trusting: options.trust.trust)
      try cache.trust(root)
      return cache.metadata
    }
    let store = MemoryStore()
    try RepositoryClient.trust(try RepositoryLocation.root(options.trust.trust, in: place), in: store)
    return store
  }

  /// The bytes of a version.
  func bytes(of target: Target) async throws(TrustError) -> [UInt8] { try await client.read(target, from: targets) }
}

/// The folder or the address of a repository: `metadata` and `targets` are below it.
struct RepositoryLocation {
  let metadata: any RepositoryTransport
  let targets: any RepositoryTransport

  static func isAddress(_ place: String) -> Bool { place.contains("://") }

  /// The address of a hub without a slash at its end: one without a path. Its repository is at `/repository`.
  static func hub(of place: String) -> String? {
    guard let range = place.firstRange(of: "://") else { return nil }
    let rest = place[range.upperBound...]
    guard let slash = rest.firstIndex(of: "/") else { return place }
    return rest.index(after: slash) == rest.endIndex ? String(place.dropLast()) : nil
  }

  /// The folder or the address of the repository itself.
  static func location(of place: String) -> String { hub(of: place).map { $0 + "/repository" } ?? place }

  /// The path of the root with which clients of a folder begin.
  ///
  /// - Throws: `notFound` if the folder has no repository.
  static func firstRoot(in folder: String) throws(TrustError) -> String {
    let path = Path.join(folder, "metadata/1.root.json")
    if FileStamp(path) != nil { return path }
    throw TrustError(
      .notFound, folder,
      "there is no repository in this folder; 'streamhub init' creates one, and an address begins with https://")
  }

  /// The root with which a client of a folder begins: that of a file, or else that of the folder.
  static func root(_ file: String?, in folder: String) throws(TrustError) -> [UInt8] {
    let path = if let file { file } else { try firstRoot(in: folder) }
    guard let bytes = try FolderFiles.read(path, atMost: RepositoryLimits().rootBytes, of: path) else {
      throw TrustError(.storage, path, "there is no such file")
    }
    return bytes
  }

  init(_ place: String) throws(TrustError) {
    let location = Self.location(of: place)
    guard Self.isAddress(place) else {
      metadata = FolderTransport(Path.join(location, "metadata"))
      targets = FolderTransport(Path.join(location, "targets"))
      return
    }
    let base = location.hasSuffix("/") ? location : location + "/"
    // Only a hub gets its token.
    let token = Self.hub(of: place).flatMap { _ in FollowingOptions.token }
    metadata = try HTTPTransport(base + "metadata", token: token)
    targets = try HTTPTransport(base + "targets", token: token)
  }
}

/// Metadata for one command.
private final class MemoryStore: MetadataStore {
  private let files = Mutex<[String: [UInt8]]>([:])

  func load(_ role: String) throws(TrustError) -> [UInt8]? { files.withLock { $0[role] } }
  func store(_ bytes: [UInt8], as role: String) throws(TrustError) { files.withLock { $0[role] = bytes } }
}
