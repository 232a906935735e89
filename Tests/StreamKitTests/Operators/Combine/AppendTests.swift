import StreamKit
import TestSupport
import Testing

/// `append` beyond its examples and the laws.
@Suite struct AppendTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Unmet demand is passed to the following stream")
  func demand() throws {
    let texts = try answers(
      #"{"stream": [{"value": 0}], "operators": [{"append": {"with": [{\#(source)}]}}]}"#, [2, 1, 2])
    #expect(texts == [["0", "1"], ["2"], ["3", "4", "|"]])
  }
}
