internal import CLibrary
internal import StreamCore

/// Looks into directories of the operating system.
package enum Directory {
  /// The names in a directory, sorted; `.` and `..` are left out.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let names = SystemCalls.names(in: path) else { throw SystemError.latest }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Creates a directory, unless it exists. Its parent must exist.
  ///
  /// - Parameter isPrivate: Whether only the owner may look into it. Default false.
  package static func create(_ path: String, isPrivate: Bool = false) throws(SystemError) {
    guard SystemCalls.makeFolder(path, isPrivate ? 0o700 : 0o777) != 0 else { return }
    let error = SystemError.latest
    guard error.number == EEXIST, isDirectory(path) else { throw error.number == EEXIST ? .notADirectory : error }
  }

  /// Creates a directory and those around it, unless they exist.
  package static func createAll(_ path: String) throws(SystemError) {
    if isDirectory(path) { return }
    let parent = Path.directory(of: path)
    if parent != path { try createAll(parent) }
    try create(path)
  }

  /// Whether the path leads to a directory; links are followed.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether the path leads to a regular file, which can be read twice; links are followed.
  package static func hasRegularFile(at path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Creates a directory for temporary files, which only the user can read.
  ///
  /// - Parameter name: The beginning of its name.
  package static func createTemporary(_ name: String) throws(SystemError) -> String {
    var template = Array(Path.join(ProcessEnvironment.variable("TMPDIR") ?? "/tmp", "\(name)-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError.latest }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Removes a directory with all that is in it; links are not followed.
  package static func removeAll(_ path: String) {
    for name in (try? names(in: path)) ?? [] {
      let child = Path.join(path, name)
      if !isLink(child), isDirectory(child) { removeAll(child) } else { _ = SystemCalls.remove(child) }
    }
    _ = SystemCalls.removeFolder(path)
  }

  /// Whether the path itself is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The files of a directory and of those within it whose names end in `.json`, sorted.
  ///
  /// Names that begin with a dot are left out. Links to directories are not followed, since they may form a circle.
  package static func jsonFiles(in path: String) throws(SystemError) -> [String] {
    var files: [String] = []
    var waiting = [path]
    while let directory = waiting.popLast() {
      for name in try names(in: directory) where name.utf8.first != UInt8(ascii: ".") {
        let child = Path.join(directory, name)
        var status = stat()
        guard lstat(child, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          // The packages of others.
          if name != "node_modules" { waiting.append(child) }
        } else if name.utf8.suffix(5).elementsEqual(".json".utf8) {
          files.append(child)
        }
      }
    }
    return files.sorted()
  }

  /// The path of a file beside a missing one, with a similar but different name.
  static func nearestName(to path: String) -> String? {
    let directory = Path.directory(of: path)
    let name = Path.name(of: path)
    guard let names = try? names(in: directory),
      let near = StreamCore.nearestName(to: name, among: names.filter { $0 != name })
    else { return nil }
    return path.utf8.contains(UInt8(ascii: "/")) ? Path.join(directory, near) : near
  }
}

/// Operations on paths as strings.
///
/// The system separates names at the byte of a slash, even if the next name begins with a combining character, which
/// forms one `Character` with the slash. Paths are therefore split and compared as UTF-8, never as characters.
package enum Path {
  private static let slash = UInt8(ascii: "/")

  static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// The part of a path before its last slash; `.` if there is no slash.
  package static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The part of a path after its last slash.
  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: slash) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The names that slashes separate in a path.
  static func names(in path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// The path without its first bytes.
  package static func dropFirst(_ count: Int, of path: String) -> String {
    String(Substring(path.utf8.dropFirst(count)))
  }

  /// A path seen from a directory; an absolute path is unchanged.
  package static func join(_ directory: String, _ path: String) -> String {
    if isAbsolute(path) || directory.isEmpty || directory == "." { return path }
    return directory.utf8.last == slash ? directory + path : directory + "/" + path
  }

  /// Returns the absolute path of an existing file, without links.
  ///
  /// - Throws: `ENOENT` also for a file without a path, such as a pipe at `/dev/fd/63`.
  package static func real(_ path: String) throws(SystemError) -> String {
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    guard let resolved = realpath(path, nil) else { throw SystemError.latest }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The working directory; nil if it has been deleted or cannot be reached.
  static var current: String? { try? real(".") }

  /// The path as seen from the root; the path itself if there is no working directory.
  static func absolute(_ path: String) -> String { current.map { join($0, path) } ?? path }

  /// The longest beginning of a path that exists, without links, and the rest of the path; nil if the path is relative
  /// and there is no working directory.
  static func existingPart(of path: String) -> (real: String, rest: String)? {
    var part = path
    var rest = ""
    while part != ".", part != "/" {
      if let real = try? real(part) { return (real, rest) }
      rest = rest.isEmpty ? name(of: part) : join(name(of: part), rest)
      part = directory(of: part)
    }
    guard part == "." else { return (part, rest) }
    return current.map { ($0, rest) }
  }

  /// An absolute path in which each name before `..` is left out with it, as if it were no link.
  static func withoutParents(_ path: String) -> String {
    var names: [String] = []
    for name in Self.names(in: path) where name != "." {
      if name != ".." { names.append(name) } else if !names.isEmpty { names.removeLast() }
    }
    return "/" + names.joined(separator: "/")
  }

  /// The absolute path without links of a file that need not exist.
  ///
  /// - Returns: nil if the path is relative and there is no working directory, or if `..` follows a name that does not
  ///   exist.
  package static func expected(_ path: String) -> String? {
    guard let (real, rest) = existingPart(of: path), !names(in: rest).contains("..") else { return nil }
    return rest.isEmpty ? real : join(real, rest)
  }
}
