import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `mergeScan` beyond its examples and the laws.
@Suite struct MergeScanTests {
  @Test("Accumulated streams cannot nest without end")
  func nesting() throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 1, "through": 5000}},
       "operators": [{"mergeScan": {"initialValue": null, "stream": {"source": {"just": {"expression": "[acc]"}}}}},
                     {"map": {"expression": "0"}}, {"removeDuplicates": {}}]}
      """#)
    #expect(texts == ["0@0", "#S409@0"])
  }

  @Test("Null is something to accumulate, and survives saving")
  func nullAccumulates() throws {
    let pipeline = try stream(
      #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"mergeScan": {"initialValue": null, "stream": {"source": {"just": {"expression": "acc == null ? dyn(outer) : dyn(null)"}}}}}]}
      """#
    ).compile()
    var recorder = HistoryRecorder(Execution(pipeline))
    try recorder.run([]) { try Execution(pipeline, restoring: Snapshot(text: $0.snapshot().text())) }
    #expect(recorder.history.events.map(\.event) == [.value(1), .value(.null), .finished])
  }
}
