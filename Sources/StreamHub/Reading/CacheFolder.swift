#if Sharing
internal import CLibrary
internal import StreamCore
internal import StreamDriving
internal import StreamSharing

/// The folder in which a client keeps the trusted metadata of an address.
struct CacheFolder {
  let path: String

  /// - Parameters:
  ///   - folder: The folder of all addresses; nil for the user's.
  ///   - address: The address of the repository.
  init(_ folder: String?, of address: String) throws(TrustError) {
    var digest = ContentDigest()
    digest.update(address)
    let name = digest.bytes.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let base = if let folder { folder } else { try Self.user() }
    path = Path.join(base, name)
  }

  private static func user() throws(TrustError) -> String {
    if let cache = ProcessEnvironment.variable("XDG_CACHE_HOME") { return Path.join(cache, "streamhub") }
    guard let home = ProcessEnvironment.variable("HOME") else {
      throw TrustError(.storage, "cache", "neither XDG_CACHE_HOME nor HOME is set; use --cache")
    }
    return Path.join(Path.join(home, ".cache"), "streamhub")
  }

  /// The store, which trusts this root, or one that it has trusted before.
  ///
  /// Another root than the first one begins anew: the person decides whom to trust.
  ///
  /// - Parameter root: The path of the root; nil for the one that is known.
  func trusting(_ root: String?) throws(TrustError) -> any MetadataStore {
    let store = FolderStore(path)
    guard let root else {
      guard try store.load("root") != nil else {
        throw TrustError(.notFound, "root", "no root of this address is trusted yet; use --trust root.json")
      }
      return store
    }
    guard let bytes = try FolderFiles.read(root, atMost: RepositoryLimits().rootBytes, of: root) else {
      throw TrustError(.storage, root, "there is no such file")
    }
    try create()
    guard try store.load("first") != bytes else { return store }
    for role in ["timestamp", "snapshot", "targets"] { unlink(Path.join(path, role + ".json")) }
    try RepositoryClient.trust(bytes, in: store)
    try store.store(bytes, as: "first")
    return store
  }

  /// Creates the folder and those above it.
  private func create() throws(TrustError) {
    var place = path.hasPrefix("/") ? "/" : "."
    for name in path.split(separator: "/") {
      place = Path.join(place, String(name))
      guard mkdir(place, 0o755) == 0 || errno == EEXIST else {
        throw TrustError(.storage, place, String(cString: strerror(errno)).lowercased())
      }
    }
  }
}
#endif
