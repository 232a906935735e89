import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// The value that `replaceError` and `replaceEmpty` publish at the end.
@Suite struct TrailingValueTests {
  @Test(
    "A value at the end waits until it is asked for, null too, and survives saving",
    arguments: [
      #"{"source": {"fail": {"error": "x"}}, "operators": [{"replaceError": {"with": null}}]}"#,
      #"{"source": {"empty": {}}, "operators": [{"replaceEmpty": {"expression": "null"}}]}"#,
    ])
  func closingValues(_ json: String) throws {
    let pipeline = try stream(json).compile()
    var execution = Execution(pipeline)
    execution.request(.none)
    let before = execution.next()
    execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    execution.request(Demand(1))
    let value = execution.next()
    let end = execution.next()
    #expect(before == nil)
    #expect(value == .value(.null))
    #expect(end == .finished)
  }
}
