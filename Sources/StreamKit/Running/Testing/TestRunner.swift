public import StreamCore
public import StreamRuntime

/// Runs the tests of a stream file in virtual time.
public struct TestRunner: Sendable {
  private let stream: StreamFile
  private let options: CompileOptions

  /// Limit on the work of each test; a test that exceeds it fails. Default `WorkLimit()`.
  public var workLimit = WorkLimit()

  public init(_ stream: StreamFile, options: CompileOptions = CompileOptions()) {
    self.stream = stream
    self.options = options
  }

  /// Runs the tests of the file.
  ///
  /// - Parameter isWanted: Returns whether to run the test with a name. Default: all tests.
  /// - Throws: The errors in the stream itself, or in the names that a test feeds.
  public func run(where isWanted: (String) -> Bool = { _ in true }) throws(Diagnostics) -> [TestOutcome] {
    var outcomes: [TestOutcome] = []
    for (index, test) in stream.model.tests.enumerated() where isWanted(test.name) {
      outcomes.append(try run(test, index))
    }
    return outcomes
  }

  private func run(_ test: StreamTest, _ index: Int) throws(Diagnostics) -> TestOutcome {
    let eventLimit = test.expect.history().events.count + Self.surplusLimit
    let played = try play(test, at: JSONPointer(["tests", String(index)]), eventLimit: eventLimit)
    let actual = played.history
    let stop = played.stop.map(Self.text)
    let differences = [stop].compactMap(\.self) + HistoryComparison(test.expect, actual).differences + played.unanswered
    let isWhole = stop == nil && played.unanswered.isEmpty && actual.events.count < eventLimit
    return TestOutcome(
      name: test.name, index: index, differences: differences,
      newExpectation: isWhole && !differences.isEmpty ? test.expect.expecting(actual)?.json : nil)
  }

  /// Returns the reason why a test was stopped, and how to fix it.
  static func text(of stop: StreamFailure) -> String {
    guard stop.code == DiagnosticCode.workExceeded.rawValue else { return "\(stop.code): \(stop.message)" }
    return "the test does not end: \(stop.message); add 'for' to the test, or 'finished' to its inputs"
  }

  /// The result of running a stream with the inputs of a test.
  struct Played {
    let history: History
    /// A line for each call without a result in the test.
    let unanswered: [String]
    /// The reason why the run was stopped; nil if it was not.
    let stop: StreamFailure?
  }

  /// Runs the stream with the inputs of a test.
  ///
  /// - Parameter pointer: Location of the test, for its errors.
  func play(_ test: StreamTest, at pointer: JSONPointer, eventLimit: Int) throws(Diagnostics) -> Played {
    let prepared = try prepare(test, at: pointer)
    var unanswered: [String] = []
    var run = VirtualRun(Execution(prepared.pipeline), until: prepared.until, eventLimit: eventLimit)
    run.answer = { call in
      let answer = prepared.answers.answer(call)
      if answer == nil {
        let argument = JSONWriter.beginning(of: call.argument, bytes: Self.longestArgument)
        unanswered.append("no result for \(call.function)(\(argument)): add one to 'calls'")
      }
      return answer
    }
    run.workLimit = workLimit
    run.feed(prepared.recordings)
    var texts = TextMeter()
    var outcome = run.outcome { event in texts.take(event.event) }
    if let stop = texts.stop {
      outcome.stop = stop
      // Comparing such a value, or writing it, may have no end.
      outcome.history.events.removeLast()
    }
    return Played(history: outcome.history, unanswered: unanswered, stop: outcome.stop)
  }

  /// The most bytes of the argument of a call that are shown.
  private static let longestArgument = 10_000

  /// Measures the JSON text of the compared values, which may be far longer than their memory.
  private struct TextMeter {
    /// Why the run ends.
    private(set) var stop: StreamFailure?
    private var bytes: [UInt8] = []
    private var total = 0

    private static let longestValue = 10_000_000
    private static let longestRun = 100_000_000

    /// Returns whether the run continues.
    mutating func take(_ event: ExecutionEvent) -> Bool {
      switch event {
      case .value(let value): take(value, "a value")
      case .failure(let failure): take(failure.description, "the failure")
      case .finished, .skipped, .call, .noted: true
      }
    }

    private mutating func take(_ value: Value, _ name: String) -> Bool {
      bytes.removeAll(keepingCapacity: true)
      guard JSONWriter.append(value, to: &bytes, upTo: Self.longestValue).isWhole else {
        stop = StreamFailure(.limitExceeded, "\(name) is longer than \(Self.longestValue) bytes as JSON")
        return false
      }
      total += bytes.count
      guard total <= Self.longestRun else {
        stop = StreamFailure(.limitExceeded, "the values are longer than \(Self.longestRun) bytes as JSON")
        return false
      }
      return true
    }
  }

  /// A test that is ready to run.
  package struct PreparedTest {
    package let pipeline: Pipeline
    /// The recordings for inputs, by their numbers.
    package let recordings: [(input: Int, history: History)]
    package let answers: CallAnswers
    /// Nothing later than this happens.
    package let until: StreamTime
  }

  /// Compiles the stream with the sources that replace named streams in a test.
  package func prepare(_ test: StreamTest, at pointer: JSONPointer) throws(Diagnostics) -> PreparedTest {
    let streams = Dictionary(
      uniqueKeysWithValues: test.inputs.filter { stream.model.streams[$0.name] != nil }.map { ($0, $1.source) })
    // Functions are answered by the test, and hooks change nothing.
    var options = options
    options.host.functions = .any
    options.host.hooks = .any
    let pipeline = try stream.compile(options, replacing: streams)
    var recordings: [(input: Int, history: History)] = []
    for (name, script) in test.inputs where streams[name] == nil {
      guard let number = pipeline.input(named: name) else {
        throw Diagnostics([stream.document.locate(unknown(name, pipeline, at: pointer))])
      }
      recordings.append((number, script.history()))
    }
    return PreparedTest(
      pipeline: pipeline, recordings: recordings, answers: try CallAnswers(test.calls, options: options),
      until: test.seconds.map(StreamTime.init(seconds:)) ?? .distantFuture)
  }

  /// Number of events beyond the expected ones before a test is stopped.
  private static let surplusLimit = 1_000

  private func unknown(_ name: String, _ pipeline: Pipeline, at pointer: JSONPointer) -> Diagnostic {
    let known = pipeline.inputs.map(\.name) + stream.model.streams.names
    return Diagnostic(
      .invalidTest, "there is no input or stream '\(name)'", at: pointer + JSONPointer(["inputs", name]), part: .key,
      notes: known.isEmpty ? [] : ["inputs and streams: \(known.joined(separator: ", "))"],
      help: nearestName(to: name, among: known).map { "did you mean '\($0)'?" })
  }
}
