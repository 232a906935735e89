import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// A canceled operator's message precedes the event that canceled it; both survive a snapshot between them.
@Suite struct HeldEventTests {
  @Test(
    "The event after the message of a canceled operator is saved",
    arguments: [
      #"{"first": {}}"#,  // a completion after a value
      #"{"first": {}}, {"map": {"expression": "dyn(value).x"}, "onError": "skip"}"#,  // a skipped value
      #"{"output": {"from": 0, "through": 0}}, {"map": {"expression": "dyn(null)"}}"#,  // null is a value
      #"{"first": {}}, {"print": {}}"#,  // another message
      // A call:
      #"{"first": {}}, {"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}"#,
      #"{"map": {"expression": "dyn(value).x"}}"#,  // a failure
    ])
  func heldEventIsSaved(_ operators: String) throws {
    let pipeline = try stream(
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"print": {}}, \#(operators)]}"#
    )
    .compile(CompileOptions(host: .any))
    let expected = try events(pipeline) { $0 }
    let restored = try events(pipeline) { execution in
      try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
    }
    #expect(expected.count > 3)
    #expect(restored == expected)
  }

  /// Returns the events of a run with one value, replacing the execution after each of them.
  private func events(_ pipeline: Pipeline, _ replace: (Execution) throws -> Execution) throws -> [ExecutionEvent] {
    var execution = Execution(pipeline)
    execution.request(.unlimited)
    execution.send(.int(1), to: 0, at: .zero)
    var events: [ExecutionEvent] = []
    while let event = execution.next() {
      events.append(event)
      execution = try replace(execution)
    }
    return events
  }
}
