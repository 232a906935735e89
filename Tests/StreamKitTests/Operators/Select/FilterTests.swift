import StreamKit
import TestSupport
import Testing

/// `filter` beyond its examples and the laws.
@Suite struct FilterTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("`filter` replaces dropped values")
  func demand() throws {
    let texts = try answers(#"{\#(source), "operators": [{"filter": {"expression": "value % 2 == 0"}}]}"#, [1, 1])
    #expect(texts == [["2"], ["4", "|"]])
  }
}
