internal import CEL
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Creates the streams to measure from a stream file.
struct BenchSubjects {
  private let options: BenchOptions
  private let arguments: CompileArguments
  private let console: Console
  private let loader: FileLoader

  init(_ options: BenchOptions, _ arguments: CompileArguments, _ console: Console) {
    self.options = options
    self.arguments = arguments
    self.console = console
    loader = console.makeLoader()
  }

  /// Returns the stream, preceded on request by the same stream up to each of its operators.
  ///
  /// - Parameter names: Receives the names of the stream's parameters and inputs.
  /// - Throws: All errors in the file, the arguments and the recordings.
  func streams(of file: String, noting names: inout Set<String>) throws(Diagnostics) -> [MeasuredStream] {
    let stream = try loader.load(file)
    names.formUnion(stream.model.parameters.names)
    for argument in options.arguments.request.set { console.remember(argument.source(option: "--set")) }
    let pipeline = try set(stream, try compile(stream))
    names.formUnion(pipeline.inputs.map(\.name))
    let input = try BenchInput(options, console, loader, arguments).input(of: stream, pipeline, file)
    console.reportOnce(stream.remarks(loader, arguments))
    var measured: [MeasuredStream] = []
    if options.operators {
      for count in 0..<stream.model.operators.count {
        let part = try stream.keepingOperators(count)
        measured.append(try self.measured(part, part: count, name: file, input))
      }
    }
    return measured + [try self.measured(stream, part: nil, name: file, input)]
  }

  private func compile(_ stream: StreamFile, fuses: Bool = true) throws(Diagnostics) -> Pipeline {
    var compile = arguments.options(for: stream.model, loader, host: Self.host, setsInputs: true)
    compile.fuses = fuses
    compile.valuesHaveTimes = options.inputs.eventTime.isGiven
    return try stream.compile(compile)
  }

  /// A host that answers no calls: the time of another program would be measured.
  private static var host: StreamHost {
    var host = StreamHost(hooks: .any)
    host.functionAdvice = { name in
      "bench measures the stream alone, without a program for calls; record a run with --call, and measure its replay: "
        + "streamrun FILE --call \(name)='COMMAND' --record run.ndjson; time streamrun replay run.ndjson"
    }
    return host
  }

  private func measured(
    _ stream: StreamFile, part: Int?, name: String, _ input: MeasuredInput?
  ) throws(Diagnostics) -> MeasuredStream {
    let pipeline = try set(stream, try compile(stream))
    let explanation = FailureExplanation(stream: stream, loader: loader)
    let text = stream.document.source
    return MeasuredStream(
      name: name, part: part, pipeline: pipeline,
      work: try work(stream, input),
      skipsErrors: options.skipErrors,
      workLimit: options.work.limit,
      compile: {
        // The stream has been compiled before, so compiling it again cannot fail.
        guard let document = try? JSONDocument(reading: text.bytes, file: text.file) else { return }
        guard let again = try? StreamFile(document, identity: stream.identity) else { return }
        _ = try? self.compile(again)
      },
      explain: explanation.diagnostic)
  }

  private func work(_ stream: StreamFile, _ input: MeasuredInput?) throws(Diagnostics) -> MeasuredStream.Work {
    if let input { return .input(input, count: options.values) }
    return .source(plain: try set(stream, try compile(stream, fuses: false)), limit: options.values)
  }

  /// Returns the pipeline with the initial values from the arguments.
  private func set(_ stream: StreamFile, _ pipeline: Pipeline) throws(Diagnostics) -> Pipeline {
    var assignment = InputAssignment(stream, pipeline, readsStandardInput: false)
    let set = assignment.pipeline(
      setting: options.arguments.request.set.filter { argument in
        stream.model.parameters[argument.name] == nil
          && !(arguments.isShared && pipeline.input(named: argument.name) == nil)
      })
    try assignment.problems.throwErrors()
    return set
  }
}

extension StreamFile {
  /// Returns the stream with only its first operators.
  ///
  /// - Throws: The errors in the remaining part.
  fileprivate func keepingOperators(_ count: Int) throws(Diagnostics) -> StreamFile {
    guard case .map(let members) = document.value, case .list(let operators)? = members["operators"] else {
      return self
    }
    let kept = ValueMap(
      members.pairs.map { key, value in
        key == .string("operators") ? (key, .list(Array(operators.prefix(count)))) : (key, value)
      })
    let text = JSONWriter.compact(.map(kept))
    return try StreamFile(JSONDocument(reading: text, file: document.file), identity: identity)
  }
}
