import StreamKit
import TestSupport
import Testing

/// `switchMap` beyond its examples and the laws.
@Suite struct SwitchMapTests {
  private let numbers = #""source": {"range": {"from": 1, "through": 3}}"#
  private let pair =
    #"{"source": {"just": {"expression": "outer"}}, "operators": [{"append": {"with": [{"source": {"just": {"expression": "outer * 10"}}}]}}]}"#

  @Test("The newest stream is asked for what has not been answered yet")
  func latest() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"switchMap": {"stream": \#(pair)}}]}"#, [1, 1, 1])
    #expect(texts == [["1"], ["3"], ["30", "|"]])
  }

  @Test("A stream can replace itself repeatedly")
  func replacedAtOneInstant() throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 1, "through": 100000}},
       "operators": [{"switchMap": {"stream": {"source": {"timer": {"every": 0.001, "count": 1}},
                                               "operators": [{"map": {"expression": "outer"}}]}}}]}
      """#)
    #expect(texts == ["100000@1", "|@1"])
  }
}
