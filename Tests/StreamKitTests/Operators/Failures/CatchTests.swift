import StreamCore
import StreamKit
import TestSupport
import Testing

/// `catch` beyond its examples and the laws.
@Suite struct CatchTests {
  @Test("The stream that follows is asked for what has not been answered yet")
  func demand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"validate": {"expression": "value < 2"}},
                     {"catch": {"stream": {"source": {"range": {"from": 10, "through": 12}}}}}]}
      """#
    let texts = try answers(json, [2, 1, 5])
    #expect(texts == [["1", "10"], ["11"], ["12", "|"]])
  }

  @Test("A failure that the file did not write is known by code and message")
  func descriptions() throws {
    let json = #"""
      {"stream": [{"value": 0}],
       "operators": [{"map": {"expression": "1 / value"}},
                     {"catch": {"stream": {"source": {"just": {"expression": "error.code"}}}}}]}
      """#
    let texts = try run(json)
    #expect(texts == ["\"S402\"@0", "|@0"])
  }

  @Test("A stream that catches with itself is a circle")
  func circle() {
    let found = problems(
      #"""
      {"streams": {"s": {"source": {"fail": {"error": 1}}, "operators": [{"catch": {"stream": "s"}}]}},
       "source": {"stream": {"name": "s"}}}
      """#)
    #expect(found == ["S110 /streams/s/operators/0/catch/stream"])
  }
}
