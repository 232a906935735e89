package import StreamCore
internal import StreamEngine
package import StreamFiles
package import StreamKit

/// A stream file prepared for a run with the given arguments.
package struct PreparedStream {
  package let stream: StreamFile
  let loader: FileLoader
  let compileOptions: CompileOptions
  /// The operators that are observed, and all others.
  let probes: ProbeSelection
  /// The compiled stream, with the initial values from the arguments.
  let version: StreamVersion
  let assignment: InputAssignment
  /// The path of the file for each input that is fed, by the input's number.
  let files: [(number: Int, path: String)]
  /// The names of the functions that the stream calls.
  let calledFunctions: [String]
  /// The names of the operators and sources to which a length of time applies.
  let timedParts: [String]
  /// Notes strings that are ordered although they are numbers, if an input is a table without types.
  let textOrder: TextOrderLog?
  /// Maximum number of threads; nil for the best number.
  let threads: Int?
  /// The format of these files.
  let format: InputFormat
  /// Whether the files grow.
  let follows: Bool
  /// Whether the positions in the files are saved.
  private var savesState = false

  /// Reads and compiles the file, and checks that its inputs are fed.
  ///
  /// - Parameter loader: Records the texts it reads on the console.
  /// - Throws: All errors in the file and the arguments.
  package init(_ options: RunRequest, _ loader: FileLoader, console: Console) throws(Diagnostics) {
    (threads, format, follows) = (options.threads, options.inputFormat, options.follows)
    savesState = options.state != nil
    if savesState { loader.keepHashes() }
    try options.calls.check()
    stream = try loader.load(options.file)
    self.loader = loader
    let model = stream.model
    var compileOptions = try options.compile.arguments()
      .options(for: model, loader, host: options.calls.host, setsInputs: true)
    let (remarks, functions, timed) = (RemarkLog(), FunctionLog(), FunctionLog())
    (compileOptions.calledFunctions, compileOptions.timedParts) = (functions, timed)
    textOrder = options.hasUntypedTables ? TextOrderLog() : nil
    compileOptions.textOrder = textOrder
    compileOptions.valuesHaveTimes = options.eventTime.expression != nil
    compileOptions.remarks = remarks
    probes = console.tap?.selection ?? .none
    compileOptions.probes = probes.choose
    self.compileOptions = compileOptions
    let set = options.compile.set.filter { model.parameters[$0.name] == nil }
    let compiled = try StreamVersion(stream, compileOptions)
    (calledFunctions, timedParts) = (functions.names, timed.names)
    try probes.checkNames(option: "--tap")
    let explanation = FailureExplanation(stream: stream, loader: loader)
    console.reportOnce(remarks.all.map(explanation.locate))
    var assignment = InputAssignment(
      stream, compiled.pipeline, readsStandardInput: Self.readsStandardInput(options))
    files = assignment.files(options.input, setting: set)
    for argument in set { console.remember(argument.source(option: "--set")) }
    let inputs = assignment.pipeline(setting: set).inputs
    version = compiled.declaring(inputs)
    assignment.requireFed(files, inputs)
    if options.eventTime.expression != nil, files.isEmpty {
      throw Diagnostics(.invalidArgument, "--event-time needs an input with values", help: "write --input NAME=FILE")
    }
    if follows, !files.contains(where: { $0.path != StandardInput.argument }) {
      throw Diagnostics(
        .invalidArgument, "--follow is for files that grow; no file feeds an input", help: "write --input NAME=FILE")
    }
    try assignment.problems.throwErrors()
    self.assignment = assignment
    // There is one more thread at most.
    if files.isEmpty { loader.readAhead(ReadAheadPolicy(threads: threads)) }
  }

  /// Checks that the arguments do not contradict the clocks of the inputs.
  func check(_ clocks: InputClocks, _ options: RunRequest) throws(Diagnostics) {
    let writesLate = clocks.all.contains { $0.time.late == .output }
    try requireLateOutput(clocks, options)
    if options.output.late != nil, !writesLate {
      throw Diagnostics(
        .invalidArgument, "--late-output is for values whose 'late' is \"output\"",
        help: "write --late output, or \"late\": \"output\" in the file, or remove the option")
    }
    guard !clocks.isEmpty else {
      if options.format == .marbles, !options.virtual, options.limit == nil, options.seconds == nil {
        throw Diagnostics(
          .invalidArgument, "--format marbles is printed at the end of a run, by the time of the stream",
          help: "add --virtual, --event-time, --limit or --for")
      }
      return
    }
    if options.virtual {
      throw Diagnostics(
        .invalidArgument, "--virtual cannot be combined with an input that says when its values happened",
        help: "the stream runs by the times of its values; remove the option")
    }
    if stream.model.partition?.time != nil, !options.eventTime.isEmpty {
      throw Diagnostics(
        .invalidArgument, "\(options.eventTime.firstOption) cannot be combined with a partition that has a 'time'",
        help: "the stream runs by the times of its values; remove the option")
    }
  }

  /// Checks that late values that are kept apart go somewhere: to a file, or to a stream that reads them.
  func requireLateOutput(_ clocks: InputClocks, _ options: RunRequest) throws(Diagnostics) {
    guard options.output.late == nil else { return }
    for (number, input) in version.pipeline.inputs.enumerated() where clocks[input.name]?.time.late == .output {
      guard version.pipeline.lateInput(of: number) == nil else { continue }
      throw Diagnostics(
        .invalidArgument, "late values of the input '\(input.name)' have no output",
        help: "write --late-output FILE, or read them in the file: "
          + "{\"source\": {\"input\": {\"name\": \(JSONWriter.compact(.string(input.name))), \"late\": true}}}")
    }
  }

  /// Whether standard input is there to feed an input.
  private static func readsStandardInput(_ options: RunRequest) -> Bool {
    let file = FileDescriptor.standardInput
    return options.file != StandardInput.argument && file.isReadable && !file.isTerminal
  }

  var explanation: FailureExplanation { FailureExplanation(stream: stream, loader: loader) }

  /// Opens the feeds of the inputs.
  ///
  /// - Parameters:
  ///   - open: The files to keep at their current positions.
  ///   - positions: The positions from which the inputs continue. Default none: each file is read from its start.
  ///   - feedsAgain: Whether a pipe brings again what has been read of it. Default false.
  package func feeds(
    keeping open: [FileFeed] = [], _ report: SkipReport, resuming positions: [FeedPosition] = [],
    feedsAgain: Bool = false
  ) throws(Diagnostics) -> [FileFeed] {
    try FileFeeds(
      streamFile: stream.document.file, assignment, report, format: format,
      readingAhead: ReadAheadPolicy(threads: threads), resuming: positions, feedsAgain: feedsAgain, follows: follows,
      savesPositions: savesState
    ).open(files, keeping: open)
  }
}
