internal import StreamCore
internal import StreamFiles
internal import StreamSharing

/// The private keys of a publisher: files such as `targets-1a2b3c4d.pem`, named by a role and the first digits of the ID.
struct KeyFolder {
  let path: String
  let passphrases: PassphraseReader

  /// A key file.
  struct Entry {
    let path: String
    /// The first 8 digits of the ID, as the file name states them; nil for another name.
    let prefix: String?

    /// Whether it may be a key with one of these IDs.
    func mayBe(_ ids: Set<String>) -> Bool { prefix.map { prefix in ids.contains { $0.hasPrefix(prefix) } } ?? true }
  }

  /// Creates the folder, readable by its owner only, unless it exists.
  func create() throws(TrustError) { try FolderFiles.makeFolder(path, isPrivate: true) }

  /// The key files, by name.
  var entries: [Entry] {
    get throws(TrustError) {
      let names: [String]
      do throws(SystemError) {
        names = try Directory.names(in: path)
      } catch {
        throw TrustError(.storage, path, error.diagnostic(reading: path).message)
      }
      return names.filter { $0.hasSuffix(".pem") }.sorted().map { name in
        let digits = name.dropLast(4).split(separator: "-").last.map(String.init) ?? ""
        let isPrefix = digits.utf8.count == Self.digitCount && UInt32(digits, radix: 16) != nil
        return Entry(path: Path.join(path, name), prefix: isPrefix ? digits : nil)
      }
    }
  }

  private static let digitCount = 8

  /// Reads the keys of a repository's roles that the folder has.
  func keys(of repository: Repository, _ isWanted: (String) -> Bool) throws(TrustError) -> [SigningKey] {
    var ids: Set<String> = []
    for role in repository.roleNames where isWanted(role) {
      ids.formUnion(try repository.authority(of: role).ids)
    }
    return try keys(ids)
  }

  /// Reads the keys with these IDs that the folder has.
  func keys(_ ids: Set<String>) throws(TrustError) -> [SigningKey] {
    var found: [SigningKey] = []
    for entry in try entries where entry.mayBe(ids) {
      let key = try passphrases.open(entry.path)
      if ids.contains(key.id) { found.append(key) }
    }
    return found
  }

  /// Writes a new key.
  ///
  /// - Parameters:
  ///   - role: The beginning of the file's name.
  ///   - isEncrypted: Whether it gets a passphrase.
  /// - Returns: The path of the file.
  @discardableResult
  func write(_ key: SigningKey, for role: String, isEncrypted: Bool) throws(TrustError) -> String {
    try create()
    let file = Path.join(path, "\(role)-\(key.id.prefix(Self.digitCount)).pem")
    try KeyFile.write(key, to: file, passphrase: isEncrypted ? try passphrases.new() : nil)
    return file
  }
}
