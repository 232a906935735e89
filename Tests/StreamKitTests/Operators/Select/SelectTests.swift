import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Behavior that the examples of the selecting operators do not show: demand, order and edge cases.
@Suite struct SelectTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test(
    "Dropped values are replaced, and no more are published than requested",
    arguments: [
      (#"{"dropWhile": {"expression": "value < 3"}}"#, [["3"], ["4", "|"]]),
      (#"{"dropLast": {"count": 2}}"#, [["1"], ["2", "|"]]),
      (#"{"output": {"from": 1, "through": 2}}"#, [["2"], ["3", "|"]]),
      (#"{"last": {"count": 2}}"#, [["3"], ["4", "|"]]),
      (#"{"distinct": {"key": "value / 2"}}"#, [["1"], ["2"]]),
      (#"{"first": {"expression": "value > 1"}}"#, [["2", "|"], []]),
      (#"{"single": {"expression": "value > 3"}}"#, [["4", "|"], []]),
      (#"{"prefixWhile": {"expression": "value < 2", "inclusive": true}}"#, [["1"], ["2", "|"]]),
    ])
  func demand(_ operation: String, _ expected: [[String]]) throws {
    let actual = try answers(#"{\#(source), "operators": [\#(operation)]}"#, [1, 1])
    #expect(actual == expected)
  }

  @Test("A null that was found is not lost when the stream is saved")
  func nullIsSaved() throws {
    for operation in ["first", "last", "single", "min"] {
      let pipeline = try stream(
        #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "dyn(value)"}}, {"\#(operation)": {\#(operation == "min" ? #""compare": "0""# : "")}}]}"#
      )
      .compile()
      var execution = Execution(pipeline)
      execution.request(.none)
      execution.send(.null, to: 0, at: .zero)
      execution.finish(0, at: .zero)
      let early = execution.next()
      execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      execution.request(Demand(1))
      let value = execution.next()
      #expect(early == nil)
      #expect(value == .value(.null), "\(operation)")
    }
  }

  @Test("A stream that publishes at once opens or ends the other before that begins")
  func signalsAtOnce() throws {
    let opened = try run(#"{\#(source), "operators": [{"dropUntil": {"stream": {"stream": [{"value": 0}]}}}]}"#)
    let ended = try run(#"{\#(source), "operators": [{"prefixUntil": {"stream": {"stream": [{"value": 0}]}}}]}"#)
    let silent = try run(#"{\#(source), "operators": [{"dropUntil": {"stream": {"stream": []}}}]}"#)
    #expect(opened == ["1@0", "2@0", "3@0", "4@0", "|@0"])
    #expect(ended == ["|@0"])
    #expect(silent == ["|@0"])
  }

  @Test("A value that fails is left out, and counts for nothing")
  func skips() throws {
    let events = try run(
      #"{"stream": [{"value": 0}, {"value": 5}, {"value": 6}], "operators": [{"distinct": {"key": "10 / value", "limit": 1}, "onError": "skip"}]}"#
    )
    let second = try run(#"{\#(source), "operators": [{"single": {}, "onError": "skip"}]}"#)
    #expect(events == ["skipped S402@0", "5@0", "skipped S409@0", "|@0"])
    #expect(second == ["skipped S407@0", "skipped S407@0", "skipped S407@0", "1@0", "|@0"])
  }

  @Test("`dropFor` and prefixFor part a stream of timers at the same place")
  func timeLimits() throws {
    let timer = #""source": {"timer": {"every": 1, "count": 5}}"#
    let first = try run(#"{\#(timer), "operators": [{"prefixFor": {"seconds": 2.5}}]}"#)
    let rest = try run(#"{\#(timer), "operators": [{"dropFor": {"seconds": 2.5}}]}"#)
    #expect(first == ["0@1000", "1@2000", "|@2500"])
    #expect(rest == ["2@3000", "3@4000", "4@5000", "|@5000"])
  }

  @Test(
    "Values with too many parts for a walk are distinguished",
    arguments: [
      (#"{"removeDuplicates": {}}"#, 2), (#"{"distinct": {}}"#, 2), (#"{"contains": {"value": 1}}"#, 1),
      (#"{"groupBy": {"key": "value", "operators": [{"first": {}}]}}"#, 2),
      (
        #"{"sequenceEqual": {"with": [{"source": {"sequence": {"values": [1, 1, 2]}}, "operators": [{"map": {"expression": "LEVELS"}}]}]}}"#,
        1
      ),
    ])
  func doubling(_ text: String, _ count: Int) throws {
    let levels = (0..<60).reduce("value") { inner, _ in "cel.bind(x, \(inner), [x, x])" }
    let model =
      #"{"source": {"sequence": {"values": [1, 1.0, 2]}}, "operators": [{"map": {"expression": "LEVELS"}}, OPERATOR, {"count": {}}]}"#
      .replacing("OPERATOR", with: text).replacing("LEVELS", with: levels)
    #expect(try run(model) == ["\(count)@0", "|@0"])
  }
}
