import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Values that hold another value twice, over up to 60 levels: their text is longer than any memory, and is never written
/// in full.
@Suite struct LongTextTests {
  private static let doubling = #"""
    "source": {"range": {"from": 0, "through": 60}}, "operators": [
      {"scan": {"initialValue": 1, "expression": "[acc, acc]"}}, {"drop": {"count": 57}}
    """#

  private static let doubled = (0..<60).reduce(Value.int(1)) { value, _ in [value, value] }

  /// The stream of four such values, of 57 to 60 levels, with more operators behind it.
  private static func file(_ operators: String, _ members: String = "") -> String {
    "{\(members)\(doubling), \(operators)]}"
  }

  private func run(_ operators: String) throws -> VirtualRun.Outcome {
    let pipeline = try stream(Self.file(operators)).compile(CompileOptions(host: .any))
    var run = VirtualRun(Execution(pipeline), eventLimit: 100)
    run.workLimit = RunLimits(budget: 50_000)
    return run.outcome()
  }

  @Test(
    "Operators that compare values or make keys of them end",
    arguments: [
      (#"{"distinct": {}}, {"count": {}}"#, ["4@0", "|@0"]),
      (#"{"groupBy": {"key": "value", "operators": [{"count": {}}]}}, {"count": {}}"#, ["4@0", "|@0"]),
      (#"{"removeDuplicates": {}}, {"count": {}}"#, ["4@0", "|@0"]),
      (#"{"sequenceEqual": {"with": [{\#(doubling)]}]}}"#, ["true@0", "|@0"]),
    ])
  func comparing(_ operators: String, _ expected: [String]) throws {
    let outcome = try run(operators)
    #expect(outcome.history.texts() == expected)
    #expect(outcome.stop == nil)
  }

  @Test("A group above the limit is reported with the beginning of its key")
  func groups() throws {
    let outcome = try run(#"{"groupBy": {"key": "value", "limit": 3, "operators": [{"count": {}}]}}"#)
    let failure = try #require(outcome.history.failure)
    #expect(failure.code == "S409")
    #expect(failure.message.hasPrefix("'groupBy' has reached its limit of 3 groups; the key [[[[["))
    #expect(failure.message.hasSuffix("…\u{20}is one more"))
    #expect(failure.message.utf8.count < 300)
  }

  @Test("A limit of one is reported in the singular")
  func singular() throws {
    let outcome = try run(#"{"collect": {"limit": 1}}"#)
    #expect(outcome.history.failure?.message == "'collect' has reached its limit of 1 value")
  }

  private static let failing = #"{"map": {"expression": "{'failure': value}"}}, {"dematerialize": {}}"#

  @Test("The line of a failure has the beginning of its payload")
  func lines() throws {
    let pipeline = try stream(Self.file(Self.failing + #", {"print": {}}"#)).compile()
    var lines: [String] = []
    VirtualRun(Execution(pipeline), note: { lines.append($0.message.text ?? "") }).run()
    let last = try #require(lines.last)
    #expect(last.hasPrefix("receive error: ([[[[["))
    #expect(last.utf8.count < 101_000)
  }

  @Test("A difference has the beginning of a failure")
  func differences() {
    let failed = History([History.Event(.zero, .failure(StreamFailure(payload: Self.doubled)))])
    let lines = HistoryComparison(old: History([History.Event(.zero, .finished)]), new: failed).differences
    #expect(lines.contains { $0.hasPrefix("new at 0: failure [[[[[") })
    #expect(lines.allSatisfy { $0.utf8.count < 101_000 })
    #expect(HistoryComparison(old: failed, new: failed).differences.isEmpty)
  }

  @Test("A test ends at a failure that is too long to be compared")
  func failures() throws {
    let tests = #""tests": [{"name": "t", "expect": {"values": []}}], "#
    let outcome = try #require(try TestRunner(stream(Self.file(Self.failing, tests))).run().first)
    #expect(outcome.differences.first == "S409: the failure is longer than 10000000 bytes as JSON")
    #expect(outcome.newExpectation == nil)
  }

  @Test("A call without a result is reported with the beginning of its argument")
  func calls() throws {
    let tests = #""tests": [{"name": "t", "expect": {"values": []}}], "#
    let call =
      #"{"prefix": {"count": 1}}, {"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}"#
    let outcome = try #require(try TestRunner(stream(Self.file(call, tests))).run().first)
    let line = try #require(outcome.differences.first { $0.hasPrefix("no result") })
    #expect(line.hasPrefix("no result for f([[[[["))
    #expect(line.hasSuffix("…): add one to 'calls'"))
    #expect(line.utf8.count < 11_000)
  }
}

extension History {
  fileprivate var failure: StreamFailure? {
    if case .failure(let failure)? = completion { failure } else { nil }
  }
}
