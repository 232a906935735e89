import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// The parts of a file that its tests exercise.
@Suite struct TestCoverageTests {
  private func coverage(of json: String) throws -> TestCoverage {
    let stream = try stream(json)
    var options = CompileOptions()
    let recorder = CoverageRecorder()
    options.coverage = recorder
    _ = try stream.compile(options)
    _ = try TestRunner(stream, options: options).run()
    return TestCoverage(recorder, in: stream.document)
  }

  /// The uncovered parts, as `line:column message`.
  private func uncovered(_ json: String) throws -> [String] {
    try coverage(of: json).uncovered.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" }
  }

  @Test("An operator that no value reaches is reported at its name")
  func operators() throws {
    let found = try uncovered(
      """
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"filter": {"expression": "value > 9"}},
                     {"count": {}}],
       "tests": [{"name": "t", "inputs": {"a": {"values": [1]}}, "expect": {"values": [0]}}]}
      """)
    #expect(found == ["3:17 operator 'count': no value reaches it"])
  }

  static let exercised: [(String, String, Bool)] = [
    (#"{"catch": {"stream": {"stream": [{"value": 0}]}}}"#, "-a|", false),
    (#"{"catch": {"stream": {"stream": [{"value": 0}]}}}"#, "-#", true),
    (#"{"replaceEmpty": {"with": 0}}"#, "-a|", false),
    (#"{"replaceEmpty": {"with": 0}}"#, "-|", true),
    (#"{"append": {"with": ["b"]}}"#, "-a", false),
    (#"{"append": {"with": ["b"]}}"#, "-|", true),
    (#"{"prepend": {"with": ["b"]}}"#, "-a|", false),
    (#"{"prepend": {"with": [{"stream": []}]}}"#, "", true),
    (#"{"map": {"expression": "1"}}"#, "-#", false),
    (#"{"map": {"expression": "1"}}"#, "-a", true),
  ]

  @Test("An operator is exercised by what it is there for", arguments: exercised)
  func exercises(_ json: String, _ marbles: String, _ isExercised: Bool) throws {
    let coverage = try coverage(
      of: """
        {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [\(json)],
         "tests": [{"name": "t", "inputs": {"a": {"marbles": "\(marbles)"}}, "expect": {"values": []}}]}
        """)
    #expect(coverage.operators.total == 1)
    #expect(coverage.operators.covered == (isExercised ? 1 : 0))
  }

  @Test("Tests add up, each with a side of its own")
  func branches() throws {
    let one = #"{"name": "up", "inputs": {"a": {"values": [1]}}, "expect": {"values": []}}"#
    let two = #"{"name": "down", "inputs": {"a": {"values": [-1]}}, "expect": {"values": []}}"#
    func file(_ tests: String) -> String {
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value > 0 ? 'ä' : 'b'"}}], "tests": [\#(tests)]}"#
    }
    let half = try uncovered(file(one))
    #expect(half == ["1:115 branch `'b'`: the condition always holds"])
    let whole = try coverage(of: file("\(one), \(two)"))
    #expect(whole.branches == TestCoverage.Share(covered: 2, total: 2))
    #expect(whole.percentage == 100)
    let none = try coverage(of: file(""))
    #expect(none.percentage == 0)
    #expect(none.uncovered.count == 3)
  }

  @Test("A part that a test replaces still counts as not exercised")
  func replaced() throws {
    let found = try uncovered(
      """
      {"streams": {"s": {"stream": [{"value": 1}],
                         "operators": [{"map": {"expression": "value"}}]}},
       "source": {"stream": {"name": "s"}},
       "tests": [{"name": "t", "inputs": {"s": {"values": [1]}}, "expect": {"values": [1]}}]}
      """)
    #expect(found == ["2:35 operator 'map': no value reaches it"])
  }

  @Test("A file without operators and branches is covered as a whole")
  func empty() throws {
    let found = try coverage(of: #"{"stream": [{"value": 1}]}"#)
    #expect(found.percentage == 100)
  }

  @Test("Nothing is heard of it: an example says the same", arguments: ExampleStream.running)
  func unheard(_ example: ExampleStream) throws {
    func history(_ coverage: CoverageRecorder?) throws -> History {
      var options = CompileOptions(files: ValueFilesInMemory.examples, host: .any)
      options.coverage = coverage
      let pipeline = try StreamModel(json: example.stream()).compile(options)
      let run = VirtualRun(Execution(pipeline), until: StreamTime(seconds: 100), eventLimit: 1_000)
      run.feed(try example.inputs().enumerated().map { ($0.offset, $0.element) })
      return run.run()
    }
    let plain = try history(nil)
    let recorded = try history(CoverageRecorder())
    #expect(recorded == plain)
  }
}
