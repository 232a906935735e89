internal import CEL
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Determines the input of a measured stream: the recordings in the arguments, or else the values of its own tests.
struct BenchInput {
  private let options: BenchOptions
  private let console: Console
  private let loader: FileLoader
  private let arguments: CompileArguments

  init(_ options: BenchOptions, _ console: Console, _ loader: FileLoader, _ arguments: CompileArguments) {
    self.arguments = arguments
    self.options = options
    self.console = console
    self.loader = loader
  }

  /// Returns the input of the stream; nil if no input needs one.
  ///
  /// - Parameters:
  ///   - pipeline: The stream, with the initial values from the arguments.
  ///   - file: The path of the file.
  /// - Throws: The inputs without a feed, and all errors in recordings.
  func input(of stream: StreamFile, _ pipeline: Pipeline, _ file: String) throws(Diagnostics) -> MeasuredInput? {
    let scripts = options.inputs.input.isEmpty ? tests(of: stream, pipeline) : try recordings(stream, pipeline, file)
    let fed = Set(scripts.map(\.input))
    if let missing = pipeline.inputs.indices.first(where: {
      !fed.contains($0) && pipeline.inputs[$0].initialValue == nil && pipeline.inputs[$0].lateOf == nil
    }) {
      // A test may feed the input values that do not fit.
      if options.inputs.input.isEmpty {
        try TestRunner(stream, options: arguments.options(for: stream.model, loader)).validate(pipeline)
      }
      let name = pipeline.inputs[missing].name
      let reason = options.inputs.input.isEmpty ? "no test of the file feeds it" : "it has no initial value"
      throw Diagnostics([
        stream.document.locate(
          Diagnostic(
            .inputNotFed, "nothing feeds the input '\(name)', and \(reason)", at: JSONPointer(["inputs", name]),
            part: .key, help: "write --input \(name)=FILE"))
      ])
    }
    guard !fed.isEmpty else { return nil }
    let pace = options.every ?? BenchOptions.pace
    guard let input = MeasuredInput(scripts, pace: Interval(seconds: pace)) else {
      throw Diagnostics(
        .invalidArgument, "the recording for '\(file)' has no values", help: "give a recording with values")
    }
    return input
  }

  private func recordings(
    _ stream: StreamFile, _ pipeline: Pipeline, _ file: String
  ) throws(Diagnostics) -> [(input: Int, history: History)] {
    let recorded = RecordedInput(
      loader: loader, console: console, eventTime: options.inputs.eventTime.request,
      pace: Interval(seconds: options.every ?? BenchOptions.pace), limit: options.values,
      skips: options.skipErrors, format: options.inputs.inputFormat)
    let recordings = try recorded.scripts(options.inputs.input, stream, pipeline, file: file)
    console.reportOnce(recordings.warnings)
    var scripts: [(input: Int, history: History)] = []
    for (name, script) in recordings.scripts {
      guard let input = pipeline.input(named: name) else { continue }
      scripts.append((input, script.history(ofLate: false)))
      if let late = pipeline.lateInput(of: input) { scripts.append((late, script.history(ofLate: true))) }
    }
    return scripts
  }

  /// Returns the events that the tests of the file feed to its inputs, test by test.
  private func tests(of stream: StreamFile, _ pipeline: Pipeline) -> [(input: Int, history: History)] {
    var scripts: [(input: Int, history: History)] = []
    var base = StreamTime.zero
    for test in stream.model.tests {
      var end = base
      for (name, script) in test.inputs {
        guard let number = pipeline.input(named: name) else { continue }
        let takes = InputConversion(pipeline.inputs[number].type)
        let events = script.history().events.compactMap { timed -> History.Event? in
          guard case .value(let value) = timed.event, let converted = try? takes.convert(value) else { return nil }
          let time = timed.time + (base - .zero)
          end = max(end, time)
          return History.Event(time, .value(converted))
        }
        if !events.isEmpty { scripts.append((number, History(events))) }
      }
      if end > base { base = end + Interval(seconds: BenchOptions.pace) }
    }
    return scripts
  }
}
