internal import ArgumentParser
internal import StreamRuntime

/// What `streamrun diff` understands beside files: how both versions are run.
struct BehaviorOptions: ParsableArguments {
  @Flag(
    help: "Runs both versions in virtual time, on the tests of both files or on --input, and compares what they say.")
  var behavior = false

  @Option(
    help: ArgumentHelp(
      "Feeds an input of both versions from a file of one JSON value a line, with --behavior.", valueName: "name=path"))
  var input: [NamedArgument] = []

  @Option(
    help: ArgumentHelp(
      "The data's own clock: an expression over 'value' that gives a timestamp, or milliseconds since 1970.",
      valueName: "expression"))
  var eventTime: String?

  @Option(help: ArgumentHelp("Compares no more values than these of a run on --input.", valueName: "count"))
  var limit = 100_000

  @Option(name: .customLong("for"), help: ArgumentHelp("Runs on --input no longer than this.", valueName: "seconds"))
  var seconds: Double?

  @OptionGroup var work: WorkOptions

  /// Refuses options that do not go together.
  func validate(_ format: DiffFormat) throws {
    if !behavior, !input.isEmpty || eventTime != nil || seconds != nil {
      throw ValidationError("--input, --event-time and --for go with --behavior")
    }
    if behavior, format == .patch || format == .mergePatch {
      throw ValidationError("what both say is no patch: with --behavior the format is text or json")
    }
    if eventTime != nil, input.isEmpty { throw ValidationError("--event-time needs an input that is fed: add --input") }
    if limit < 1 { throw ValidationError("--limit is \(limit); expected 1 or more") }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for is \(seconds); expected 0 seconds or more") }
    if input.contains(where: { $0.text == StandardInput.argument }) {
      throw ValidationError("both versions read the recording: it cannot be standard input")
    }
  }

  /// The latest time of a run on recordings.
  var until: StreamTime? { seconds.map(StreamTime.init(seconds:)) }
}
