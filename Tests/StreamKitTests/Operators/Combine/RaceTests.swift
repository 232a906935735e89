import StreamKit
import Testing

/// `race` beyond its examples and the laws.
@Suite struct RaceTests {
  @Test("The loser of a race is canceled, and asked for nothing more")
  func loser() throws {
    let texts = try answers(
      #"{"source": {"range": {"from": 1, "through": 3}}, "operators": [{"race": {"with": [{"source": {"range": {"from": 11, "through": 13}}}]}}]}"#,
      [1, 9])
    #expect(texts == [["1"], ["2", "3", "|"]])
  }
}
