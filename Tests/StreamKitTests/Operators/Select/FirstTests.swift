import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `first` beyond its examples and the laws.
@Suite struct FirstTests {
  @Test("`first` of an empty stream finishes; failIfEmpty fails")
  func firstOfNothing() throws {
    let finished = try recorded("|@0", #"{"first": {}}"#)
    let failed = try recorded("|@0", #"{"first": {}}, {"failIfEmpty": {}}"#)
    #expect(finished == "|@0")
    #expect(failed == "#S407@0")
  }

  @Test("A found value waits until it is requested, and upstream is canceled in the meantime")
  func foundBeforeDemand() throws {
    let pipeline = try stream(#"{"source": {"timer": {"every": 1}}, "operators": [{"first": {}}]}"#).compile()
    var execution = Execution(pipeline)
    execution.request(.none)
    execution.advance(to: StreamTime(seconds: 1))
    let early = execution.next()
    execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    let stages = execution.stageCount
    execution.request(Demand(1))
    let value = execution.next()
    let end = execution.next()
    #expect(early == nil)
    #expect(stages == 1)
    #expect(value == .value(0))
    #expect(end == .finished)
  }
}
