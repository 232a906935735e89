import StreamKit
import TestSupport
import Testing

/// `combineLatest` beyond its examples and the laws.
@Suite struct CombineLatestTests {
  @Test("`combineLatest` stays open until all have finished, even if no value can come")
  func deadCombination() throws {
    let other = #"{"source": {"record": {"events": [{"at": 0.01, "value": 1}, {"at": 0.03, "finished": true}]}}}"#
    let heard = try recorded("|@0", "{\"combineLatest\": {\"with\": [\(other)]}}")
    #expect(heard == "|@30")
  }

  @Test("A diamond publishes every combination, or the last one of each instant")
  func diamond() throws {
    func json(_ atomic: String) -> String {
      """
      {"streams": {"s": {"source": {"record": {"events": [\(recordedEvents("1@0 2@10 |@20"))]}},
                         "operators": [{"share": {}}]},
                   "tens": {"source": {"stream": {"name": "s"}}, "operators": [{"map": {"expression": "value * 10"}}]}},
       "source": {"stream": {"name": "s"}},
       "operators": [{"combineLatest": {"with": ["tens"], "expression": "values[0] + values[1]"\(atomic)}}]}
      """
    }
    let all = try run(json(""))
    let atomic = try run(json(#", "atomic": true"#))
    #expect(all == ["11@0", "12@10", "22@10", "|@20"])
    #expect(atomic == ["11@0", "22@10", "|@20"])
  }

  @Test("Only the last combination of an instant is published, whatever its cause")
  func atomic() throws {
    let json = #"""
      {"streams": {"ticks": {"source": {"timer": {"every": 0.001, "count": 3}}}},
       "source": {"stream": {"name": "ticks"}},
       "operators": [{"combineLatest": {"with": ["ticks"], "atomic": true}}]}
      """#
    let texts = try run(json)
    #expect(texts == ["[0,0]@1", "[1,1]@2", "[2,2]@3", "|@3"])
  }
}
