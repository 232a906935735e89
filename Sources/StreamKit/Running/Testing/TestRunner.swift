public import StreamCore
internal import StreamEngine

/// Runs the tests of a stream file in virtual time.
///
/// ```swift
/// for outcome in try TestRunner(file).run() {
///   lines.append("\(outcome.name): \(outcome.hasPassed ? "passed" : "\(outcome.differences)")")
/// }
/// ```
public struct TestRunner: Sendable {
  let stream: StreamFile
  let options: CompileOptions

  /// Limit on the work of each test; a test that exceeds it fails. Default `RunLimits()`.
  public var workLimit = RunLimits()

  public init(_ stream: StreamFile, options: CompileOptions = CompileOptions()) {
    self.stream = stream
    self.options = options
  }

  /// Runs the tests of the file.
  ///
  /// - Parameter isWanted: Returns whether to run the test with a name. Default: all tests.
  /// - Throws: All errors in the stream itself, and in what the tests feed: unknown inputs, values that the declared
  ///   type of an input refuses.
  public func run(where isWanted: (String) -> Bool = { _ in true }) throws(Diagnostics) -> [TestOutcome] {
    var outcomes: [TestOutcome] = []
    try forEachTest(where: isWanted) { placed, prepared in
      // Asked again: the answer may depend on what the others have taken, and compiling takes time too.
      if isWanted(placed.test.name) { outcomes.append(run(placed, prepared)) }
    }
    return outcomes
  }

  private func run(_ placed: PlacedTest, _ prepared: PreparedTest) -> TestOutcome {
    let test = placed.test
    let eventLimit = test.expect.history().events.count + Self.surplusLimit
    let played = play(prepared, eventLimit: eventLimit)
    let actual = played.history
    let stop = played.stop.map(Self.text)
    let isCut = test.seconds != nil
    // A run that was stopped has no end to compare.
    let found = HistoryComparison(test.expect, actual, isCut: isCut || stop != nil).differences
    let isStopped = stop == nil && actual.ofTheStream.events.count >= eventLimit
    let differences =
      [stop].compactMap(\.self) + found + played.unanswered
      + (isStopped
        ? ["the run was stopped after \(eventLimit) events; if the stream does not end, add 'for' to the test"] : [])
      + (found.isEmpty || stop != nil || isStopped ? [] : Self.help(with: actual, test.expect, test) + prepared.notes)
    let isWhole = stop == nil && played.unanswered.isEmpty && !isStopped
    return TestOutcome(
      name: test.name, pointer: placed.pointer, differences: differences, drops: played.drops,
      warnings: prepared.warnings,
      newExpectation: isWhole && !differences.isEmpty ? test.expect.expecting(actual, isCut: isCut)?.json : nil)
  }

  /// Returns what to write if values end in another way than expected, and that is intended.
  private static func help(
    with actual: History, _ expected: StreamTest.EventScript, _ test: StreamTest
  ) -> [String] {
    if case .outputs(let scripts) = expected.kind {
      // The end is the same for all.
      return scripts.lazy.map { help(with: actual, $0.element, test) }.first { !$0.isEmpty } ?? []
    }
    guard case .values(_, let ending) = expected.kind else { return [] }
    switch (actual.completion, ending) {
    case (nil, nil) where test.seconds != nil: return []
    case (nil, nil), (nil, .finished):
      return [
        "the stream does not end: finish its inputs, or add 'for' to the test, or \"finished\": false to 'expect'"
      ]
    case (.failure(let failure), nil), (.failure(let failure), .finished), (.failure(let failure), .open):
      let text = JSONWriter.beginning(of: failure.payload ?? .string(failure.code), bytes: 200)
      return ["if the failure is intended, add \"failure\": \(text) to 'expect'"]
    default: return []
    }
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
    /// The values that operators have dropped.
    let drops: [Execution.DroppedValues]
  }

  /// Runs the stream with the inputs of a test.
  ///
  /// - Parameter pointer: Location of the test, for its errors.
  func play(_ test: StreamTest, at pointer: JSONPointer, eventLimit: Int) throws(Diagnostics) -> Played {
    play(try prepare(test, at: pointer), eventLimit: eventLimit)
  }

  private func play(_ prepared: PreparedTest, eventLimit: Int) -> Played {
    var unanswered: [String] = []
    var run = VirtualRun(
      prepared.pipeline, origin: prepared.origin, until: prepared.until, eventLimit: eventLimit)
    run.answer = { call in
      let answer = prepared.answers.answer(call)
      if answer == nil {
        let argument = JSONWriter.beginning(of: call.argument, bytes: Self.longestArgument)
        unanswered.append("no result for \(call.function)(\(argument)): add one to 'calls'")
      }
      return answer
    }
    run.workLimit = workLimit
    run.player = prepared.makePlayer()
    var meter = EventMeter()
    var outcome = run.outcome { event in meter.take(event.event) }
    if let stop = meter.stop {
      outcome.stop = stop
      // Comparing such a value, or writing it, may have no end.
      outcome.history.events.removeLast()
    }
    return Played(history: outcome.history, unanswered: unanswered, stop: outcome.stop, drops: run.execution.drops)
  }

  /// The most bytes of the argument of a call that are shown.
  private static let longestArgument = 10_000

  /// Measures the JSON text of the compared values, which may be far longer than their memory, and counts the values that
  /// are skipped, which are not compared.
  private struct EventMeter {
    /// Why the run ends.
    private(set) var stop: StreamFailure?
    private var bytes: [UInt8] = []
    private var total = 0
    private var skippedCount = 0

    private static let longestValue = 10_000_000
    private static let longestRun = 100_000_000
    private static let skipLimit = 100_000

    /// Returns whether the run continues.
    mutating func take(_ event: ExecutionEvent) -> Bool {
      switch event {
      case .value(let value): take(value, "a value")
      case .failure(let failure): take(failure.errorValue, "the failure")
      case .skipped: skip()
      case .finished, .call, .noted: true
      }
    }

    private mutating func skip() -> Bool {
      skippedCount += 1
      guard skippedCount > Self.skipLimit else { return true }
      stop = StreamFailure(
        .limitExceeded,
        "more than \(Self.skipLimit) values are skipped; if the stream does not end, add 'for' to the test")
      return false
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

  /// Number of events beyond the expected ones before a test is stopped.
  private static let surplusLimit = 1_000
}
