internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The stream files that paths name: files, and all `*.json` of directories.
enum NamedStreamFiles {
  /// Returns the paths of the files in the order given, sorted within a directory, and the errors for invalid paths.
  ///
  /// - Throws: A diagnostic if standard output is one of the files: a report on the others would become part of it.
  static func find(
    _ paths: [String], _ console: Console
  ) throws(Diagnostics) -> (files: [String], problems: Diagnostics) {
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
    for file in files where file != StandardInput.argument {
      try Diagnostics.listing { () throws(Diagnostic) in try console.usedFiles.checkInput(file) }
    }
    return (files, problems)
  }

  /// Processes the files in order until the program is asked to stop; then reports the number of remaining files.
  ///
  /// - Parameters:
  ///   - done: The past participle for the work, such as `checked`.
  ///   - failed: Receives the errors of a file that could not be processed, unless an interruption is the reason.
  /// - Returns: False if the program was asked to stop.
  static func forEach(
    _ files: [String], _ console: Console, done: String, _ work: (String) throws(Diagnostics) -> Void,
    failed: (Diagnostics) -> Void
  ) -> Bool {
    for (number, file) in files.enumerated() {
      do throws(Diagnostics) {
        if Interruption.hasHappened { throw Diagnostics() }
        try work(file)
      } catch {
        // NB: a file that could not be read to its end because of the signal is one of those that are left.
        if Interruption.hasHappened {
          console.say(
            "interrupted: \((files.count - number).counted("file")) of \(files.count) not \(done)")
          return false
        }
        failed(error)
      }
    }
    return true
  }
}
