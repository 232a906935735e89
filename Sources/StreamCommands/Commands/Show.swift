internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import StreamTools

/// `streamrun show FILE`: a stream as a picture.
struct Show: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Draws a stream as a marble diagram of a run, or as a graph.",
    discussion: """
      In a marble diagram, time goes from left to right, '|' is the end, '#' is a failure, and brackets group events at \
      one instant. The run uses virtual time, with the inputs of the file's first test, of --test, or of recordings \
      given by --input, or with the stream's sources alone.

      Examples:
        streamrun show stream.json
        streamrun show stream.json --stages
        streamrun show stream.json --test 'a burst becomes its last value' -o picture.svg
        streamrun show stream.json --input gravity=day.ndjson --event-time value.ms --for 60
        streamrun show stream.json --set quiet=10 --seed 7
        streamrun show stream.json -o run.html
        streamrun show stream.json --graph
        streamrun show stream.json --graph --format mermaid
        streamrun show -e 'timer(1, count: 5) | scan(acc + value)'
      """)

  @OptionGroup var stream: StreamArgument

  @OptionGroup var options: ShowOptions
  @OptionGroup var arguments: CompileArgumentOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var oneLiner: String? { stream.oneLiner }
  var compile: CompileRequest { arguments.request }
  var memoryLimit: ByteCount { options.work.memory.memory }
  var access: FileAccess { reading.access(naming: []) }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let stream = try loader.load(self.stream.file)
    let arguments = try arguments.arguments()
    var compile = arguments.options(for: stream.model, loader)
    compile.valuesHaveTimes = options.inputs.eventTime.isGiven
    let pipeline = try stream.compile(compile)
    console.reportOnce(stream.remarks(loader, arguments))
    var code = ExitCode.good
    let text =
      options.graph ? graph(of: stream, compile) : try run(of: stream, pipeline, compile, loader, console, &code)
    let end = text.hasSuffix("\n") ? "" : "\n"
    if code != ExitCode.interrupted { try ResultFile.write(Array((text + end).utf8), to: options.output, console) }
    return code
  }

  private func title(of stream: StreamFile) -> String { stream.model.name ?? stream.document.file }

  private func graph(of stream: StreamFile, _ compile: CompileOptions) -> String {
    let outline = StreamOutline(stream, options: compile)
    switch options.pictureFormat {
    case .text: return VisibleText.lines(outline.tree(isASCII: options.ascii))
    case .svg, .html: return StreamGraph(outline).svg(title: title(of: stream))
    case .mermaid: return VisibleText.lines(StreamGraph(outline).mermaid)
    case .dot: return VisibleText.lines(StreamGraph(outline).dot)
    }
  }

  private func run(
    of stream: StreamFile, _ pipeline: Pipeline, _ compile: CompileOptions, _ loader: FileLoader, _ console: Console,
    _ code: inout Int32
  ) throws(Diagnostics) -> String {
    var compile = compile
    // Unlike a graph, a run needs the values of all parameters, which a test may give.
    compile.host.isInspecting = false
    var run = PictureRun(stream, options: compile)
    run.showsStages = options.stages || options.pictureFormat == .html
    run.limit = options.limit
    run.until = options.until
    run.workLimit = options.work.limit
    let picture: TimelineDiagram
    if options.test == nil, !options.inputs.input.isEmpty {
      let recordings = try recordings(stream, pipeline, loader, console)
      for warning in recordings.warnings { console.report(warning) }
      picture = try run.picture(ofRecordings: recordings.scripts, origin: recordings.origin)
    } else {
      let (test, pointer) = try test(of: stream, pipeline, console)
      picture = try run.picture(of: test, at: pointer)
    }
    console.reportOnce(picture.warnings)
    let explanation = FailureExplanation(stream: stream, loader: loader)
    for dropped in picture.drops { console.report(explanation.diagnostic(of: dropped)) }
    if Interruption.hasHappened {
      code = ExitCode.interrupted
    } else if let stop = picture.stop {
      code = tell(stop, console)
    }
    switch options.pictureFormat {
    case .svg: return picture.svg(title: title(of: stream))
    case .html: return RunPage(title: title(of: stream), run: picture.pageValue).html
    default: break
    }
    return VisibleText.lines(picture.text(width: options.width, isASCII: options.ascii))
  }

  /// Reports why the run was stopped and returns the exit code. A stream that continues silently is drawn successfully.
  private func tell(_ stop: StreamFailure, _ console: Console) -> Int32 {
    if stop.code == DiagnosticCode.workExceeded.rawValue {
      console.say("note: the run was stopped: \(stop.message); use --for to end it earlier, or raise --budget")
      return ExitCode.good
    }
    console.report(Diagnostic(DiagnosticCode(rawValue: stop.code) ?? .streamFailed, stop.message))
    return ExitCode.failed
  }

  /// Returns the inputs of the run as a test.
  private func test(
    of stream: StreamFile, _ pipeline: Pipeline, _ console: Console
  ) throws(Diagnostics) -> (StreamTest, JSONPointer) {
    let tests = stream.model.placedTests
    if let name = options.test {
      guard let placed = tests.first(where: { $0.test.name == name }) else {
        throw Diagnostics([unknown(name, tests.map(\.test.name))])
      }
      return (placed.test, placed.pointer)
    }
    if let first = stream.model.tests.first { return (first, JSONPointer(["tests", "0"])) }
    if let input = pipeline.inputs.first(where: { $0.initialValue == nil && $0.lateOf == nil }) {
      console.say("note: nothing feeds '\(input.name)': add a test to the file, or give --input \(input.name)=FILE")
    }
    return (StreamTest(name: "", expect: StreamTest.EventScript(.values([]))), JSONPointer())
  }

  private func recordings(
    _ stream: StreamFile, _ pipeline: Pipeline, _ loader: FileLoader, _ console: Console
  ) throws(Diagnostics) -> RecordedInput.Recordings {
    // An operator may publish its first value late in a long recording.
    let recorded = RecordedInput(
      loader: loader, console: console, eventTime: options.inputs.eventTime.request,
      pace: Interval(seconds: options.every ?? 1),
      limit: options.limit + 1, format: options.inputs.inputFormat)
    return try recorded.scripts(options.inputs.input, stream, pipeline, file: self.stream.file)
  }

  private func unknown(_ name: String, _ names: [String]) -> Diagnostic {
    Diagnostic(
      .invalidArgument, "the file has no test '\(name)'",
      notes: names.isEmpty
        ? ["the file has no tests"] : ["tests: \(names.map { "'\($0)'" }.joined(separator: ", "))"],
      help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })
  }
}
