import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

/// A stream that is one segment over one input starts, and is canceled, at once: as others, piece by piece.
@Suite struct FoldingTests {
  /// An input's declaration and operators: of streams that are one segment, and of some that only nearly are.
  static let streams: [[String]] = [
    [#"{}"#, #"{"map": {"expression": "value + 1"}}"#],
    [
      #"{"type": "int"}"#,
      #"{"filter": {"expression": "value % 2 == 0"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}"#,
    ],
    [#"{"type": "int"}"#, #"{"drop": {"count": 2}}, {"prefix": {"count": 2}}"#],
    [#"{"type": "int"}"#, #"{"map": {"expression": "10 / value"}}, {"enumerated": {}}"#],
    [#"{"type": "int"}"#, #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#],
    [#"{"type": "int", "initialValue": 7}"#, #"{"map": {"expression": "value * 2"}}"#],
    [#"{"type": "int", "buffer": {"capacity": 2, "whenFull": "dropOldest"}}"#, #"{"removeDuplicates": {}}"#],
    [#"{}"#, #"{"map": {"expression": "value"}}, {"share": {}}"#],
    [#"{}"#, #"{"delay": {"seconds": 0.001}}"#],
    [#"{}"#, ""],
  ]

  private func pipeline(_ stream: [String]) throws -> Pipeline {
    try StreamModel(
      parsing: #"{"inputs": {"a": \#(stream[0])}, "source": {"input": {"name": "a"}}, "operators": [\#(stream[1])]}"#
    ).compile()
  }

  /// All events of a stream, delivered one by one or together.
  private func drain(_ execution: Execution, stepwise: Bool) -> [ExecutionEvent] {
    var events: [ExecutionEvent] = []
    while true {
      if stepwise {
        switch execution.step(atMost: 1) {
        case .event(let event): events.append(event)
        case .idle: return events
        case .unfinished: continue
        }
      } else {
        guard let event = execution.next() else { return events }
        events.append(event)
      }
    }
  }

  @Test("Started in one go or piece by piece, a stream is the same", arguments: streams, [1, 3, Int.max])
  func starting(_ stream: [String], _ demand: Int) throws {
    let pipeline = try pipeline(stream)
    let (direct, stepwise) = (Execution(pipeline), Execution(pipeline))
    direct.request(Demand(demand))
    stepwise.request(Demand(demand))
    let unstarted = try direct.snapshot().text()
    for place in 0..<6 {
      if place == 5 {
        direct.finish(0, at: .zero)
        stepwise.finish(0, at: .zero)
      } else if place > 0 {
        direct.send(.int(Int64(place - 2)), to: 0, at: .zero)
        stepwise.send(.int(Int64(place - 2)), to: 0, at: .zero)
      }
      let (actual, expected) = (drain(direct, stepwise: false), drain(stepwise, stepwise: true))
      #expect(actual == expected, "step \(place)")
      #expect(direct.stageCount == stepwise.stageCount, "step \(place)")
      #expect(direct.wants(0) == stepwise.wants(0), "step \(place)")
      let (saved, wanted) = (try direct.snapshot().text(), try stepwise.snapshot().text())
      #expect(saved == wanted, "step \(place)")
      if place == 0 {
        // A snapshot from before the start starts in the same way.
        let restored = try Execution(pipeline, restoring: Snapshot(text: unstarted))
        let heard = drain(restored, stepwise: false)
        let again = try restored.snapshot().text()
        #expect(heard == expected)
        #expect(again == wanted)
      }
    }
  }

  @Test("Canceled before or after its start, or after some values, nothing of a stream is left", arguments: streams)
  func canceling(_ stream: [String]) throws {
    for values in -1..<3 {
      let execution = Execution(try pipeline(stream))
      execution.request(.unlimited)
      if values >= 0 { _ = drain(execution, stepwise: false) }
      for value in 0..<max(values, 0) { _ = execution.next(sending: .int(Int64(value + 1)), to: 0, at: .zero) }
      execution.cancel()
      let heard = execution.next(sending: 1, to: 0, at: .zero)
      #expect(heard == nil)
      #expect(execution.isEnded)
      #expect(execution.stageCount == 0)
      #expect(!execution.wants(0))
    }
  }
}
