import StreamKit
import Testing

/// `prefix` beyond its examples and the laws.
@Suite struct PrefixTests {
  @Test("`prefix` of 0 subscribes to nothing")
  func prefixOfNothing() throws {
    let heard = try hooksAndEvents(
      """
      {"source": {"never": {}},
       "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"prefix": {"count": 0}}]}
      """)
    #expect(heard == ["|"])
  }
}
