import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// What a stream publishes when it is asked for a few values at a time.
@Suite struct DemandTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("A sequence publishes what is asked for, and the end with the last value")
  func sequence() throws {
    let texts = try answers("{\(source)}", [1, 2, 1])
    #expect(texts == [["1"], ["2", "3"], ["4", "|"]])
  }

  @Test("What filter leaves out is made good")
  func filter() throws {
    let texts = try answers(#"{\#(source), "operators": [{"filter": {"expression": "value % 2 == 0"}}]}"#, [1, 1])
    #expect(texts == [["2"], ["4", "|"]])
  }

  @Test("drop asks for what it drops besides")
  func drop() throws {
    let texts = try answers(#"{\#(source), "operators": [{"drop": {"count": 2}}]}"#, [1, 1])
    #expect(texts == [["3"], ["4", "|"]])
  }

  @Test("collect asks for as many as its lists hold")
  func collect() throws {
    let texts = try answers(#"{\#(source), "operators": [{"collect": {"count": 2}}]}"#, [1, 1])
    #expect(texts == [["[1,2]"], ["[3,4]", "|"]])
  }

  @Test("What has not been answered is asked of the stream that follows")
  func append() throws {
    let texts = try answers(
      #"{"stream": [{"value": 0}], "operators": [{"append": {"with": [{\#(source)}]}}]}"#, [2, 1, 2])
    #expect(texts == [["0", "1"], ["2"], ["3", "4", "|"]])
  }

  @Test("merge holds one value of each stream")
  func merge() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"merge": {"with": [{"stream": [{"value": "a"}, {"value": "b"}]}]}}]}"#,
      [1, 1, 1, 9])
    #expect(texts.joined().sorted() == ["\"a\"", "\"b\"", "1", "2", "3", "4", "|"])
    #expect(texts.map(\.count) == [1, 1, 1, 4])
  }

  @Test("zip publishes as many tuples as are asked for")
  func zip() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"zip": {"with": [{"stream": [{"value": "a"}, {"value": "b"}]}]}}]}"#, [1, 1])
    #expect(texts == [[#"[1,"a"]"#], [#"[2,"b"]"#, "|"]])
  }

  @Test("A summary waits until it is asked for, however much upstream has said")
  func summary() throws {
    let execution = Execution(try stream(#"{\#(source), "operators": [{"count": {}}]}"#).compile())
    execution.request(.none)
    let before = execution.next()
    execution.request(Demand(1))
    let value = execution.next()
    let end = execution.next()
    #expect(before == nil)
    #expect(value == .value(4))
    #expect(end == .finished)
  }

  @Test("flatMap with one inner stream at a time queues the rest")
  func flatMap() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"flatMap": {"stream": {"stream": [{"value": "x"}, {"value": "y"}]}, "maxPublishers": 1}}, {"prefix": {"count": 5}}]}"#,
      [1, 2, 2])
    #expect(texts == [["\"x\""], ["\"y\"", "\"x\""], ["\"y\"", "\"x\"", "|"]])
  }

  @Test("debounce loses what nobody has asked for")
  func debounce() throws {
    let texts = try answers(
      #"{"source": {"marbles": {"diagram": "a---b---c---|"}}, "operators": [{"debounce": {"seconds": 0.002}}]}"#, [1])
    #expect(texts == [["\"a\"", "|"]])
  }

  @Test("What is asked for during a delivery is answered after what has been said already")
  func orderUnderNestedDemand() throws {
    let json = """
      {"inputs": {"a": {"buffer": {"capacity": 10, "whenFull": "fail"}}}, "source": {"input": {"name": "a"}},
       "operators": [{"filter": {"expression": "value % 2 == 0"}}]}
      """
    for saves in [false, true] {
      let pipeline = try stream(json).compile()
      var execution = Execution(pipeline)
      execution.request(.none)
      _ = execution.next()
      for value in 1...8 { execution.send(.int(Int64(value)), to: 0, at: .zero) }
      _ = execution.next()
      execution.request(Demand(3))
      var values: [Value] = []
      while true {
        if saves { execution = try Execution(pipeline, restoring: Snapshot(text: execution.snapshot().text())) }
        let progress = execution.step(atMost: 1)
        if case .event(.value(let value)) = progress { values.append(value) }
        if progress == .idle { break }
      }
      #expect(values == [2, 4, 6])
    }
  }
}
