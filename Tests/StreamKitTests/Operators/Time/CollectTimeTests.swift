import StreamKit
import Testing

/// `collectTime` beyond its examples and the laws.
@Suite struct CollectTimeTests {
  @Test("`collect` by time publishes no list, or an empty one, for a time without values")
  func silence() throws {
    let silent = try recorded("|@310", #"{"collectTime": {"seconds": 0.1}}"#)
    let empty = try recorded("|@310", #"{"collectTime": {"seconds": 0.1, "emitEmpty": true}}"#)
    #expect(silent == "|@310")
    #expect(empty == "[]@100 []@200 []@300 []@310 |@310")
  }
}
