import StreamCore
import Testing

/// The run of the vectors reports faults.
@Suite struct ConformanceSelfTests {
  /// Why a vector with these sources, this pipeline and what it expects fails, or nil.
  private func problem(
    operators: String, expect: String, subscriptions: String = "{}", more: String = ""
  ) throws -> String? {
    let json = """
      {"id": "self/test/one", "sources": {
        "a": {"kind": "hot", "order": 0, "events": [{"t": 2, "next": 1}, {"t": 4, "next": 2}, {"t": 5, "complete": true}]},
        "c": {"kind": "cold", "order": 1, "events": [{"t": 1, "next": "x"}, {"t": 2, "error": {"code": 7}}]}},
       "pipeline": {"source": "a", "operators": \(operators)}, "unsubscribeAt": null, "expect": \(expect),
       "subscriptions": \(subscriptions), "combine": "unknown"\(more)}
      """
    return VectorOutcome(try ConformanceVector(JSONDocument(reading: json, file: "vector").value)).problem
  }

  private let doubled = #"[{"op": "map", "args": [{"cel": "n * 2", "params": ["n"]}]}]"#

  @Test("A correct result passes")
  func correctResultPasses() throws {
    let right = #"[{"t": 2, "next": 2}, {"t": 4, "next": 4.0}, {"t": 5, "complete": true}]"#
    let outcome = try problem(operators: doubled, expect: right, subscriptions: #"{"a": [{"from": 0, "to": 5}]}"#)
    #expect(outcome == nil)
  }

  @Test(
    "A wrong result is reported",
    arguments: [
      #"[{"t": 2, "next": 2}, {"t": 4, "next": 5}, {"t": 5, "complete": true}]"#,
      #"[{"t": 2, "next": 2}, {"t": 4.5, "next": 4}, {"t": 5, "complete": true}]"#,
      #"[{"t": 2, "next": 2}, {"t": 4, "next": 4}]"#,
      #"[{"t": 2, "next": 2}, {"t": 4, "next": 4}, {"t": 5, "error": "e"}]"#,
      #"[{"t": 2, "next": "2"}, {"t": 4, "next": 4}, {"t": 5, "complete": true}]"#,
    ])
  func wrongResultReported(_ wrong: String) throws {
    let outcome = try problem(operators: doubled, expect: wrong)
    #expect(outcome != nil)
  }

  @Test("A subscription at another time is reported")
  func subscriptionAnotherTime() throws {
    let right = #"[{"t": 2, "next": 2}, {"t": 4, "next": 4}, {"t": 5, "complete": true}]"#
    let outcome = try problem(operators: doubled, expect: right, subscriptions: #"{"a": [{"from": 0, "to": 4}]}"#)
    #expect(outcome == "subscriptions of a: expected [0.0–4.0], got [0.0–5.0]")
  }

  @Test("A different error is reported")
  func differentErrorReported() throws {
    let merged = #"[{"op": "mergeWith", "args": [{"ref": "c"}]}]"#
    let right = #"[{"t": 1, "next": "x"}, {"t": 2, "next": 1}, {"t": 2, "error": {"code": 7}}]"#
    let first = try problem(operators: merged, expect: right)
    #expect(first == nil)
    let second = try problem(operators: merged, expect: right.replacing("7", with: "8"))
    #expect(second != nil)
  }

  @Test("An operator that there is not cannot be said")
  func operatorThereCannot() throws {
    let outcome = try problem(operators: #"[{"op": "levitate", "args": []}]"#, expect: "[]")
    #expect(outcome == "cannot be said: there is no 'levitate'")
  }

  @Test("A function two functions deep sees all parameters")
  func functionTwoFunctions() throws {
    let operators = """
      [{"op": "mergeMap", "args": [{"params": ["p", "i"], "stream": {"source": {"op": "of", "args": [10]}, "operators": [
        {"op": "mergeMap", "args": [{"params": ["q", "j"], "stream": {"op": "of", "args": [{"cel": "p + q * 10 + i"}]}}]}
      ]}}]}]
      """
    let outcome = try problem(
      operators: operators, expect: #"[{"t": 2, "next": 101}, {"t": 4, "next": 103}, {"t": 5, "complete": true}]"#)
    #expect(outcome == nil)
  }

  @Test("Names are exchanged; members and strings stay")
  func namesExchangedMembers() throws {
    let text = try FunctionText.replacing(
      ["value": "outer", "inner": "value"], in: #"inner + value.value + "value" + x.map(value, value)"#)
    #expect(text == #"value + outer.value + "value" + x.map(outer, outer)"#)
  }
}
