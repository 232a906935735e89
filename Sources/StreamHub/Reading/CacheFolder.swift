internal import StreamCore
internal import StreamFiles
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

  /// The cache, and the root that it begins with.
  ///
  /// A root that differs from the cached root clears the cache: the person decides whom to trust.
  ///
  /// - Parameter root: The path of the root; nil for the cached root.
  func open(trusting root: String?) throws(TrustError) -> (cache: SharingCache, root: [UInt8]) {
    try create()
    let known = Path.join(path, "root.json")
    let before = try FolderFiles.read(known, atMost: RepositoryLimits().rootBytes, of: "root")
    guard let root else {
      guard let before else {
        throw TrustError(.notFound, "root", "no root of this address is trusted yet; use --trust root.json")
      }
      return (try SharingCache(folder: path), before)
    }
    guard let bytes = try FolderFiles.read(root, atMost: RepositoryLimits().rootBytes, of: root) else {
      throw TrustError(.storage, root, "there is no such file")
    }
    if bytes != before {
      do throws(TrustError) {
        try RepositoryClient.checkRoot(bytes)
      } catch {
        throw TrustError(error.kind, root, "the file is not the root of a repository: \(error.reason)")
      }
      // Files that another root has signed are no longer trusted.
      for part in ["metadata", "streams"] { try Self.empty(Path.join(path, part)) }
      try FolderFiles.write(bytes, to: known, of: "root")
    }
    return (try SharingCache(folder: path), bytes)
  }

  /// Removes the files of a folder, if there is one.
  private static func empty(_ folder: String) throws(TrustError) {
    do throws(SystemError) {
      for name in try Directory.names(in: folder) {
        try Directory.remove(Path.join(folder, name))
      }
    } catch {
      guard !error.isMissingFile else { return }
      throw TrustError(.storage, folder, error.diagnostic(writing: folder).message)
    }
  }

  /// Creates the folder and those above it.
  private func create() throws(TrustError) {
    var place = path.hasPrefix("/") ? "/" : "."
    for name in path.split(separator: "/") {
      place = Path.join(place, String(name))
      try FolderFiles.makeFolder(place, isPrivate: false)
    }
  }
}
