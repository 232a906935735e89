import StreamKit
import TestSupport
import Testing

/// `flatMap` beyond its examples and the laws.
@Suite struct FlatMapTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#
  private let numbers = #""source": {"range": {"from": 1, "through": 3}}"#
  private let pair =
    #"{"source": {"just": {"expression": "outer"}}, "operators": [{"append": {"with": [{"source": {"just": {"expression": "outer * 10"}}}]}}]}"#

  @Test("An inner stream that fails cancels upstream too")
  func innerFailure() throws {
    let heard = try hooksAndEvents(
      """
      {"source": {"timer": {"every": 0.1}},
       "operators": [{"handleEvents": {"receiveCancel": "canceled"}},
                     {"flatMap": {"stream": {"source": {"fail": {"error": "no"}}}}}]}
      """)
    #expect(heard == ["canceled", "#S407"])
  }

  @Test("`flatMap` with one inner stream at a time queues the rest")
  func demand() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"flatMap": {"stream": {"stream": [{"value": "x"}, {"value": "y"}]}, "maxPublishers": 1}}, {"prefix": {"count": 5}}]}"#,
      [1, 2, 2])
    #expect(texts == [["\"x\""], ["\"y\"", "\"x\""], ["\"y\"", "\"x\"", "|"]])
  }

  @Test("One after the other, as many as are asked for")
  func concat() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"flatMap": {"stream": \#(pair), "strategy": "concat"}}]}"#, [1, 2, 1, 9])
    #expect(texts == [["1"], ["10", "2"], ["20"], ["3", "30", "|"]])
  }
}
