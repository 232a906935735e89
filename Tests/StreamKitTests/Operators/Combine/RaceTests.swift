import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `race` beyond its examples and the laws.
@Suite struct RaceTests {
  @Test("The loser of a race is canceled, and asked for nothing more")
  func loser() throws {
    let texts = try answers(
      #"{"source": {"range": {"from": 1, "through": 3}}, "operators": [{"race": {"with": [{"source": {"range": {"from": 11, "through": 13}}}]}}]}"#,
      [1, 9])
    #expect(texts == [["1"], ["2", "3", "|"]])
  }

  @Test("A value that an input receives before the first request is not lost")
  func valueBeforeDemand() throws {
    let execution = Execution(
      try stream(
        #"{"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"race": {"with": ["b"]}}]}"#
      ).compile())
    execution.request(.none)
    #expect(execution.next() == nil)
    execution.send(7, to: 1, at: .zero)
    #expect(execution.next() == nil)
    execution.request(Demand(1))
    #expect(execution.next() == .value(7))
  }
}
