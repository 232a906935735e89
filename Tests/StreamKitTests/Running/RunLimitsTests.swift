import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import StreamTools
import Synchronization
import TestSupport
import Testing

/// Runs in virtual time end, whatever a stream does.
@Suite struct RunLimitsTests {
  /// Streams that neither end nor publish.
  static let silent = [
    #""source": {"never": {}}, "operators": [{"collectTime": {"seconds": 1, "emitEmpty": true}}, {"ignoreOutput": {}}]"#,
    #""source": {"never": {}}, "operators": [{"window": {"seconds": 1, "operators": [{"max": {}}]}}]"#,
    #""source": {"timer": {"every": 1}}, "operators": [{"ignoreOutput": {}}]"#,
    #""source": {"timer": {"every": 0.001}}, "operators": [{"filter": {"expression": "value < 0"}}]"#,
    #""source": {"range": {"from": 1, "through": 1000000000000}}, "operators": [{"filter": {"expression": "value < 0"}}]"#,
    #""source": {"repeatElement": {"value": 1}}, "operators": [{"filter": {"expression": "string(value) == 'x'"}}]"#,
    #""source": {"timer": {"every": 1}}, "operators": [{"map": {"expression": "lists.range(2000).map(x, x + value)"}}, {"ignoreOutput": {}}]"#,
  ]

  private static func file(_ members: String) -> String {
    #"{\#(members), "tests": [{"name": "t", "expect": {"values": []}}]}"#
  }

  @Test(
    "A test of an endless stream fails with a fix; no expectation is written", arguments: silent)
  func tests(_ members: String) throws {
    var runner = TestRunner(try stream(Self.file(members)))
    runner.workLimit = RunLimits(budget: 50_000)
    let outcomes = try runner.run()
    let first = try #require(outcomes.first?.differences.first)
    #expect(first.hasPrefix("the test does not end: no event within 50000 steps, up to "))
    #expect(first.hasSuffix("; add 'for' to the test, or 'finished' to its inputs"))
    #expect(outcomes.first?.newExpectation == nil)
  }

  @Test("A test of a stream that skips values without end fails with a fix")
  func skipsWithoutEnd() throws {
    let stream = try stream(
      Self.file(
        #""source": {"timer": {"every": 0.001}}, "operators": [{"map": {"expression": "1 / 0 * value"}, "onError": "skip"}]"#
      ))
    let first = try #require(try TestRunner(stream).run().first?.differences.first)
    #expect(first == "S409: more than 100000 values are skipped; if the stream does not end, add 'for' to the test")
  }

  @Test("A test whose stream skips many values passes")
  func skipsMany() throws {
    let stream = try stream(
      Self.file(
        #""source": {"range": {"from": 1, "through": 5000}}, "operators": [{"map": {"expression": "1 / 0 * value"}, "onError": "skip"}]"#
      ))
    #expect(try TestRunner(stream).run().first?.differences == [])
  }

  @Test("The same run stops at the same step", arguments: silent)
  func deterministic(_ members: String) throws {
    let pipeline = try stream("{\(members)}").compile()
    let ends = [0, 1].map { _ in
      let execution = Execution(pipeline)
      var run = VirtualRun(execution)
      run.workLimit = RunLimits(budget: 30_000)
      let stop = run.outcome().stop
      return "\(execution.time) \(stop?.code ?? "none")"
    }
    #expect(ends[0] == ends[1])
    #expect(ends[0].hasSuffix("S417"))
  }

  @Test("A file that is opened again and again uses up the budget")
  func files() throws {
    let stream = try stream(
      Self.file(
        #""source": {"file": {"path": "none.csv", "format": "csv"}}, "operators": [{"retryWhen": {"operators": [{"delay": {"seconds": 0.002}}]}}]"#
      ))
    let files = CountedFiles()
    var runner = TestRunner(stream, options: CompileOptions(files: files))
    runner.workLimit = RunLimits(budget: 1_000_000)
    let first = try #require(try runner.run().first?.differences.first)
    #expect(first.hasPrefix("the test does not end: no event within 1000000 steps, up to "))
    #expect(files.count.withLock { $0 } <= 1_100)
  }

