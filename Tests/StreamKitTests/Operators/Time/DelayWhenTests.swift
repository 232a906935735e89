import StreamKit
import TestSupport
import Testing

/// `delayWhen` beyond its examples and the laws.
@Suite struct DelayWhenTests {
  @Test("The order of values is that in which their streams publish")
  func overtaking() throws {
    let events = try run(
      """
      {"stream": [{"value": 30}, {"value": 10}, {"value": 20}],
       "operators": [{"delayWhen": {"stream": {"source": {"timer": {"every": 0.01}},
         "operators": [{"filter": {"expression": "(value + 1) * 10 == outer"}}]}}}]}
      """)
    #expect(events == ["10@10", "20@20", "30@30", "|@30"])
  }
}
