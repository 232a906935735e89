import StreamKit
import TestSupport
import Testing

/// `rateLimit` beyond its examples and the laws.
@Suite struct RateLimitTests {
  @Test("Tokens arrive evenly and to the nanosecond, however long the stream runs")
  func tokens() throws {
    let events = try run(
      #"{"source": {"range": {"from": 1, "through": 3004}}, "operators": [{"rateLimit": {"count": 3, "seconds": 0.01}}]}"#
    )
    let last = events.suffix(2)
    // The first three pass at once; the 3,001 others take a third of ten milliseconds each.
    #expect(events.prefix(5) == ["1@0", "2@0", "3@0", "4@3.333334", "5@6.666667"])
    #expect(last == ["3004@10003.333334", "|@10003.333334"])
  }

  @Test("A bucket fills no further than to its size")
  func burst() throws {
    let events = try run(
      """
      {"source": {"marbles": {"diagram": "[ab] 1s [cdef]|"}}, "operators": [{"rateLimit": {"count": 2, "seconds": 0.01}}]}
      """)
    #expect(events == [#""a"@0"#, #""b"@0"#, #""c"@1001"#, #""d"@1001"#, #""e"@1006"#, #""f"@1011"#, "|@1011"])
  }
}
