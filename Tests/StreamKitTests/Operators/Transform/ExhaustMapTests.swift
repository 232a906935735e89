import StreamKit
import TestSupport
import Testing

/// `exhaustMap` beyond its examples and the laws.
@Suite struct ExhaustMapTests {
  private let numbers = #""source": {"range": {"from": 1, "through": 3}}"#
  private let pair =
    #"{"source": {"just": {"expression": "outer"}}, "operators": [{"append": {"with": [{"source": {"just": {"expression": "outer * 10"}}}]}}]}"#

  @Test("While the first stream waits to be asked, other values are left out")
  func exhaust() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"exhaustMap": {"stream": \#(pair)}}]}"#, [1, 1])
    #expect(texts == [["1"], ["10", "|"]])
  }
}
