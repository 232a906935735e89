package import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The end of a replay before that of the recording.
package enum ReplayEnd: Equatable, Sendable {
  /// A number of events.
  case count(Int)
  /// A time of the stream, in seconds.
  case seconds(Double)
  /// A calendar time.
  case calendar(Timestamp)

  /// Reads an argument: `1000`, `30s`, `1.5h` or `2024-05-01T10:00:00Z`.
  package init?(argument: String) {
    if let count = Int(argument) {
      guard count >= 0 else { return nil }
      self = .count(count)
      return
    }
    if let time = Timestamp(rfc3339: argument) {
      self = .calendar(time)
      return
    }
    let units: [(name: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    for unit in units where argument.hasSuffix(unit.name) {
      guard let number = Double(argument.dropLast(unit.name.count)), number >= 0, number.isFinite else { continue }
      self = .seconds(number * unit.seconds)
      return
    }
    return nil
  }

  /// The time of the stream; nil for a number of events.
  func time(_ header: RecordingHeader) -> StreamTime? {
    switch self {
    case .count: return nil
    case .seconds(let seconds): return StreamTime(seconds: seconds)
    case .calendar(let time):
      let seconds = Double(time.seconds - header.origin.seconds)
      return StreamTime(seconds: seconds + Double(time.nanoseconds - header.origin.nanoseconds) / 1e9)
    }
  }
}

/// A recording that is replayed, and what the replay has found so far.
final class Replay {
  let reader: RecordingReader
  let until: ReplayEnd?
  /// The stream that runs: that of the recording, or another version.
  let prepared: PreparedStream
  /// Whether it is that of the recording.
  let isExact: Bool
  private let compile: CompileRequest
  private let console: Console

  var header: RecordingHeader { reader.header }

  /// The calls without a result, by number.
  var calls: [Int64: Call] = [:]
  /// Number of results for which there was no call.
  var unusedAnswers = 0
  /// Number of values for inputs that the stream does not have, by name.
  var strangeInputs: [String: Int] = [:]
  /// The beginning of the part that is replayed; nil for that of the recording. Its time is time zero of the replay.
  let from: ReplayEnd?
  /// The time of the beginning.
  var start = StreamTime.zero
  /// Collects the events for a test; nil unless requested.
  var script: ReplayScript?

  /// Whether values are sent as rows where the stream takes rows; tests compare both. Default true.
  var takesRows = true
  /// Number of values sent as rows; tests check that there are some.
  var rowCount = 0

  /// - Parameters:
  ///   - file: Another version of the stream file; nil for that of the recording.
  ///   - compile: The arguments that replace those of the recorded run.
  ///   - fuses: Whether neighboring operators run as one program.
  init(
    _ reader: RecordingReader, file: String?, from: ReplayEnd?, until: ReplayEnd?,
    compile: CompileRequest = CompileRequest(), fuses: Bool = true, _ console: Console
  ) throws(Diagnostics) {
    self.reader = reader
    self.until = until
    self.from = from
    start = from?.time(reader.header) ?? .zero
    self.console = console
    self.compile = compile
    let recorded = reader.header.stream
    prepared =
      if let file {
        try PreparedStream(
          replaying: reader.header, file, console.makeLoader(flushes: true), compile, fuses: fuses, console)
      } else {
        try PreparedStream(replaying: reader, recorded, compile, fuses: fuses, console)
      }
    isExact =
      from == nil && !compile.isGiven && (file == nil || (try? prepared.stream.document.contentID()) == recorded.id)
  }

  /// Compiles another version that the recording contains.
  func prepare(_ recorded: RecordedStream, fuses: Bool = true) throws(Diagnostics) -> PreparedStream {
    try PreparedStream(replaying: reader, recorded, compile, fuses: fuses, console)
  }

  /// Takes the call that a result of the recording answers: the call of the same number in the recorded stream, and
  /// otherwise the first call of the function with the same argument.
  func takeCall(for answer: RecordedAnswer) -> Call? {
    func fits(_ call: Call) -> Bool {
      answer.function == nil || call.function == answer.function && call.argument == answer.argument
    }
    if let call = calls[answer.call], fits(call) {
      calls[answer.call] = nil
      return call
    }
    guard let number = calls.keys.sorted().first(where: { calls[$0].map(fits) == true }) else { return nil }
    return calls.removeValue(forKey: number)
  }

  // MARK: Messages

  /// Warns about files of data that differ from those of the recorded run.
  func checkData() {
    let loader = prepared.loader
    let named = Set(loader.dataPaths)
    for data in header.data where named.contains(data.path) && loader.recorded?.isUnchanged(data.path) != true {
      var now: String?
      // A pipe would lose what is read.
      if data.digest != nil, (try? FileStatus(data.path))?.kind != .stream,
        let file = try? loader.open(named: data.path, calling: data.path)
      {
        defer { file.close() }
        now = (try? file.digest())?.text
      }
      guard now != data.digest || now == nil else { continue }
      let reason =
        data.digest == nil || now == nil
        ? "cannot be compared with that of the recorded run" : "has changed since the recorded run"
      console.report(
        Diagnostic(
          .invalidInput, "the file '\(data.path)', which the stream reads, \(reason); the output may differ",
          severity: .warning))
    }
  }

  /// Prints notes about events that the stream had no use for, and about the end of the recording.
  ///
  /// - Parameter written: The number of values that it has written.
  func report(written: Int, _ console: Console) {
    for (name, count) in strangeInputs.sorted(by: { $0.key < $1.key }) {
      console.say("note: the stream has no input '\(name)'; \(count.counted("value")) of the recording left out")
    }
    if unusedAnswers > 0 {
      console.say("note: \(unusedAnswers.counted("result")) of calls left out: the stream has not made these calls")
    }
    if !calls.isEmpty, !isExact {
      console.say("note: \(calls.count.counted("call")) without a result in the recording")
    }
    guard until == nil else { return }
    if reader.end == nil {
      let cut = reader.isCut ? "; its last line is cut" : ""
      console.say("note: the recording has no end\(cut): the run was killed, or has not ended")
    } else if isExact, let end = reader.end, end.values != written, !end.isSudden {
      console.report(
        Diagnostic(
          .invalidInput,
          "the recorded run has printed \(end.values.counted("value")), and the replay \(written)",
          severity: .warning, help: "a file of data that the stream reads may have changed"))
    }
  }
}

extension PreparedStream {
  /// Compiles the text of a stream file in a recording.
  init(
    replaying reader: RecordingReader, _ stream: RecordedStream, _ compile: CompileRequest, fuses: Bool,
    _ console: Console
  ) throws(Diagnostics) {
    let loader = console.makeLoader(
      flushes: true, recorded: stream.recordedFiles(reader.header.data, in: reader.folder), texts: stream.main)
    try self.init(
      replaying: reader.header, loader.load(stream.file, belongingAt: stream.identity), loader, stream.arguments,
      compile, fuses: fuses, console, isRecorded: true)
  }

  /// Compiles another version of the stream file.
  init(
    replaying header: RecordingHeader, _ file: String, _ loader: FileLoader, _ compile: CompileRequest, fuses: Bool,
    _ console: Console
  ) throws(Diagnostics) {
    var recorded = header.stream.arguments
    // Another version may lack a parameter.
    recorded.isShared = true
    try self.init(
      replaying: header, loader.load(file), loader, recorded, compile, fuses: fuses, console, isRecorded: false)
  }

  private init(
    replaying header: RecordingHeader, _ stream: StreamFile, _ loader: FileLoader, _ recorded: CompileArguments,
    _ compile: CompileRequest, fuses: Bool, _ console: Console, isRecorded: Bool
  ) throws(Diagnostics) {
    self.stream = stream
    self.loader = loader
    (threads, format, follows) = (1, InputFormat(), false)
    files = []
    var host = StreamHost.any
    host.isInspecting = false
    var options = recorded.options(for: stream.model, loader, host: host)
    let given = try compile.arguments().options(for: stream.model, loader, setsInputs: true)
    options.arguments.merge(given.arguments) { $1 }
    (options.seed, options.fuses) = (given.seed ?? options.seed, fuses)
    options.valuesHaveTimes = header.options.hasEventTime
    let remarks = RemarkLog()
    options.remarks = remarks
    probes = console.tap?.selection ?? .none
    options.probes = probes.choose
    compileOptions = options
    (calledFunctions, timedParts, textOrder) = ([], [], nil)
    let compiled = try StreamVersion(stream, options)
    if !isRecorded {
      console.reportOnce(remarks.all.map(FailureExplanation(stream: stream, loader: loader).locate))
    }
    var assignment = InputAssignment(stream, compiled.pipeline, readsStandardInput: false)
    // Another version may lack an input.
    let set = compile.set.filter { stream.model.parameters[$0.name] == nil }
    let kept = header.parameters.filter { entry in
      compiled.pipeline.input(named: entry.name) != nil && !set.contains { $0.name == entry.name }
    }.compactMap { NamedArgument(argument: "\($0.name)=\($0.text)") }
    let inputs = assignment.pipeline(setting: kept + set).inputs
    try assignment.problems.throwErrors()
    version = compiled.declaring(inputs)
    self.assignment = assignment
  }
}
