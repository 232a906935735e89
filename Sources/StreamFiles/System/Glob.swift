internal import CLibrary

/// Patterns for paths, as a shell expands them: `*`, `?` and `[…]`.
package enum Glob {
  /// Whether a path is a pattern: it has a special character, and there is no file of exactly this name.
  package static func isPattern(_ path: String) -> Bool {
    path.utf8.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B } && (try? FileStatus(path)) == nil
  }

  /// The files that a pattern matches, in the order of the bytes of their paths. Directories are left out.
  package static func files(_ pattern: String) -> [String] {
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
    let paths = (0..<Int(result.gl_pathc)).compactMap { result.gl_pathv[$0].map { String(cString: $0) } }
    return paths.filter { (try? FileStatus($0).kind) ?? .directory != .directory }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a pattern matches a path.
  package static func matches(_ pattern: String, _ path: String) -> Bool {
    fnmatch(pattern, path, FNM_PATHNAME | FNM_PERIOD) == 0
  }
}
