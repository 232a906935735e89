import StreamKit
import TestSupport
import Testing

/// `range` beyond its examples and the laws.
@Suite struct RangeTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("A sequence publishes what is asked for, and the end with the last value")
  func demand() throws {
    let texts = try answers("{\(source)}", [1, 2, 1])
    #expect(texts == [["1"], ["2", "3"], ["4", "|"]])
  }
}
