internal import StreamCore
internal import StreamFiles

/// The files of a repository, by their paths in it, such as `metadata/1.root.json`.
protocol RepositoryStorage: Sendable {
  /// Creates the folders of an empty repository.
  func prepare() throws(TrustError)

  /// Reads a file; nil if there is none.
  func read(_ path: String, of subject: String) throws(TrustError) -> [UInt8]?

  /// Replaces a file in one step, and returns when it is on the disk. Folders are created if necessary.
  func write(_ bytes: [UInt8], to path: String, of subject: String) throws(TrustError)

  /// Runs a change while no other publisher changes the repository.
  func exclusively(_ change: () throws(TrustError) -> Void) throws(TrustError)

  /// Whether it is only a collection of signed files: a hub signs the snapshot and the timestamp.
  var isCollection: Bool { get }
}

extension RepositoryStorage {
  var isCollection: Bool { false }
}

/// A repository in a folder.
struct FolderStorage: RepositoryStorage {
  let folder: String

  func prepare() throws(TrustError) {
    for part in ["", "metadata", "targets"] { try FolderFiles.makeFolder(Path.join(folder, part), isPrivate: false) }
  }

  func read(_ path: String, of subject: String) throws(TrustError) -> [UInt8]? {
    try FolderFiles.read(Path.join(folder, path), atMost: .max, of: subject)
  }

  func write(_ bytes: [UInt8], to path: String, of subject: String) throws(TrustError) {
    var place = folder
    try FolderFiles.makeFolder(place, isPrivate: false)
    for name in path.split(separator: "/").dropLast() {
      place = Path.join(place, String(name))
      try FolderFiles.makeFolder(place, isPrivate: false)
    }
    try FolderFiles.write(bytes, to: Path.join(folder, path), of: subject)
  }

  func exclusively(_ change: () throws(TrustError) -> Void) throws(TrustError) {
    let lock: FileLock?
    do throws(Diagnostics) {
      // The first root is never replaced.
      lock = try FileLock.take(editing: Path.join(folder, "metadata/1.root.json"))
    } catch {
      throw TrustError(.storage, folder, error.all.first?.message ?? "the repository cannot be locked")
    }
    defer { withExtendedLifetime(lock) {} }
    try change()
  }
}
