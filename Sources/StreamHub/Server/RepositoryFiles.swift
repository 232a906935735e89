internal import CLibrary
internal import StreamCore
internal import StreamFiles
internal import StreamSharing
internal import Synchronization

/// The files of a repository that are served: those in `metadata/` and `targets/`, without links.
///
/// Small files stay in memory, and are read again when their stamp changes.
final class RepositoryFiles: Sendable {
  struct Entry: Sendable {
    let stamp: FileStamp
    let tag: String
    /// nil for a large file.
    let bytes: [UInt8]?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var byteCount = 0
  }

  let folder: String
  private let isPublic: Bool
  private let state = Mutex(State())

  /// Maximum length of a file that stays in memory, in bytes.
  static let smallBytes = 256 * 1024
  /// Maximum length of all files in memory, in bytes.
  private static let memoryBytes = 64 * 1024 * 1024
  private static let entryLimit = 20_000

  /// - Parameter isPublic: Whether caches that several clients share may store the files.
  init(_ folder: String, isPublic: Bool) {
    self.folder = folder
    self.isPublic = isPublic
  }

  /// The path of a file within the repository, from a path that is percent-encoded once.
  ///
  /// - Returns: nil if no file of that name is served.
  static func path(_ encoded: String) -> String? {
    var names: [String] = []
    for part in encoded.split(separator: "/", omittingEmptySubsequences: false) {
      // Names with a period at the beginning are those of files that are being written.
      guard let name = PercentEncoding.decode(part), FolderFiles.isName(name), !name.hasPrefix("."),
        name.utf8.count <= 255
      else { return nil }
      names.append(name)
    }
    guard names.count >= 2, names.count <= 64, names[0] == "metadata" || names[0] == "targets" else { return nil }
    return names.joined(separator: "/")
  }

  /// A file in memory, if it has not changed.
  func known(_ path: String) -> Entry? {
    guard let entry = state.withLock({ $0.entries[path] }), FileStamp(Path.join(folder, path)) == entry.stamp else {
      return nil
    }
    return entry
  }

  /// Opens a file; nil if there is none, or a link in its path.
  ///
  /// - Throws: The reason why a file that is there cannot be opened.
  func open(_ path: String) throws(SystemError) -> FileDescriptor? {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.openRegular(path, below: folder)
    } catch {
      if error == .isReplaced || [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.number) { return nil }
      throw error
    }
    do throws(SystemError) {
      if try file.status().kind == .regular { return file }
    } catch {
      file.close()
      throw error
    }
    file.close()
    return nil
  }

  /// Reads and describes an open file, which is closed.
  func read(_ file: FileDescriptor, at path: String) -> Entry? {
    defer { file.close() }
    guard let stamp = FileStamp(file), let size = try? file.status().size else { return nil }
    var digest = ContentDigest()
    var bytes: [UInt8] = []
    while let part = try? file.read(atMost: 256 * 1024) {
      guard !part.isEmpty else {
        let entry = Entry(stamp: stamp, tag: EntityTag.tag(digest.text), bytes: size <= Self.smallBytes ? bytes : nil)
        // A file that changes while it is read is not remembered.
        if bytes.count <= Self.smallBytes { remember(entry, at: path) }
        return entry
      }
      digest.update(part)
      if size <= Self.smallBytes { bytes += part }
    }
    return nil
  }

  private func remember(_ entry: Entry, at path: String) {
    state.withLock { state in
      let count = entry.bytes?.count ?? 0
      if state.byteCount + count > Self.memoryBytes || state.entries.count >= Self.entryLimit { state = State() }
      let last = state.entries.updateValue(entry, forKey: path)
      state.byteCount += count - (last?.bytes?.count ?? 0)
    }
  }

  /// The header of a file.
  func fields(_ path: String, _ tag: String) -> [(name: String, value: String)] {
    [
      ("content-type", path.hasSuffix(".json") ? "application/json" : "application/octet-stream"), ("etag", tag),
      ("cache-control", cacheControl(path)), ("x-content-type-options", "nosniff"),
    ]
  }

  private func cacheControl(_ path: String) -> String {
    Self.isImmutable(path) ? "\(isPublic ? "public" : "private"), max-age=31536000, immutable" : "no-cache"
  }

  /// Whether the content at a path never changes: its name begins with a version or a hash.
  static func isImmutable(_ path: String) -> Bool {
    let name = Path.name(of: path)
    let beginning = name.prefix { $0 != "." }
    guard beginning.utf8.count < name.utf8.count else { return false }
    if path.hasPrefix("metadata/") { return beginning.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    return beginning.utf8.count >= 64
      && beginning.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension Hub {
  /// A file of the repository.
  func file(_ encoded: String, _ head: HTTPRequestHead) throws(Problem) -> Answer {
    guard let path = RepositoryFiles.path(encoded) else { throw Self.noFile }
    if let entry = files.known(path) {
      if entry.bytes != nil || isUnchanged(entry, head) { return .now(try response(entry, path, head)) }
      return .later(reading) { [self] in respond { () throws(Problem) in try response(entry, path, head) } }
    }
    guard let file = try open(path) else { throw Self.noFile }
    let isSmall = (try? file.status().size).map { $0 <= RepositoryFiles.smallBytes } ?? false
    let read: @Sendable () throws(Problem) -> HTTPResponse = { [self] () throws(Problem) in
      guard let entry = files.read(file, at: path) else { throw Problem(.internalError, "the file cannot be read") }
      return try response(entry, path, head)
    }
    return isSmall ? .now(respond(read)) : .later(reading) { [self] in respond(read) }
  }

  private func open(_ path: String) throws(Problem) -> FileDescriptor? {
    do throws(SystemError) {
      return try files.open(path)
    } catch {
      log.note(.error, "repository", [("detail", .string(error.diagnostic(reading: path).message))])
      throw Problem(.internalError, "the file cannot be read; the log of the hub has the reason")
    }
  }

  private static var noFile: Problem {
    var problem = Problem(.notFound, "the repository has no such file")
    // Clients look for the next version of a root until there is one.
    problem.fields = [("cache-control", "no-cache")]
    return problem
  }

  private func isUnchanged(_ entry: RepositoryFiles.Entry, _ head: HTTPRequestHead) -> Bool {
    head["if-none-match"].map { EntityTag.matches($0, entry.tag, isWeak: true) } ?? false
  }

  private func response(
    _ entry: RepositoryFiles.Entry, _ path: String, _ head: HTTPRequestHead
  ) throws(Problem) -> HTTPResponse {
    let fields = files.fields(path, entry.tag)
    if isUnchanged(entry, head) { return HTTPResponse(304, fields.filter { $0.name != "content-type" }) }
    if let bytes = entry.bytes { return HTTPResponse(200, fields, body: bytes) }
    guard let file = try open(path), FileStamp(file) == entry.stamp, let size = try? file.status().size else {
      throw Problem(.unavailable, "the file is being replaced; try again")
    }
    return HTTPResponse(200, fields, .file(file, count: size))
  }
}
