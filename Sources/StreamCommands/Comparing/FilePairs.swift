internal import StreamConsole
internal import StreamCore
internal import StreamFiles

/// Determines the pairs of files from the arguments of `diff`.
enum FilePairs {
  /// Two files, or the files of two directories by their paths in them; a file and a directory are compared as the file
  /// of that name in it.
  ///
  /// - Throws: why there is nothing to compare.
  static func find(_ old: String, _ new: String) throws(Diagnostics) -> (pairs: [FilePair], areOfDirectories: Bool) {
    if old == StandardInput.argument, new == StandardInput.argument {
      throw Diagnostics(.invalidArgument, "both files are standard input", help: "give the path of one of them")
    }
    let directories = (isDirectory(old), isDirectory(new))
    switch directories {
    case (true, true): return (try files(of: old, new), true)
    case (true, false): return ([FilePair(name: new, old: Path.join(old, Path.name(of: new)), new: new)], false)
    case (false, true): return ([FilePair(name: old, old: old, new: Path.join(new, Path.name(of: old)))], false)
    case (false, false): return ([FilePair(name: new, old: old, new: new)], false)
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    path != StandardInput.argument && Directory.isDirectory(path)
  }

  private static func files(of old: String, _ new: String) throws(Diagnostics) -> [FilePair] {
    let before = try names(in: old)
    let after = try names(in: new)
    return Set(before).union(after).sorted().map { name in
      FilePair(
        name: name, old: before.contains(name) ? Path.join(old, name) : nil,
        new: after.contains(name) ? Path.join(new, name) : nil)
    }
  }

  /// The stream files of a directory by their paths in it.
  private static func names(in directory: String) throws(Diagnostics) -> [String] {
    do throws(SystemError) {
      let prefix = Path.join(directory, "x").utf8.count - 1
      return try Directory.jsonFiles(in: directory).map { Path.dropFirst(prefix, of: $0) }
    } catch {
      throw Diagnostics([error.diagnostic(reading: directory)])
    }
  }
}