  /// Counts the requests for files. None of the files exists.
  private final class CountedFiles: ValueFiles {
    let count = Mutex(0)

    func open(
      _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
    ) throws(Diagnostic) -> any ValueReader {
      count.withLock { $0 += 1 }
      throw Diagnostic(.fileNotFound, "there is no file '\(path)'")
    }
  }

  @Test("An event resets the count")
  func events() throws {
    let pipeline = try stream(
      #"{"source": {"timer": {"every": 1}}, "operators": [{"filter": {"expression": "value % 9000 == 0"}}]}"#
    ).compile()
    var run = VirtualRun(Execution(pipeline), eventLimit: 20)
    run.workLimit = RunLimits(budget: 50_000)
    let outcome = run.outcome()
    #expect(outcome.stop == nil)
    #expect(outcome.history.events.count == 20)
  }

  @Test("A host can end a run")
  func check() throws {
    let pipeline = try stream(#"{"source": {"timer": {"every": 1}}, "operators": [{"ignoreOutput": {}}]}"#).compile()
    var run = VirtualRun(Execution(pipeline))
    run.workLimit = RunLimits(budget: .max) { StreamFailure(.limitExceeded, "enough") }
    let stop = run.outcome().stop
    #expect(stop?.message == "enough")
  }

  @Test("A picture of silence ends, and keeps little", arguments: silent)
  func pictures(_ members: String) throws {
    var run = PictureRun(try stream("{\(members)}"))
    run.workLimit = RunLimits(budget: 50_000)
    let picture = try run.picture(of: StreamTest(name: "", expect: StreamTest.EventScript(.values([]))))
    #expect(picture.isCut)
    #expect(picture.lanes.allSatisfy { $0.events.count <= 60 })
    run.showsStages = true
    let staged = try run.picture(of: StreamTest(name: "", expect: StreamTest.EventScript(.values([]))))
    #expect(staged.lanes.allSatisfy { $0.events.count <= 60 })
  }

  @Test("Endless versions are reported")
  func versions() throws {
    let loaded = try stream(Self.file(Self.silent[0]))
    #expect {
      _ = try BehaviorDiff(
        from: loaded, to: loaded, oldOptions: CompileOptions(), newOptions: CompileOptions(),
        workLimit: RunLimits(budget: 50_000))
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == [.workExceeded]
    }
  }

  // MARK: The end of time

  @Test(
    "Time ends 292 years after the start, with a failure",
    arguments: [
      (#""source": {"timer": {"every": 31536000}}"#, 292),
      (#""source": {"just": {"value": 1}}, "operators": [{"repeat": {"seconds": 31536000}}]"#, 293),
      (#""source": {"timer": {"every": 31536000}}, "operators": [{"delay": {"seconds": 31536000}}]"#, 291),
    ])
  func endOfTime(_ members: String, _ count: Int) throws {
    let history = VirtualRun(Execution(try stream("{\(members)}").compile()), eventLimit: 1_000).run()
    let texts = history.texts()
    #expect(texts.count == count + 1)
    #expect(texts.last?.hasPrefix("#S416@") == true)
    guard case .failure(let failure)? = history.completion else { return }
    #expect(failure.message.hasSuffix("' set a timer more than 292 years after the start, which is the limit"))
    let times = history.events.dropLast().map(\.time)
    #expect(times == Array(Set(times)).sorted())
  }

  @Test("A stream that ends before is not touched by the end of time")
  func timeout() throws {
    let history = VirtualRun(
      Execution(try stream(#"{"source": {"timer": {"every": 1, "count": 2}}}"#).compile()), eventLimit: 1_000
    ).run()
    #expect(history.texts().last == "|@2000")
  }

  @Test("The calendar continues to the end of time, from any year")
  func calendar() throws {
    let pipeline = try stream(
      #"{"source": {"timer": {"every": 31536000, "count": 285}}, "operators": [{"map": {"expression": "now().getFullYear()"}}]}"#
    ).compile()
    let execution = Execution(pipeline, origin: Timestamp(seconds: -11_676_096_000, nanoseconds: 999_999_999))
    let texts = VirtualRun(execution).run().texts()
    #expect(texts.dropLast().last?.hasPrefix("1884@") == true)
  }
}
