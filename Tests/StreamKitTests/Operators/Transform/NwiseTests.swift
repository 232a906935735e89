import StreamKit
import TestSupport
import Testing

/// `nwise` beyond its examples and the laws.
@Suite struct NwiseTests {
  @Test("`nwise` requests the values that fill its first list")
  func demand() throws {
    let texts = try answers(to: #"{"nwise": {"count": 3}}"#, [1, 1])
    #expect(texts == [["[1,2,3]"], ["[2,3,4]", "|"]])
    let partial = try answers(to: #"{"nwise": {"count": 3, "partial": true}}"#, [1, 3])
    #expect(partial == [["[1]"], ["[1,2]", "[1,2,3]", "[2,3,4]", "|"]])
  }
}
