internal import StreamCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks into directories of the operating system.
enum Directory {
  /// The names in a directory, sorted; `.` and `..` are left out.
  static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw SystemError.latest }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether the path leads to a directory; links are followed.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The files of a directory and of those within it whose names end in `.json`, sorted.
  ///
  /// What begins with a dot is left out; links to directories are not followed, so that a circle of them does no harm.
  static func jsonFiles(in path: String) throws(SystemError) -> [String] {
    var files: [String] = []
    var waiting = [path]
    while let directory = waiting.popLast() {
      for name in try names(in: directory) where !name.hasPrefix(".") {
        let child = Path.join(directory, name)
        var status = stat()
        guard lstat(child, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          waiting.append(child)
        } else if name.hasSuffix(".json") {
          files.append(child)
        }
      }
    }
    return files.sorted()
  }

  /// The path of a file that stands beside the one that is missing and has nearly its name, but another one.
  static func nearestName(to path: String) -> String? {
    let directory = Path.directory(of: path)
    let name = Path.name(of: path)
    guard let names = try? names(in: directory),
      let near = StreamCore.nearestName(to: name, among: names.filter { $0 != name })
    else { return nil }
    return path.contains("/") ? Path.join(directory, near) : near
  }
}

/// Paths as texts.
enum Path {
  /// What stands in front of the last slash; `.` where there is none.
  static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What stands behind the last slash.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// A path seen from a directory; an absolute one stays as it is.
  static func join(_ directory: String, _ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty || directory == "." { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }

  /// The one absolute path without links that leads to an existing file.
  ///
  /// - Throws: `ENOENT` also for what has no path, as a pipe behind `/dev/fd/63`.
  static func real(_ path: String) throws(SystemError) -> String {
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    guard let resolved = realpath(path, nil) else { throw SystemError.latest }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The working directory.
  static var current: String { (try? real(".")) ?? "/" }
}
