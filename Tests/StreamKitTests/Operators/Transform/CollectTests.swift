import StreamKit
import TestSupport
import Testing

/// `collect` beyond its examples and the laws.
@Suite struct CollectTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("`collect` requests as many values as its lists hold")
  func demand() throws {
    let texts = try answers(#"{\#(source), "operators": [{"collect": {"count": 2}}]}"#, [1, 1])
    #expect(texts == [["[1,2]"], ["[3,4]", "|"]])
  }

  @Test("`collect` with overlapping lists requests the values that they need, and publishes the rest on demand")
  func overlappingLists() throws {
    let json = """
      {"source": {"range": {"from": 1, "through": 5}}, "operators": [{"collect": {"count": 3, "startEvery": 1}}]}
      """
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts == [["[1,2,3]"], ["[2,3,4]"], ["[3,4,5]"], ["[4,5]"], ["[5]", "|"]])
  }

  @Test("The lists that overlap at the end are bounded")
  func overlappingLimit() throws {
    let events = try run(
      """
      {"source": {"range": {"from": 1, "through": 99}},
       "operators": [{"collect": {"count": 100, "startEvery": 1, "limit": 1000}}]}
      """)
    #expect(events == ["#S409@0"])
  }
}
