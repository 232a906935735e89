import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Operators that subscribe again at one instant: `retry`, `repeat`, `retryWhen`, `repeatWhen`.
@Suite struct ResubscribeLoopGuardTests {
  @Test("Operators that resubscribe without end at one instant, without events, fail")
  func barrenRuns() throws {
    let again = try run(#"{"source": {"fail": {"error": "e"}}, "operators": [{"retryWhen": {"operators": []}}]}"#)
    let round = try run(#"{"source": {"empty": {}}, "operators": [{"repeatWhen": {"operators": []}}]}"#)
    #expect(again == ["#S409@0"])
    #expect(round == ["#S409@0"])
  }

  @Test(
    "An endless loop at one instant can be left between two steps, saved, and ends with a failure",
    arguments: [
      #"{"source": {"fail": {"error": "x"}}, "operators": [{"retry": {}}]}"#,
      #"{"source": {"empty": {}}, "operators": [{"repeat": {}}]}"#,
    ])
  func endless(_ json: String) throws {
    let pipeline = try stream(json).compile()
    var execution = Execution(pipeline)
    execution.request(.unlimited)
    let first = execution.step(atMost: 1_000)
    #expect(first == .unfinished)
    #expect(execution.stageCount <= 2)
    execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    guard case .failure(let failure)? = execution.next() else {
      Issue.record("it should have failed")
      return
    }
    #expect(failure.code == "S409")
  }
}
