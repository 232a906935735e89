import StreamCore
import StreamKit
import StreamRuntime
import StreamTesting
import Testing

/// Streams that values start: how much they are asked for, and what they know.
@Suite struct InnerStreamTests {
  private let numbers = #""source": {"range": {"from": 1, "through": 3}}"#
  private let pair =
    #"{"source": {"just": {"expression": "outer"}}, "operators": [{"append": {"with": [{"source": {"just": {"expression": "outer * 10"}}}]}}]}"#

  @Test("One after the other, as many as are asked for")
  func concat() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"flatMap": {"stream": \#(pair), "strategy": "concat"}}]}"#, [1, 2, 1, 9])
    #expect(texts == [["1"], ["10", "2"], ["20"], ["3", "30", "|"]])
  }

  @Test("The newest stream is asked for what has not been answered yet")
  func latest() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"switchMap": {"stream": \#(pair)}}]}"#, [1, 1, 1])
    #expect(texts == [["1"], ["3"], ["30", "|"]])
  }

  @Test("While the first stream waits to be asked, other values are left out")
  func exhaust() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"exhaustMap": {"stream": \#(pair)}}]}"#, [1, 1])
    #expect(texts == [["1"], ["10", "|"]])
  }

  @Test("What is expanded comes level by level, as it is asked for")
  func expand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 5}],
       "operators": [{"expand": {"stream": {"source": {"just": {"expression": "outer * 2"}},
                                            "operators": [{"filter": {"expression": "value < 10"}}]}}}]}
      """#
    let texts = try answers(json, [1, 1, 2, 9])
    #expect(texts.joined().sorted() == ["1", "2", "4", "5", "8", "|"])
    #expect(texts.map(\.count) == [1, 1, 2, 2])
  }

  @Test("What is expanded without an end fails at its limit, however large the values grow")
  func expandLimits() throws {
    let number = try run(
      #"{"stream": [{"value": 1}], "operators": [{"expand": {"stream": {"source": {"just": {"expression": "outer"}}}}}, {"toResult": {}}, {"count": {}}]}"#
    )
    let nested = try run(
      #"{"stream": [{"value": 1}], "operators": [{"expand": {"stream": {"source": {"just": {"expression": "[outer]"}}}}}, {"map": {"expression": "1"}}, {"reduce": {"initialValue": 0, "expression": "acc + value"}}]}"#
    )
    #expect(number == ["10001@0", "|@0"])
    #expect(nested == ["#S409@0"])
  }

  @Test("What streams accumulate may not nest without end")
  func mergeScanNesting() throws {
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

  @Test("A stream may be replaced by itself again and again")
  func replacedAtOneInstant() throws {
    let texts = try run(
      #"""
      {"source": {"range": {"from": 1, "through": 100000}},
       "operators": [{"switchMap": {"stream": {"source": {"timer": {"every": 0.001, "count": 1}},
                                               "operators": [{"map": {"expression": "outer"}}]}}}]}
      """#)
    #expect(texts == ["100000@1", "|@1"])
  }

  @Test("Streams that begin together are combined, with what each was begun for")
  func combineLatestAll() throws {
    let texts = try answers(
      #"{\#(numbers), "operators": [{"combineLatestAll": {"stream": \#(pair)}}]}"#, [1, 1, 9])
    // As with `combineLatest`, a value that nobody has asked a combination for only takes its place.
    #expect(texts == [["[1,2,3]"], ["[10,2,3]", "|"], []])
  }
}
