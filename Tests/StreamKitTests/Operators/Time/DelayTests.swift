import StreamCore
import StreamKit
import Testing

/// `delay` beyond its examples and the laws.
@Suite struct DelayTests {
  @Test("`delay` delays a failure too, or passes it at once")
  func delayOfFailures() throws {
    let delayed = try recorded("1@0 #@0", #"{"delay": {"seconds": 0.1}}"#)
    let immediate = try recorded("1@0 #@0", #"{"delay": {"seconds": 0.1, "failures": "immediate"}}"#)
    #expect(delayed == "1@100 #S407@100")
    #expect(immediate == "#S407@0")
  }

  @Test("`delay` delays the end of an empty stream, or passes it when nothing waits")
  func delayOfNothing() throws {
    let delayed = try recorded("|@0", #"{"delay": {"seconds": 0.1}}"#)
    let immediate = try recorded("|@0", #"{"delay": {"seconds": 0.1, "finish": "immediate"}}"#)
    #expect(delayed == "|@100")
    #expect(immediate == "|@0")
  }
}
