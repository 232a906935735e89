import StreamCore
import StreamEngine
import StreamKit
import Testing

/// Sources, time, demand and unfinished work when a running stream continues as another version.
@Suite struct SwapSourceTests {
  private static func timer(_ operators: String, every: String = "0.01") -> String {
    #"{"source": {"timer": {"every": \#(every)}}, "operators": [\#(operators)]}"#
  }

  @Test("Time continues, an unchanged source keeps its position, and another one begins then")
  func timers() throws {
    var run = try SwapRun(Self.timer(""))
    run.advance(25)
    #expect(run.take() == ["0@10", "1@20"])
    try run.swap(Self.timer(#"{"map": {"expression": "value * 10"}}"#))
    run.advance(45)
    #expect(run.take() == ["20@30", "30@40"])
    try run.swap(Self.timer("", every: "0.02"))
    #expect(run.report == "source (timer) is reset: its 'every' changed")
    run.advance(90)
    #expect(run.take() == ["0@65", "1@85"])
  }

  @Test("Timers of operators that go on are due when they were, whatever their fields say now")
  func debounce() throws {
    let debounce = #"{"debounce": {"seconds": 0.01}}"#
    var run = try SwapRun(fed(debounce))
    run.send(1)
    run.advance(5)
    try run.swap(fed(debounce.replacing("0.01", with: "0.1")))
    #expect(run.report == "kept operator 1 (debounce)")
    run.advance(20)
    #expect(run.take() == ["1@10"])
    run.send(2)
    run.advance(130)
    #expect(run.take() == ["2@120"])
  }

  @Test("Items continue at their position; with other items the list starts again")
  func items() throws {
    let items = """
      {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 0.01}}]}, {"value": 2},
                  {"value": 3, "operators": [{"delay": {"seconds": 0.01}}]}], "operators": [OPERATORS]}
      """
    var run = try SwapRun(items.replacing("OPERATORS", with: ""))
    run.advance(12)
    #expect(run.take() == ["1@10", "2@10"])
    try run.swap(items.replacing("OPERATORS", with: #"{"map": {"expression": "-value"}}"#))
    run.advance(15)
    try run.swap(items.replacing("OPERATORS", with: "").replacing("\"value\": 2", with: "\"value\": 5"))
    #expect(run.report.contains("stream (stream) is reset: its items changed"))
    run.advance(100)
    #expect(run.take() == ["1@25", "5@25", "3@35", "|@35"])
  }

  @Test("An ended stream stays ended: values that an operator still holds come, and the end")
  func ended() throws {
    let delay = #"{"delay": {"seconds": 0.01}}"#
    let first = #"{"prefix": {"count": 2}}"#
    var run = try SwapRun(fed("\(first), \(delay)"))
    run.send(1)
    run.send(2)
    try run.swap(
      fed(#"\#(first), {"map": {"expression": "value * 2"}}, \#(delay), {"map": {"expression": "value * 10"}}"#))
    run.advance(20)
    #expect(run.take() == ["10@10", "20@10", "|@10"])
    // Without the operator that held them, what is left is the end.
    run = try SwapRun(fed("\(first), \(delay)"))
    run.send(1)
    run.send(2)
    try run.swap(fed(first))
    #expect(run.take() == ["|@0"])
    #expect(run.execution.isEnded)
  }

  @Test("An open call is awaited; a call without a waiting operator is reported")
  func calls() throws {
    let call = #"{"source": {"call": {"function": "f", "argument": "1"}}, "operators": [OPERATORS]}"#
    var run = try SwapRun(call.replacing("OPERATORS", with: ""))
    #expect(run.take() == ["call f@0"])
    try run.swap(call.replacing("OPERATORS", with: #"{"map": {"expression": "value + 1"}}"#))
    #expect(run.canceledCalls == [])
    #expect(run.take() == [])
    run.resolve(41)
    #expect(run.take() == ["42@0", "|@0"])
    run = try SwapRun(call.replacing("OPERATORS", with: ""))
    _ = run.take()
    try run.swap(call.replacing("OPERATORS", with: "").replacing("argument\": \"1\"", with: "argument\": \"2\""))
    #expect(run.canceledCalls == [0])
    #expect(run.take() == ["call f@0"])
    run.resolve(7)
    #expect(run.take() == ["7@0", "|@0"])
  }

  @Test("No more is published than was asked for, and what was asked for still comes")
  func demand() throws {
    let range = #"{"source": {"range": {"from": 1, "through": 9}}, "operators": [OPERATORS]}"#
    var run = try SwapRun(range.replacing("OPERATORS", with: ""), demand: Demand(2))
    #expect(run.take() == ["1@0", "2@0"])
    try run.swap(range.replacing("OPERATORS", with: #"{"filter": {"expression": "value % 2 == 0"}}"#))
    #expect(run.take() == [])
    run.request(1)
    #expect(run.take() == ["4@0"])
    try run.swap(range.replacing("OPERATORS", with: #"{"collect": {"count": 2}}"#))
    #expect(run.take() == [])
    run.request(1)
    #expect(run.take() == ["[5,6]@0"])
    try run.swap(range.replacing("OPERATORS", with: ""))
    run.request(1)
    #expect(run.take() == ["7@0"])
  }

  @Test("Unmet demand of a waiting source is passed to its replacement")
  func waiting() throws {
    var run = try SwapRun(fed(""), demand: Demand(1))
    try run.swap(fed(#"{"collect": {"count": 2}}"#))
    run.send(1)
    run.send(2)
    run.send(3)
    #expect(run.take() == ["[1,2]@0"])
    run.request(1)
    try run.swap(#"{"inputs": {"a": {}}, "source": {"just": {"value": 5}}}"#)
    #expect(run.take() == ["5@0", "|@0"])
  }

  @Test("Parts upstream of an operator that subscribes later start again")
  func later() throws {
    let total = #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#
    let prepend = #"{"prepend": {"with": [{"stream": [{"value": "first"}]}]}}"#
    var run = try SwapRun(Self.timer(total))
    run.advance(35)
    _ = run.take()
    try run.swap(Self.timer("\(total), \(prepend)"))
    #expect(run.report.contains("(scan) is reset: it is upstream of 'prepend' at /operators/1, which is reset"))
    run.advance(60)
    #expect(run.take() == ["\"first\"@35", "0@45", "1@55"])
  }
}
