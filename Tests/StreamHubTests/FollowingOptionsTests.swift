#if Sharing
import Testing

@testable import StreamHub

@Suite struct FollowingOptionsTests {
  @Test(arguments: [("5m", 300), ("1h30m", 5_400), ("0s", 0), ("2d", 172_800)] as [(String, Int64)])
  func aFreshnessIsADuration(_ text: String, _ seconds: Int64) {
    #expect(Freshness(argument: text)?.seconds == seconds)
  }

  @Test(arguments: ["", "5", "-1s", "soon", "999999999999h"])
  func anotherTextIsNone(_ text: String) {
    #expect(Freshness(argument: text) == nil)
  }
}
#endif
