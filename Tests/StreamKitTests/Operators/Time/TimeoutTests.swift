import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `timeout` beyond its examples and the laws.
@Suite struct TimeoutTests {
  @Test("`timeout` finishes, or fails with the given error")
  func finishesOrFails() throws {
    let finished = try recorded("1@300", #"{"timeout": {"seconds": 0.05}}"#)
    let failed = try recorded("1@300", #"{"timeout": {"seconds": 0.05, "error": "late"}}"#)
    #expect(finished == "|@50")
    #expect(failed == "#S407@50")
  }

  @Test("Values from the scheduler come after direct ones")
  func orderWithinOneMoment() throws {
    let events = try run(
      """
      {"streams": {"s": {"stream": [{"value": 1}, {"value": 2}]}},
       "source": {"stream": {"name": "s"}}, "operators": [{"timeout": {"seconds": 1}}, {"merge": {"with": ["s"]}}]}
      """)
    #expect(events == ["1@0", "2@0", "1@0", "2@0", "|@0"])
  }

  @Test("Unmet demand is passed to the replacing stream")
  func demand() throws {
    let json = """
      {"source": {"marbles": {"diagram": "a----------b|"}},
       "operators": [{"timeout": {"seconds": 0.003, "with": {"source": {"range": {"from": 1, "through": 9}}}}}]}
      """
    let texts = try answers(json, [3, 1])
    #expect(texts == [[#""a""#, "1", "2"], ["3"]])
  }

  @Test("`timeout` fails with the given message, at its place")
  func failure() throws {
    let pipeline = try stream(
      #"{"source": {"never": {}}, "operators": [{"timeout": {"seconds": 1, "error": {"message": "too late", "code": 7}}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.message == "too late")
    #expect(failure.payload == ["message": "too late", "code": 7])
    #expect(failure.pointer == JSONPointer(["operators", "0"]))
  }

  @Test("A value at the timeout takes demand, and none is lost")
  func noticeDemand() throws {
    let json = """
      {"source": {"marbles": {"diagram": "a----b-c|"}},
       "operators": [{"timeout": {"seconds": 0.003, "onTimeout": "publish", "value": "late"}}]}
      """
    let texts = try answers(json, [2, 1, 1, 1])
    #expect(texts == [[#""a""#, #""late""#], [#""b""#], [#""late""#], [#""c""#, "|"]])
  }

  @Test("In a group, the value at the timeout leaves the group open")
  func groupGoesOn() throws {
    let texts = try run(
      #"""
      {"source": {"marbles": {"diagram": "a-b----a-a|", "values": {"a": "x", "b": "y"}}},
       "operators": [{"groupBy": {"key": "value", "operators": [
         {"timeout": {"seconds": 0.003, "onTimeout": "publish", "expression": "{'silent': key}"}},
         {"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"map": {"expression": "key + string(value)"}}]}}]}
      """#)
    #expect(texts == [#""x1"@0"#, #""y1"@2"#, #""x2"@3"#, #""y2"@5"#, #""x3"@7"#, #""x4"@9"#, "|@10"])
  }
}
