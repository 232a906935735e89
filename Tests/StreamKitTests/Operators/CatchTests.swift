import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// What follows a failure, or a stream without a value.
@Suite struct CatchTests {
  @Test("The stream that follows is asked for what has not been answered yet")
  func demandIsCarried() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"validate": {"expression": "value < 2"}},
                     {"catch": {"stream": {"source": {"range": {"from": 10, "through": 12}}}}}]}
      """#
    let texts = try answers(json, [2, 1, 5])
    #expect(texts == [["1", "10"], ["11"], ["12", "|"]])
  }

  @Test("A failure that the file did not write is known by code and message")
  func descriptions() throws {
    let json = #"""
      {"stream": [{"value": 0}],
       "operators": [{"map": {"expression": "1 / value"}},
                     {"catch": {"stream": {"source": {"just": {"expression": "error.code"}}}}}]}
      """#
    let texts = try run(json)
    #expect(texts == ["\"S402\"@0", "|@0"])
  }

  @Test("What a validation says reaches the failure")
  func validation() throws {
    let pipeline = try stream(
      #"{"stream": [{"value": 7}], "operators": [{"validate": {"expression": "value < 5", "message": "too large"}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it should have failed")
      return
    }
    #expect(failure.message == "too large")
    #expect(failure.value == 7)
    #expect(failure.pointer.description == "/operators/0/validate/expression")
  }

  @Test("A new error keeps the one before as its cause")
  func mapError() throws {
    let pipeline = try stream(
      #"{"source": {"fail": {"error": {"message": "old"}}}, "operators": [{"mapError": {"expression": "{'message': 'new, not ' + error.message}"}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it should have failed")
      return
    }
    #expect(failure.message == "new, not old")
    #expect(failure.cause?.message == "old")
  }

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

  @Test("A stream that catches with itself is a circle")
  func circle() {
    let found = problems(
      #"""
      {"streams": {"s": {"source": {"fail": {"error": 1}}, "operators": [{"catch": {"stream": "s"}}]}},
       "source": {"stream": {"name": "s"}}}
      """#)
    #expect(found == ["S110 /streams/s/operators/0/catch/stream"])
  }
}
