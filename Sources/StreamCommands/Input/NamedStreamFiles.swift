internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// Paths of stream files and of directories with them.
struct NamedPaths: ParsableArguments {
  @Argument(help: "Stream files, or directories of them; - is standard input.", completion: .file())
  var paths: [String]

  @Flag(help: "Takes all *.json files of directories, also those that have no member of a stream file.")
  var all = false
}

/// Paths of stream files and of directories with them, or a one-liner.
struct NamedStreams: ParsableArguments {
  @Argument(help: "Stream files, or directories of them; - is standard input.", completion: .file())
  var paths: [String] = []

  @Option(
    name: .customShort("e"),
    help: ArgumentHelp(
      "Takes a stream in its short form instead of files, such as 'filter(value > 1) | count()'.",
      valueName: "one-liner"),
    completion: .custom(OneLinerCompletion.candidates))
  var oneLiner: String?

  @Flag(help: "Takes all *.json files of directories, also those that have no member of a stream file.")
  var all = false

  func validate() throws {
    if paths.isEmpty, oneLiner == nil { throw ValidationError("Missing expected argument '<paths> ...'") }
    if let first = paths.first, oneLiner != nil {
      throw ValidationError(StreamArgument.message(about: first))
    }
  }

  /// Returns the files as `NamedStreamFiles.find` does.
  func find(_ console: Console) throws(Diagnostics) -> (files: [String], problems: Diagnostics) {
    if oneLiner != nil { return ([ShortForm.file], Diagnostics()) }
    return try NamedStreamFiles.find(paths, takesAll: all, console)
  }
}

/// The stream files that paths name: files, and the `*.json` of directories that are stream files.
enum NamedStreamFiles {
  /// Returns the paths of the files in the order given, sorted within a directory, and the errors for invalid paths.
  ///
  /// The number of other JSON files is reported.
  ///
  /// - Throws: A diagnostic if standard output is one of the files: a report on the others would become part of it.
  static func find(
    _ named: NamedPaths, _ console: Console
  ) throws(Diagnostics) -> (files: [String], problems: Diagnostics) {
    try find(named.paths, takesAll: named.all, console)
  }

  fileprivate static func find(
    _ paths: [String], takesAll: Bool, _ console: Console
  ) throws(Diagnostics) -> (files: [String], problems: Diagnostics) {
    var files: [String] = []
    var problems = Diagnostics()
    let loader = console.makeLoader()
    for path in paths {
      guard path != StandardInput.argument, Directory.isDirectory(path) else {
        files.append(path)
        continue
      }
      do throws(SystemError) {
        let all = try Directory.jsonFiles(in: path)
        let found = takesAll ? all : all.filter { isStreamFile($0, loader) }
        if all.isEmpty {
          problems.append(Diagnostic(.fileNotFound, "there is no file in '\(path)' whose name ends in .json"))
        } else if found.isEmpty {
          problems.append(
            Diagnostic(
              .fileNotFound, "there is no stream file among the \(all.count.counted("JSON file")) in '\(path)'",
              help: "--all takes them all"))
        } else if found.count < all.count {
          let count = (all.count - found.count).counted("other JSON file")
          console.say("note: \(count) in '\(path)' left out; --all takes them, too")
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

  /// Whether a file has a member of a stream file. One that is not valid JSON may be a stream file with an error if it
  /// mentions such a member.
  private static func isStreamFile(_ path: String, _ loader: FileLoader) -> Bool {
    guard Directory.hasRegularFile(at: path), let text = try? loader.text(of: path) else { return true }
    guard let document = try? loader.document(of: text) else {
      let start = String(decoding: text.bytes.prefix(Self.beginning), as: UTF8.self)
      return Self.members.contains { start.contains("\"\($0)\"") }
    }
    guard case .map(let members) = document.value else { return false }
    return members.isEmpty
      || Self.members.contains { name in
        switch members[name] {
        case .map, .list: true
        default: false
        }
      }
  }

  /// The number of bytes of a file that are looked through for the name of a member.
  private static let beginning = 64 * 1024

  private static let members = ["stream", "source", "outputs", "operators", "streams"]

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
