import StreamCore
import StreamKit
import StreamRuntime
import Testing

/// What the diagrams of the family transform do not show: demand, nulls, types.
@Suite struct TransformTests {
  /// The values that come for each of these demands, one after the other.
  private func answers(_ operators: String, _ demands: [Int], through last: Int = 4) throws -> [[String]] {
    let json = #"{"source": {"range": {"from": 1, "through": \#(last)}}, "operators": [\#(operators)]}"#
    return try StreamKitTests.answers(json, demands)
  }

  @Test("The end as a value waits until somebody asks for it")
  func materialize() throws {
    let texts = try answers(#"{"materialize": {}}"#, [1, 1, 1], through: 2)
    #expect(texts == [[#"{"value":1}"#], [#"{"value":2}"#], [#"{"finished":true}"#, "|"]])
  }

  @Test("nwise asks for what fills its first list besides")
  func nwise() throws {
    let texts = try answers(#"{"nwise": {"count": 3}}"#, [1, 1])
    #expect(texts == [["[1,2,3]"], ["[2,3,4]", "|"]])
    let partial = try answers(#"{"nwise": {"count": 3, "partial": true}}"#, [1, 3])
    #expect(partial == [["[1]"], ["[1,2]", "[1,2,3]", "[2,3,4]", "|"]])
  }

  @Test("What stands between is counted: a value waits behind it until it is asked for")
  func intersperse() throws {
    let texts = try answers(#"{"intersperse": {"value": 0}}"#, [1, 1, 1, 2], through: 3)
    #expect(texts == [["1"], ["0"], ["2"], ["0", "3", "|"]])
    let end = try answers(#"{"intersperse": {"value": null}}"#, [2, 1], through: 2)
    #expect(end == [["1", "null"], ["2", "|"]])
  }

  @Test("What values and failures leave out is made good")
  func splits() throws {
    let failing = #"{"map": {"expression": "6 / (value - 3)"}}, {"materialize": {}}"#
    let values = try answers("\(failing), {\"values\": {}}", [1, 2])
    #expect(values == [["-3"], ["-6", "|"]])
    let failures = try answers("\(failing), {\"failures\": {}}, {\"map\": {\"expression\": \"value.code\"}}", [1])
    #expect(failures == [["\"S402\"", "|"]])
  }

  @Test("What was made of everything that happened does it again")
  func roundTrip() throws {
    let texts = try answers(
      #"{"map": {"expression": "6 / (value - 3)"}}, {"materialize": {}}, {"encode": {}}, {"decode": {}}, {"dematerialize": {}}"#,
      [10])
    #expect(texts == [["-3", "-6", "#S407"]])
  }

  @Test("A value that does not fit is left out where the stream says so")
  func skips() throws {
    let texts = try answers(
      #"{"map": {"expression": "value % 2 == 0 ? dyn(null) : dyn(value)"}}, {"unwrap": {}, "onError": "skip"}"#, [2])
    #expect(texts == [["1", "skipped", "3"]])
  }

  @Test("Types that cannot fit are refused before anything runs")
  func types() {
    func problem(_ name: String) -> [String] {
      problems(#"{"stream": [{"value": 1}], "operators": [{"\#(name)": {}}]}"#)
    }
    for name in ["decode", "toggle", "dematerialize", "values", "failures"] {
      #expect(problem(name) == ["S203 /operators/0/\(name)"])
    }
    let result = problems(
      #"{"stream": [{"value": "1"}], "operators": [{"decode": {"type": "int"}}, {"map": {"expression": "value + 'x'"}}]}"#
    )
    #expect(result == ["S203 /operators/1/map/expression"])
  }

  @Test("A string that is no JSON is told with its place in it")
  func decode() throws {
    let model = try stream(
      #"{"stream": [{"value": "[1,\n x]"}], "operators": [{"decode": {}}]}"#)
    let history = VirtualRun(Execution(try model.compile())).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.message == "the string is not JSON: 'x' is not a JSON value (line 2, column 2)")
  }

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
