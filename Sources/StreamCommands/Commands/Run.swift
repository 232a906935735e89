internal import ArgumentParser
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// `streamrun FILE`: runs a stream.
struct Run: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a stream (what streamrun does if nothing else is said).",
    discussion: """
      Standard input, where it is no terminal, feeds the input named 'stdin', or the only input. A value is printed as \
      soon as the stream publishes it.

      Examples:
        streamrun stream.json
        tail -f events.ndjson | streamrun stream.json
        streamrun stream.json --input a=a.ndjson --input b=- --set rate=0.5 --format csv
        streamrun stream.json --event-time 'timestamp(value.time)' --timestamps < recording.ndjson
        streamrun stream.json --virtual --for 60 --format marbles
      """)

  @OptionGroup var options: RunOptions
  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader(flushes: true)
    let stream = try loader.load(options.file)
    let compiled = try stream.compile(CompileOptions(loader: loader, files: loader, host: Host(hooks: .any)))
    let report = SkipReport(console, skips: options.skipErrors)
    let clock = try eventClock(console)

    var assignment = InputAssignment(
      stream, compiled, readsStandardInput: readsStandardInput)
    let files = assignment.files(options.input)
    for argument in options.set { console.remember(argument.source(option: "--set")) }
    let pipeline = assignment.pipeline(setting: options.set)
    assignment.requireFed(files, pipeline.inputs)
    if clock != nil, files.isEmpty {
      throw Diagnostics([
        Diagnostic(.invalidArgument, "--event-time needs an input that is fed", help: "write --input NAME=FILE")
      ])
    }
    try assignment.problems.throwErrors()

    let feeds = try InputFeeds(streamFile: options.file, assignment, report).open(files)
    return StreamRun(
      options: options, pipeline: pipeline, feeds: feeds, eventClock: clock,
      explanation: FailureExplanation(stream: stream, loader: loader), console: console, report: report
    ).run()
  }

  /// Whether standard input is there to feed an input.
  private var readsStandardInput: Bool {
    let file = FileDescriptor.standardInput
    return options.file != StandardInput.argument && file.isOpen && !file.isTerminal
  }

  private func eventClock(_ console: Console) throws(Diagnostics) -> EventClock? {
    guard let text = options.eventTime else { return nil }
    console.remember(SourceText(file: EventClock.file, text: text))
    return try EventClock(text)
  }
}
