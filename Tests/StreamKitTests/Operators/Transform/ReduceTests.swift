import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `reduce` beyond its examples and the laws.
@Suite struct ReduceTests {
  @Test("A result that is null, and waits, survives a snapshot")
  func nullState() throws {
    let model = try stream(
      #"{"stream": [{"value": 1}], "operators": [{"reduce": {"initialValue": null, "expression": "null"}}]}"#)
    let pipeline = try model.compile()
    let execution = Execution(pipeline)
    execution.request(.none)
    while execution.next() != nil {}
    let restored = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    restored.request(Demand(1))
    #expect(restored.next() == .value(.null))
    #expect(restored.next() == .finished)
  }
}
