import StreamKit
import TestSupport
import Testing

/// `mergeOrdered` beyond its examples and the laws.
@Suite struct MergeOrderedTests {
  @Test("Sorted streams of any length merge in bounded memory")
  func memory() throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 0, "through": 199998, "by": 2}},
       "operators": [{"mergeOrdered": {"with": [{"source": {"range": {"from": 1, "through": 199999, "by": 2}}}], "limit": 16}},
                     {"filter": {"expression": "value != index"}}, {"count": {}}]}
      """#)
    #expect(texts == ["0@0", "|@0"])
  }

  @Test("Sorted streams publish as many as are asked for")
  func demand() throws {
    let texts = try answers(
      #"{"stream": [{"value": 1}, {"value": 4}], "operators": [{"mergeOrdered": {"with": [{"stream": [{"value": 2}, {"value": 3}]}]}}]}"#,
      [1, 2, 2])
    #expect(texts == [["1"], ["2", "3"], ["4", "|"]])
  }
}
