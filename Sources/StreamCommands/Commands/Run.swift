internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit

/// `streamrun FILE`: runs a stream.
struct Run: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a stream. This is the default subcommand.",
    discussion: """
      Standard input, unless it is a terminal, feeds the input named 'stdin', the only input, or the only one that \
      nothing else feeds and that has no initial value. A value is printed as soon as the stream publishes it.

      Examples:
        streamrun stream.json
        tail -f events.ndjson | streamrun stream.json
        streamrun stream.json --input a=a.ndjson --input b=- --set rate=0.5 --format csv
        streamrun stream.json --event-time 'timestamp(value.time)' --timestamps < recording.ndjson
        streamrun stream.json --virtual --for 60 --format marbles
        streamrun --watch stream.json
        streamrun stream.json --tap total,/operators/0 --socket run < events.ndjson
        streamrun stream.json --metrics /var/lib/node_exporter/stream.prom --log json
        streamrun stream.json --sandbox --allow-read rates.csv --memory 200MB --time-per-value 10ms
        streamrun stream.json --record run.ndjson < events.ndjson
        streamrun -e 'filter(value.mag >= 4.5) | count()' < events.ndjson
        streamrun -e 'filter(value.mag >= 4.5) | count()' --print-model > stream.json
      """)

  @OptionGroup var stream: StreamArgument

  @OptionGroup var options: RunOptions

  @Flag(
    help: """
      Watches the file and the stream files it refers to, but no files of data. When they change, the running stream \
      continues as the new version and keeps its state as far as possible. A completed stream is restarted.
      """)
  var watch = false

  @Flag(help: "Prints the stream as a JSON file instead of running it: the long form of -e.")
  var printModel = false

  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var log: LogFormat { options.log }
  var memoryLimit: ByteCount { options.memoryLimit }
  var oneLiner: String? { stream.oneLiner }
  var compile: CompileRequest { options.request(stream.file).compile }
  var access: FileAccess {
    var access = reading.access(naming: [])
    access.isSandboxed = options.isSandboxed
    if access.isSandboxed { access.granted += options.namedFiles }
    return access
  }

  func validate() throws {
    guard watch else { return }
    if stream.oneLiner != nil { throw ValidationError("--watch needs the path of a file; -e cannot be watched") }
    if stream.file == StandardInput.argument {
      throw ValidationError("--watch needs the path of a file; standard input cannot be watched")
    }
    if options.format == .marbles {
      throw ValidationError(
        "--watch and --format marbles cannot be combined: a diagram shows a single version of a stream")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    if printModel {
      let loader = console.makeLoader()
      let loaded = try loader.load(stream.file)
      let compile = options.request(stream.file).compile
      let arguments = try compile.arguments()
      let pipeline = try loaded.compile(arguments.options(for: loaded.model, loader, setsInputs: true))
      var assignment = InputAssignment(loaded, pipeline, readsStandardInput: false)
      _ = assignment.pipeline(setting: compile.set.filter { loaded.model.parameters[$0.name] == nil })
      try assignment.problems.throwErrors()
      var model = options.request(stream.file).eventTime.written(into: loaded.model)
      model.seed = compile.seed ?? model.seed
      console.output.appendJSON(model.json)
      return ExitCode.good
    }
    var request = options.request(stream.file)
    request.watch = watch
    return try request.perform(console)
  }
}

extension RunRequest {
  /// Creates the request for a command line with a single argument, the path of a file; nil for other command lines,
  /// which the argument parser reads.
  ///
  /// NB: Most command lines have this form, and skipping the argument parser halves the time to the first value.
  init?(plain arguments: [String]) {
    guard arguments.count == 1, let file = arguments.first, !file.isEmpty, !file.utf8.starts(with: "-".utf8),
      !Streamrun.subcommandNames.contains(file)
    else { return nil }
    self.init(file: file)
    memory = .standardMemory
  }
}
