package import StreamCore
package import StreamDriving
package import StreamEngine
internal import StreamFiles
package import StreamKit

/// Runs two versions of a stream file on the same data and prints the differences in their output.
package struct BehaviorRun {
  private let options: BehaviorOptions
  private let comparison: FileComparison
  /// The arguments of the old and the new version.
  private let arguments: (old: CompileArguments, new: CompileArguments)
  private var console: Console { comparison.console }

  package init(
    _ options: BehaviorOptions, _ comparison: FileComparison, _ old: CompileArguments, _ new: CompileArguments
  ) {
    self.options = options
    arguments = (old, new)
    self.comparison = comparison
  }

  /// Compares the behavior of two files and returns the exit code.
  package func compare(_ old: String, _ new: String) throws(Diagnostics) -> Int32 {
    let loaders = (console.makeLoader(), console.makeLoader())
    let runs: [(name: String, differences: [String])]
    let streams = (try loaders.0.load(old), try loaders.1.load(new))
    let declared = Set(streams.0.model.parameters.names + streams.1.model.parameters.names)
    try arguments.old.requireDeclared(by: declared)
    let compiling = (
      compileOptions(streams.0, loaders.0, arguments.old), compileOptions(streams.1, loaders.1, arguments.new)
    )
    if options.inputs.input.isEmpty {
      let diff = try BehaviorDiff(
        from: streams.0, to: streams.1, oldOptions: compiling.0, newOptions: compiling.1, workLimit: options.work.limit)
      console.reportOnce(
        streams.0.remarks(loaders.0, arguments.old) + streams.1.remarks(loaders.1, arguments.new))
      runs = diff.runs.map { ($0.name, $0.differences) }
    } else {
      let (first, firstOutputs) = try history(of: streams.0, loaders.0, compiling.0, arguments.old)
      let (second, secondOutputs) = try history(of: streams.1, loaders.1, compiling.1, arguments.new)
      let names = options.inputs.input.map(\.argument).joined(separator: ", ")
      let comparison = HistoryComparison(old: first, new: second, outputs: (firstOutputs, secondOutputs))
      runs = [(names, comparison.differences)]
    }
    if !comparison.isQuiet { print(runs) }
    return runs.allSatisfy(\.differences.isEmpty) ? ExitCode.good : FileComparison.different
  }

  private func compileOptions(
    _ stream: StreamFile, _ loader: FileLoader, _ arguments: CompileArguments
  ) -> CompileOptions {
    var compile = arguments.options(for: stream.model, loader, host: StreamHost(hooks: .any))
    compile.valuesHaveTimes = options.inputs.eventTime.isGiven
    return compile
  }

  private func print(_ runs: [(name: String, differences: [String])]) {
    if comparison.format == .json {
      let list = runs.map { run -> Value in
        [
          "name": .string(run.name), "same": .bool(run.differences.isEmpty),
          "differences": .list(run.differences.map(Value.string)),
        ]
      }
      return console.output.appendJSON(.list(list))
    }
    let different = runs.filter { !$0.differences.isEmpty }
    for run in different {
      console.output.appendLine(run.name.isEmpty ? "differs" : "differs: \(run.name)")
      for line in run.differences { console.output.appendLine("  \(line)") }
    }
    console.output.appendLine("\(runs.count.counted("run")), \(different.count) different")
  }

  // MARK: Recordings

  /// The history of a file when its inputs are fed the recordings, as `run --virtual` or `run --event-time` feeds them,
  /// and the names of its outputs.
  private func history(
    of stream: StreamFile, _ loader: FileLoader, _ options: CompileOptions, _ arguments: CompileArguments
  ) throws(Diagnostics) -> (history: History, outputs: [String]) {
    let compiled = try stream.compile(options)
    console.reportOnce(stream.remarks(loader, arguments))
    let report = SkipReport(console, skips: false, offersSkipping: false)
    var assignment = InputAssignment(stream, compiled, readsStandardInput: false)
    let files = assignment.files(self.options.inputs.input)
    try assignment.problems.throwErrors()
    let feeds = try FileFeeds(
      streamFile: stream.document.file, assignment, report, format: self.options.inputs.inputFormat
    ).open(files)
    let clocks = try InputClocks(self.options.inputs.eventTime.request, of: compiled, console)
    let recorder = HistoryWriter()
    let explanation = FailureExplanation(stream: stream, loader: loader)
    do throws(RunStop) {
      try run(stream, compiled, feeds, clocks, recorder, report, explanation)
    } catch {
      switch error {
      // The stream's own failure belongs to its history, which ends where the arguments say.
      case .enough, .failed: break
      // The rest of the history is not known, so there is nothing to compare.
      case .limited(let failure): throw Diagnostics([explanation.diagnostic(of: failure)])
      case .refused(let diagnostic, let source):
        if let source { console.remember(source) }
        throw Diagnostics([diagnostic])
      case .interrupted, .outputClosed: throw Diagnostics()
      }
    }
    return (recorder.history, stream.model.outputNames)
  }

  private func run(
    _ stream: StreamFile, _ pipeline: Pipeline, _ feeds: [FileFeed], _ clocks: InputClocks, _ recorder: HistoryWriter,
    _ report: SkipReport, _ explanation: FailureExplanation
  ) throws(RunStop) {
    let queues = RecordQueues(clocks)
    let session = RunSession(
      StreamSession(pipeline, origin: try queues.origin(of: feeds), limit: options.work.limit), feeds: feeds,
      until: options.until, limit: options.limit, outputs: RunOutputs(recorder, console), console: console,
      report: report, reportsHooks: false, explain: explanation.diagnostic)
    defer {
      session.close()
      for warning in queues.warnings(output: nil) { console.report(warning) }
    }
    let driver = VirtualDriver(session: session, queues: queues)
    try driver.run()
  }
}

/// Records the output of a stream.
///
/// - Memory: Grows with the number of values.
package final class HistoryWriter: ValueWriter {
  package let writesTimes = true
  package private(set) var history = History()

  package init() {}

  package func write(_ value: Value, at time: StreamTime, to output: OutputBuffer) {
    history.events.append(History.Event(time, .value(value)))
  }

  package func finish(_ end: StreamEnd, to output: OutputBuffer) {
    if let event = end.event { history.events.append(History.Event(end.time, event)) }
  }
}
