internal import StreamCore

/// The stream files that paths name: files, and all `*.json` of directories.
enum StreamFiles {
  /// The paths of the files, in the order given, those of a directory sorted; and what is wrong with paths.
  static func find(_ paths: [String]) -> (files: [String], problems: Diagnostics) {
    var files: [String] = []
    var problems = Diagnostics()
    for path in paths {
      guard path != StandardInput.argument, Directory.isDirectory(path) else {
        files.append(path)
        continue
      }
      do throws(SystemError) {
        let found = try Directory.jsonFiles(in: path)
        if found.isEmpty {
          problems.append(Diagnostic(.fileNotFound, "there is no file in '\(path)' whose name ends in .json"))
        }
        files += found
      } catch {
        problems.append(error.diagnostic(reading: path))
      }
    }
    return (files, problems)
  }
}
