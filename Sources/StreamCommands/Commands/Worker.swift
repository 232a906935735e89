internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamPartition

/// `streamrun worker FILE`: runs keys of a partitioned stream for an engine.
struct Worker: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Runs the keys of a partitioned stream for an engine such as Flink.",
    discussion: """
      Reads frames from standard input, and writes an answer to each on standard output, until the input ends: see \
      'The Worker Protocol' in the documentation. Standard error is the log. People start it to check a file; engines \
      start it to run one.

      Examples:
        streamrun worker --check stream.json
        streamrun worker stream.json --restore-old yesterday.json
        streamrun worker stream.json --set quiet=10 --restore-old stream.json --restore-set quiet=5
      """)

  @Argument(help: "The stream file, which must have a 'partition'.", completion: .file(extensions: ["json"]))
  var file: String

  @Flag(help: "Checks whether the keys of the file can be divided among machines, and describes how it runs.")
  var check = false

  @Option(
    help: ArgumentHelp(
      "Also continues from the state that this version of the file has saved. May be repeated.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var restoreOld: [String] = []

  @Option(
    help: ArgumentHelp(
      "A parameter of the versions of --restore-old, if it had another value: --restore-set quiet=5.",
      valueName: "name=value"))
  var restoreSet: [NamedArgument] = []

  @OptionGroup var arguments: CompileArgumentOptions

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let partition = try PartitionFile(file, loader, try arguments.arguments())
    let former = try PartitionFile.former(restoreOld, loader, arguments.request, setting: restoreSet)
    if check { return try describe(partition, console) }
    guard !FileDescriptor.standardInput.isTerminal else {
      throw Diagnostics(
        .invalidArgument, "a worker reads frames of an engine, and standard input is a terminal",
        help: "add --check to check the file, or run it with 'streamrun run'")
    }
    let session = WorkerSession(
      partition, former: former, input: .standardInput, output: .standardOutput, log: console.say)
    return session.run()
  }

  private func describe(_ file: PartitionFile, _ console: Console) throws(Diagnostics) -> Int32 {
    do throws(StageError) {
      let stage = try PartitionStage(file, stage: 0, log: console.say)
      console.output.appendLine(file.summary(usesRows: stage.usesRows))
      return ExitCode.good
    } catch {
      throw Diagnostics(.streamFailed, error.message)
    }
  }
}
