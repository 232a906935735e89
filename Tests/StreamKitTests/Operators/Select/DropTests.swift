import StreamKit
import TestSupport
import Testing

/// `drop` beyond its examples and the laws.
@Suite struct DropTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("`drop` requests replacements for dropped values")
  func demand() throws {
    let texts = try answers(#"{\#(source), "operators": [{"drop": {"count": 2}}]}"#, [1, 1])
    #expect(texts == [["3"], ["4", "|"]])
  }
}
