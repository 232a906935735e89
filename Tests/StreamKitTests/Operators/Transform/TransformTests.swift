import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Behavior that the diagrams of the family transform do not show: demand, nulls, types.
@Suite struct TransformTests {
  @Test("`values` and `failures` replace dropped values")
  func splits() throws {
    let failing = #"{"map": {"expression": "6 / (value - 3)"}}, {"materialize": {}}"#
    let values = try answers(to: "\(failing), {\"values\": {}}", [1, 2])
    #expect(values == [["-3"], ["-6", "|"]])
    let failures = try answers(to: "\(failing), {\"failures\": {}}, {\"map\": {\"expression\": \"value.code\"}}", [1])
    #expect(failures == [["\"S402\"", "|"]])
  }

  @Test("Materialized values and failures survive a round trip")
  func roundTrip() throws {
    let texts = try answers(
      to:
        #"{"map": {"expression": "6 / (value - 3)"}}, {"materialize": {}}, {"encode": {}}, {"decode": {}}, {"dematerialize": {}}"#,
      [10])
    #expect(texts == [["-3", "-6", "#S407"]])
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

  @Test("Without an initial value the first value is not asked about, and null is an initial value")
  func accumulation() throws {
    let first = try run(#"{"stream": [{"value": 0}], "operators": [{"scan": {"expression": "acc / 0"}}]}"#)
    let index = try run(
      #"{"source": {"range": {"from": 1, "through": 4}}, "operators": [{"reduce": {"expression": "acc * 10 + index"}}]}"#
    )
    let null = try run(#"{"stream": [], "operators": [{"reduce": {"initialValue": null, "expression": "acc"}}]}"#)
    #expect(first == ["0@0", "|@0"])
    #expect(index == ["1123@0", "|@0"])
    #expect(null == ["null@0", "|@0"])
  }
}
