import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A stream that several places name, and the operator that lets them share one subscription.
@Suite struct ShareTests {
  /// Runs a stream over recordings of its inputs, once uninterrupted and once saved and restored between any two steps.
  private func record(_ json: String, _ diagrams: [String]) throws -> String {
    let pipeline = try stream(json).compile()
    let inputs = try diagrams.map { try Marbles($0).history() }
    var plain = HistoryRecorder(Execution(pipeline))
    plain.run(inputs) { $0 }
    var saved = HistoryRecorder(Execution(pipeline))
    try saved.run(inputs) { try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) }
    let (once, again) = (plain.history, saved.history)
    #expect(once == again)
    let atWork = plain.execution.stageCount
    if once.completion != nil { #expect(atWork == 0) }
    return once.texts().map { $0.filter { $0 != "\"" } }.joined(separator: " ")
  }

  private func twice(_ share: String, delay: Double = 0.0015) -> String {
    """
    {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}, "operators": [\(share)]}},
     "source": {"stream": {"name": "s"}},
     "operators": [{"merge": {"with": [
       {"source": {"empty": {}}, "operators": [{"delay": {"seconds": \(delay)}}, {"append": {"with": ["s"]}}]}]}}]}
    """
  }

  @Test("A late subscriber misses earlier values") func lateSubscriber() throws {
    let heard = try record(twice(#"{"share": {}}"#), ["a-b-c|"])
    #expect(heard == "a@0 b@2 b@2 c@4 c@4 |@5")
  }

  @Test("Replayed values come first") func replay() throws {
    let heard = try record(twice(#"{"share": {"replay": 1}}"#, delay: 0.003), ["a-b-c|"])
    #expect(heard == "a@0 b@2 b@3 c@4 c@4 |@5")
  }

  @Test("Values that are too old are not replayed") func replayForSeconds() throws {
    let heard = try record(twice(#"{"share": {"replay": 5, "replaySeconds": 0.002}}"#, delay: 0.003), ["abc----|"])
    #expect(heard == "a@0 b@1 c@2 c@3 |@7")
  }

  @Test("A subscriber after the end receives the end, or starts the stream again") func afterTheEnd() throws {
    let items = #""stream": [{"value": 1}, {"value": 2}], "operators": "#
    func text(_ share: String) -> String {
      """
      {"streams": {"s": {\(items) [\(share)]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"append": {"with": ["s"]}}]}
      """
    }
    let once = try run(text(#"{"share": {}}"#))
    let replayed = try run(text(#"{"share": {"replay": 1}}"#))
    let anew = try run(text(#"{"share": {"resetOnFinish": true}}"#))
    #expect(once == ["1@0", "2@0", "|@0"])
    #expect(replayed == ["1@0", "2@0", "2@0", "|@0"])
    #expect(anew == ["1@0", "2@0", "1@0", "2@0", "|@0"])
  }

  @Test("The last to leave disconnects, and a new subscriber connects again") func reconnects() throws {
    let json = """
      {"inputs": {"a": {}}, "streams": {"s": {"source": {"timer": {"every": 0.001}}, "operators": [{"share": {}}]}},
       "source": {"input": {"name": "a"}},
       "operators": [{"flatMap": {"stream": {"source": {"stream": {"name": "s"}}, "operators": [
         {"prefix": {"count": 2}}, {"map": {"expression": "string(value)"}}]}}}]}
      """
    let heard = try record(json, ["x----x|"])
    #expect(heard == "0@1 1@2 0@6 1@7 |@7")
  }

  @Test("Within an inner stream it is shared by that stream alone") func innerSharing() throws {
    let json = """
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"flatMap": {"stream": {
         "streams": {"s": {"source": {"just": {"expression": "outer"}},
                           "operators": [{"delay": {"seconds": 0.002}}, {"share": {}}]}},
         "source": {"stream": {"name": "s"}}, "operators": [{"merge": {"with": ["s"]}}]}}}]}
      """
    let heard = try record(json, ["x-y|"])
    #expect(heard == "x@2 x@2 y@4 y@4 |@4")
  }

  @Test("Upstream waits for as many subscribers as it takes") func waitsForSubscribers() throws {
    let heard = try record(twice(#"{"share": {"subscribers": 2}}"#), ["a-b-c|"])
    #expect(heard == "b@2 b@2 c@4 c@4 |@5")
  }

  @Test("A stream reports when it starts again") func resetsLater() throws {
    let later = #"{"source": {"timer": {"every": 0.002}}}"#
    func text(_ share: String) -> String {
      """
      {"inputs": {"a": {}}, "streams": {"s": {"stream": [{"value": 1}], "operators": [\(share)]}},
       "source": {"input": {"name": "a"}},
       "operators": [{"flatMap": {"stream": {"source": {"stream": {"name": "s"}},
                                              "operators": [{"map": {"expression": "string(value)"}}]}}}]}
      """
    }
    let heard = try record(text(#"{"share": {"resetOnFinish": \#(later)}}"#), ["xx-x|"])
    let unused = try record(
      text(#"{"delay": {"seconds": 0.01}}, {"share": {"replay": 1, "resetWhenUnused": \#(later)}}"#), ["x|"])
    #expect(heard == "1@0 1@3 |@4")
    #expect(unused == "1@10 |@10")
  }

  @Test("A subscriber of a shared stream after its end receives the end, or starts it again")
  func shareAfterTheEnd() throws {
    func json(_ share: String) -> String {
      """
      {"streams": {"s": {"stream": [{"value": 1}],
                         "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"share": \(share)}]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"append": {"with": ["s"]}}]}
      """
    }
    let once = try hooksAndEvents(json("{}"))
    let anew = try hooksAndEvents(json(#"{"resetOnFinish": true}"#))
    #expect(once == ["subscribed", "1", "|"])
    #expect(anew == ["subscribed", "1", "subscribed", "1", "|"])
  }
}
