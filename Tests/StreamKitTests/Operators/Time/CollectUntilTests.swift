import StreamKit
import TestSupport
import Testing

/// `collectUntil` beyond its examples and the laws.
@Suite struct CollectUntilTests {
  @Test("Values are requested until a collected list is complete")
  func demand() throws {
    let json = """
      {"source": {"range": {"from": 1, "through": 7}}, "operators": [{"collectUntil": {"expression": "value % 3 == 0"}}]}
      """
    let texts = try answers(json, [1, 1, 1])
    #expect(texts == [["[1,2,3]"], ["[4,5,6]"], ["[7]", "|"]])
  }

  @Test("A stream that completes lists knows which list it is for")
  func numberOfList() throws {
    let events = try run(
      """
      {"source": {"timer": {"every": 0.001, "count": 9, "startingAfter": 0.0005}},
       "operators": [{"collectUntil": {"each": true, "stream":
         {"source": {"timer": {"every": 0.001}}, "operators": [{"filter": {"expression": "value == outerIndex"}}]}}},
         {"map": {"expression": "size(value)"}}]}
      """)
    #expect(events == ["1@1", "2@3", "3@6", "3@8.5", "|@8.5"])
  }
}
