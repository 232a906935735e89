import StreamKit
import TestSupport
import Testing

/// `combineLatestAll` beyond its examples and the laws.
@Suite struct CombineLatestAllTests {
  private let numbers = #""source": {"range": {"from": 1, "through": 3}}"#
  private let pair =
    #"{"source": {"just": {"expression": "outer"}}, "operators": [{"append": {"with": [{"source": {"just": {"expression": "outer * 10"}}}]}}]}"#

  @Test("Streams that begin together are combined, with what each was begun for")
  func demand() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"combineLatestAll": {"stream": \#(pair)}}]}"#, [1, 1, 9])
    // The combinations are those of unlimited demand: a value waits if its combination was not requested.
    #expect(texts == [["[10,20,3]"], ["[10,20,30]", "|"], []])
  }

  @Test("A value beyond the limit is skipped alone", arguments: ["combineLatestAll", "zipAll"])
  func skippedValue(_ name: String) throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 1, "through": 4}},
       "operators": [{"\#(name)": {"stream": {"source": {"just": {"expression": "outer * 10"}}}, "limit": 2},
                      "onError": "skip"}]}
      """#)
    #expect(texts.count { $0.contains("S409") } == 2)
    #expect(texts.suffix(2) == ["[10,20]@0", "|@0"])
  }
}
