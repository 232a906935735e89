import StreamKit
import TestSupport
import Testing

/// `sort` beyond its examples and the laws.
@Suite struct SortTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Sorted values are published as they are asked for")
  func demand() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"sort": {"limit": 9, "descending": true}}]}"#, [1, 2, 1])
    #expect(texts == [["4"], ["3", "2"], ["1", "|"]])
  }
}
