import StreamKit
import TestSupport
import Testing

/// `throttle` beyond its examples and the laws.
@Suite struct ThrottleTests {
  @Test("`throttle` publishes the newest value at the end of the interval, then ends")
  func throttleLatest() throws {
    let both = try recorded("1@0 2@20 |@20", #"{"throttle": {"seconds": 0.1}}"#)
    let leading = try recorded("1@0 2@20 |@20", #"{"throttle": {"seconds": 0.1, "edges": "leading"}}"#)
    #expect(both == "1@0 2@100 |@100")
    #expect(leading == "1@0 |@20")
  }

  @Test("`throttle` with `latest` false publishes the first value of the interval, late")
  func throttleFirst() throws {
    let heard = try recorded("1@0 2@10 3@20 |@20", #"{"throttle": {"seconds": 0.1, "latest": false}}"#)
    #expect(heard == "1@0 2@100 |@100")
  }

  @Test("`throttle` publishes a waiting value by its timer, not with the next value")
  func throttleAfterPause() throws {
    let heard = try recorded("1@0 2@20 3@320 |@320", #"{"throttle": {"seconds": 0.1}}"#)
    #expect(heard == "1@0 2@100 3@320 |@320")
  }

  @Test("`throttle` publishes the newest value of an instant, and loses no value of a synchronous source")
  func throttleWithinOneMoment() throws {
    let items = #""stream": [{"value": 1}, {"value": 2}, {"value": 3}]"#
    let newest = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1}}]}"#)
    let first = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1, "latest": false}}]}"#)
    let leading = try run(#"{\#(items), "operators": [{"throttle": {"seconds": 1, "edges": "leading"}}]}"#)
    #expect(newest == ["3@0", "|@0"])
    #expect(first == ["1@0", "|@0"])
    #expect(leading == ["1@0", "|@0"])
  }
}
