package import StreamCore
internal import StreamEngine

/// The differences between the outputs of two versions of a stream that receive the same input in virtual time.
package struct BehaviorDiff: Sendable {
  /// One run for each test of both files, by name.
  package let runs: [Run]

  /// A run of both versions.
  package struct Run: Sendable {
    /// The test's name.
    package let name: String
    /// The differences, one per line; empty if there are none. Two diagrams, one above the other, and a description of
    /// the first difference.
    package let differences: [String]
  }

  /// Whether no run differs.
  package var isEmpty: Bool { runs.allSatisfy(\.differences.isEmpty) }

  /// The most events of a run that are compared: a guard against streams without end.
  private static let eventLimit = 10_000

  /// Runs both versions on the tests of both files. A test that exists in both files with different inputs is run both
  /// ways. Without any test, streams without inputs run once.
  ///
  /// - Parameters:
  ///   - old: The file before the changes.
  ///   - new: The file after the changes.
  ///   - oldOptions: Compile options for `old`.
  ///   - newOptions: Compile options for `new`.
  ///   - workLimit: Limit on the work of each run. Default `RunLimits()`.
  /// - Throws: The errors in a stream; `invalidTest` if there is nothing to run, or if a run exceeded the work limit.
  package init(
    from old: StreamFile, to new: StreamFile, oldOptions: CompileOptions, newOptions: CompileOptions,
    workLimit: RunLimits = RunLimits()
  ) throws(Diagnostics) {
    var runners = (TestRunner(old, options: oldOptions), TestRunner(new, options: newOptions))
    (runners.0.workLimit, runners.1.workLimit) = (workLimit, workLimit)
    let inputs = try (old.compile(oldOptions.open).inputs + new.compile(newOptions.open).inputs).map(\.name)
    let tests = Self.tests(old.model.tests, new.model.tests)
    guard !tests.isEmpty else {
      guard inputs.isEmpty else { throw Diagnostics([Self.nothingToFeed(inputs)]) }
      let whole = StreamTest(name: "", expect: StreamTest.EventScript(.values([])))
      runs = [try Self.run(whole, runners.0, runners.1)]
      return
    }
    var runs: [Run] = []
    for test in tests { runs.append(try Self.run(test, runners.0, runners.1)) }
    self.runs = runs
  }

  /// The tests of both files, each name once where both feed the same.
  private static func tests(_ old: [StreamTest], _ new: [StreamTest]) -> [StreamTest] {
    var tests = new
    for test in old {
      guard let twin = new.first(where: { $0.name == test.name }) else {
        tests.append(test)
        continue
      }
      if twin.inputs == test.inputs, twin.calls == test.calls, twin.seconds == test.seconds { continue }
      var copy = test
      copy.name += " (fed as in the old file)"
      tests.append(copy)
    }
    return tests
  }

  private static func run(_ test: StreamTest, _ old: TestRunner, _ new: TestRunner) throws(Diagnostics) -> Run {
    let histories = [old, new].map { play(test, $0) }
    for history in histories {
      if let stop = try? history.get().stop {
        let name = test.name.isEmpty ? "" : " in the test '\(test.name)'"
        throw Diagnostics(.workExceeded, "the run does not end\(name): \(stop.message)")
      }
    }
    if let first = try? histories[0].get(), let second = try? histories[1].get() {
      let comparison = HistoryComparison(
        old: first.history, new: second.history,
        outputs: (old.stream.model.outputNames, new.stream.model.outputNames))
      return Run(name: test.name, differences: comparison.differences)
    }
    // A version that cannot be run has no output to compare; if both cannot, nothing is compared.
    if case .failure(let problems) = histories[0], case .failure = histories[1] { throw problems }
    var lines: [String] = []
    for (title, history) in zip(["old", "new"], histories) {
      if case .failure(let problems) = history {
        lines += problems.all.map { "\(title) cannot be run: \($0.message)" }
      } else {
        lines.append("\(title) runs")
      }
    }
    return Run(name: test.name, differences: lines)
  }

  private static func play(_ test: StreamTest, _ runner: TestRunner) -> Result<TestRunner.Played, Diagnostics> {
    do throws(Diagnostics) {
      return .success(try runner.play(test, at: JSONPointer(), eventLimit: eventLimit))
    } catch {
      return .failure(error)
    }
  }

  private static func nothingToFeed(_ inputs: [String]) -> Diagnostic {
    Diagnostic(
      .invalidTest, "neither file has a test that feeds '\(inputs[0])'",
      help: "add tests to the files, or give a recording: --input \(inputs[0])=FILE")
  }
}

extension CompileOptions {
  /// The options for a host that accepts every function and hook, as in tests.
  fileprivate var open: CompileOptions {
    var copy = self
    copy.host.functions = .any
    copy.host.hooks = .any
    return copy
  }
}
