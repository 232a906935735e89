internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// `streamrun state`: reads, checks and copies the saved states of runs.
struct State: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Shows, checks, exports and imports the saved state of a run.",
    discussion: """
      'streamrun FILE --state DIR' keeps the state of a run in a folder: its two newest states are there. The stream \
      file is not needed to read them.

      Examples:
        streamrun state show DIR
        streamrun state verify DIR
        streamrun state export DIR -o state.json
        streamrun state import DIR < state.json
      """,
    subcommands: [ShowState.self, VerifyState.self, ExportState.self, ImportState.self])
}

/// The folder of a state, and the choice of one state in it.
struct StateFolderOptions: ParsableArguments {
  @Argument(help: "The folder that --state has named.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("The number of the state; default the newest.", valueName: "number"))
  var number: Int?

  /// Reads the state.
  func read() throws(Diagnostics) -> (entry: StateFolder.Entry, saved: SavedRun) {
    try Diagnostics.listing { () throws(Diagnostic) in
      let folder = try StateFolder.reading(self.folder)
      if let number {
        let entries = try folder.entries()
        guard let entry = entries.first(where: { $0.number == number }) else {
          throw Diagnostic(
            .fileNotFound, "there is no state \(number) in '\(folder.path)'",
            help: "states: \(entries.map { String($0.number) }.joined(separator: ", "))")
        }
        return (entry, try folder.read(entry))
      }
      guard let newest = try folder.newest() else {
        throw Diagnostic(
          .fileNotFound, "there is no state in '\(folder.path)'", help: "streamrun FILE --state DIR saves one")
      }
      return newest
    }
  }
}

/// `streamrun state show DIR`.
struct ShowState: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints what a saved state holds, as JSON.",
    discussion: """
      The positions in the inputs, the lengths of the outputs, and for each operator the size of its state, the number \
      of its instances, such as one for each group, and the states of the first of them.

      Examples:
        streamrun state show DIR
        streamrun state show DIR --instances 1000 | jq '.operators[] | select(.name == "scan")'
      """)

  @OptionGroup var options: StateFolderOptions

  @Option(help: "Maximum number of instances of an operator whose states are shown.")
  var instances = 10

  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { FileAccess() }

  func validate() throws {
    if instances < 0 { throw ValidationError("--instances is \(instances); expected 0 or more") }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (entry, saved) = try options.read()
    let value = saved.description(of: entry.path, instances: instances)
    console.output.appendJSON(value)
    return ExitCode.good
  }
}

/// `streamrun state verify DIR`.
struct VerifyState: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks that the states in a folder are whole, and that their streams are valid.",
    discussion: """
      Examples:
        streamrun state verify DIR
      """)

  @Argument(help: "The folder that --state has named.", completion: .directory)
  var folder: String

  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { FileAccess() }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let folder = try Diagnostics.listing { () throws(Diagnostic) in try StateFolder.reading(self.folder) }
    let entries = try Diagnostics.listing { () throws(Diagnostic) in try folder.entries() }
    if entries.isEmpty { console.say("there is no state in '\(folder.path)'") }
    var isWrong = false
    for entry in entries {
      do throws(Diagnostics) {
        let saved = try Diagnostics.listing { () throws(Diagnostic) in try folder.read(entry) }
        try saved.verify()
        console.output.appendLine("\(entry.path): whole, saved at \(saved.savedAt) of '\(saved.content.stream.file)'")
      } catch {
        isWrong = true
        console.report(error)
      }
    }
    return isWrong ? ExitCode.wrong : ExitCode.good
  }
}

/// `streamrun state export DIR`.
struct ExportState: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a saved state as one JSON text.",
    discussion: """
      Examples:
        streamrun state export DIR -o state.json
        streamrun state export DIR | jq .inputs
      """)

  @OptionGroup var options: StateFolderOptions

  @Option(name: [.short, .long], help: "The file to write. Default standard output.", completion: .file())
  var output: String?

  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { FileAccess() }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let (_, saved) = try options.read()
    let bytes = try Diagnostics.listing { () throws(Diagnostic) in try saved.text() }
    try ResultFile.write(bytes + [UInt8(ascii: "\n")], to: output, console)
    return ExitCode.good
  }
}

/// `streamrun state import DIR`.
struct ImportState: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes an exported state the newest one of a folder.",
    discussion: """
      The text is checked first, and the stream in it. The folder is created if it does not exist; no run may use it.

      Examples:
        streamrun state import DIR < state.json
        streamrun state import DIR --input state.json
      """)

  @Argument(help: "The folder for --state.", completion: .directory)
  var folder: String

  @Option(name: [.short, .long], help: "The file to read. Default standard input.", completion: .file())
  var input = StandardInput.argument

  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { FileAccess() }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let name = input == StandardInput.argument ? StandardInput.name : input
    let bytes = try Diagnostics.listing { () throws(Diagnostic) in try StateFolder.exported(input, name) }
    let saved = try Diagnostics.listing { () throws(Diagnostic) in try SavedRun(reading: bytes, file: name) }
    try saved.verify()
    let entry = try Diagnostics.listing { () throws(Diagnostic) in
      try StateFolder.opening(folder).add(saved)
    }
    console.say("wrote '\(entry.path)'")
    return ExitCode.good
  }
}
