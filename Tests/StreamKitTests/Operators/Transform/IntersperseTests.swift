import StreamKit
import TestSupport
import Testing

/// `intersperse` beyond its examples and the laws.
@Suite struct IntersperseTests {
  @Test("Separators count: a value waits after one until it is requested")
  func demand() throws {
    let texts = try answers(to: #"{"intersperse": {"value": 0}}"#, [1, 1, 1, 2], through: 3)
    #expect(texts == [["1"], ["0"], ["2"], ["0", "3", "|"]])
    let end = try answers(to: #"{"intersperse": {"value": null}}"#, [2, 1], through: 2)
    #expect(end == [["1", "null"], ["2", "|"]])
  }
}
