import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Behavior that the examples of the time operators do not show: demand, order within an instant, exact times,
/// snapshots.
@Suite struct TimeTests {
  private let endless = #""source": {"range": {"from": 1, "through": 9223372036854775807}}"#

  @Test("`timeout` and rateLimit read a source without an end no further than their limit")
  func lookAhead() throws {
    let timeout = try run(
      #"{\#(endless), "operators": [{"timeout": {"seconds": 1, "limit": 10}}, {"prefix": {"count": 3}}]}"#)
    let rate = try run(
      #"{\#(endless), "operators": [{"rateLimit": {"count": 1, "seconds": 0.5, "limit": 2}}, {"prefix": {"count": 3}}]}"#
    )
    #expect(timeout == ["1@0", "2@0", "3@0", "|@0"])
    #expect(rate == ["1@0", "2@500", "3@1000", "|@1000"])
  }

  @Test("Lists without demand wait, and so does the end")
  func listsWait() throws {
    let marbles = #""source": {"marbles": {"diagram": "a-b-c-d|"}}"#
    let byTime = try answers(#"{\#(marbles), "operators": [{"collectTime": {"seconds": 0.0025}}]}"#, [1, 1, 9])
    let byStream = try answers(
      #"{\#(marbles), "operators": [{"collectUntil": {"stream": {"source": {"timer": {"every": 0.0025}}}}}]}"#,
      [1, 9])
    #expect(byTime == [[#"["a","b"]"#], [#"["c"]"#], [#"["d"]"#, "|"]])
    #expect(byStream == [[#"["a","b"]"#], [#"["c"]"#, #"["d"]"#, "|"]])
  }

  @Test("`null` is a value that can wait, also in a saved stream")
  func null() throws {
    let operators = [
      #"{"throttle": {"seconds": 0.002}}"#, #"{"throttle": {"seconds": 0.002, "edges": "trailing"}}"#,
      #"{"audit": {"seconds": 0.002}}"#, #"{"debounce": {"seconds": 0.002}}"#, #"{"delay": {"seconds": 0.002}}"#,
      #"{"delayWhen": {"stream": {"source": {"timer": {"every": 0.002}}}}}"#, #"{"timeout": {"seconds": 1}}"#,
    ]
    for json in operators {
      let pipeline = try stream(#"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [\#(json)]}"#)
        .compile()
      let execution = Execution(pipeline)
      execution.request(.unlimited)
      execution.send(.null, to: 0, at: .zero)
      let before = execution.next()
      let restored = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      restored.advance(to: StreamTime(seconds: 0.01))
      let after = restored.next()
      #expect(before ?? after == .value(.null), "\(json)")
    }
  }
}
