import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// A test can expect everything that `run` prints.
@Suite struct PrintedExpectationTests {
  /// Expressions whose values JSON has no form for, and what `run` prints of them.
  static let values: [(expression: String, printed: String)] = [
    ("{1: 10, 2: 20}", #"{"1":10,"2":20}"#), ("{true: 1, false: 0}", #"{"true":1,"false":0}"#),
    ("{2u: 'a'}", #"{"2":"a"}"#), ("[{1: {2: [0.0 / 0.0]}}]", #"[{"1":{"2":["NaN"]}}]"#),
    ("0.0 / 0.0", #""NaN""#), ("1.0 / 0.0", #""Infinity""#), ("-1.0 / 0.0", #""-Infinity""#),
    ("timestamp('2024-01-02T03:04:05Z')", #""2024-01-02T03:04:05Z""#), ("duration('90s')", #""90s""#),
    ("b'ab'", #""YWI=""#), ("5u", "5"),
    ("{'t': timestamp(0), 'd': [duration('1s')]}", #"{"t":"1970-01-01T00:00:00Z","d":["1s"]}"#),
    ("optional.none()", "null"), ("optional.of(1)", "1"), ("[optional.none()]", "[null]"),
  ]

  private func run(_ expression: String, _ expect: String) throws -> TestOutcome {
    try TestRunner(
      stream(
        #"""
        {"stream": [{"value": 1}], "operators": [{"map": {"expression": "\#(expression)"}}],
         "tests": [{"name": "t", "expect": \#(expect)}]}
        """#)
    ).run()[0]
  }

  private static func forms(_ value: String) -> [String] {
    [
      #"{"values": [\#(value)]}"#, #"{"events": [{"at": 0, "value": \#(value)}, {"at": 0, "finished": true}]}"#,
      #"{"marbles": "[a|]", "values": {"a": \#(value)}}"#,
    ]
  }

  @Test("A value is expected as it is printed, in each form", arguments: values)
  func passes(_ expression: String, _ printed: String) throws {
    for expect in Self.forms(printed) {
      let outcome = try run(expression, expect)
      #expect(outcome.differences == [], "\(expression)")
    }
  }

  @Test("An updated expectation passes", arguments: values)
  func updates(_ expression: String, _ printed: String) throws {
    for expect in Self.forms(#""other""#) {
      let outcome = try run(expression, expect)
      let updated = try #require(outcome.newExpectation, "\(expression)")
      #expect(try run(expression, JSONWriter.compact(updated)).differences == [])
    }
  }

  @Test("Another key, number or string is a difference, with two different texts")
  func differs() throws {
    for (expression, other) in [
      ("{1: 10}", #"{"2":10}"#), ("{1: 10}", #"{"1":11}"#), ("0.0 / 0.0", #""nan""#), ("0.0 / 0.0", "null"),
      ("timestamp(0)", #""1970-01-01T00:00:01Z""#),
    ] {
      let lines = try run(expression, #"{"values": [\#(other)]}"#).differences
      let expected = lines.first { $0.hasPrefix("expected ") && !$0.hasPrefix("expected  ") }
      let got = lines.first { $0.hasPrefix("     got ") && !$0.hasPrefix("     got  ") }
      #expect(expected != nil && expected?.dropFirst(9) != got?.dropFirst(9), "\(lines)")
    }
  }

  @Test("Two long values with the same beginning are distinguished")
  func long() throws {
    let text = String(repeating: "x", count: 200_000)
    let outcome = try TestRunner(
      stream(#"{"stream": [{"value": "\#(text)a"}], "tests": [{"name": "t", "expect": {"values": ["\#(text)b"]}}]}"#)
    ).run()[0]
    #expect(outcome.differences.contains { $0.hasPrefix("they differ from byte 200001 on: b\" and a\"") })
  }

  @Test("The example of the page of collectMap passes as a test")
  func collectMap() throws {
    let found = try TestRunner(
      stream(
        #"""
        {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
         "operators": [{"collectMap": {"key": "value % 2", "expression": "value * 10", "multiple": true}}],
         "tests": [{"name": "t", "inputs": {"a": {"marbles": "-a-b-c|", "values": {"a": 1, "b": 2, "c": 3}}},
                    "expect": {"marbles": "------(m|)", "values": {"m": {"1": [10, 30], "0": [20]}}}}]}
        """#)
    ).run()
    #expect(found.map(\.differences) == [[]])
  }

  @Test("The argument of a call and the members of a failure are compared in the same way")
  func calls() throws {
    let found = try TestRunner(
      stream(
        #"""
        {"stream": [{"value": 1}],
         "operators": [{"flatMap": {"stream": {"source": {"call": {"function": "f.g", "argument": "{outer: timestamp(0)}"}}}}},
                       {"map": {"expression": "value / 0"}}, {"mapError": {"expression": "{'at': timestamp(0)}"}}],
         "tests": [{"name": "t", "calls": {"f.g": {"argument": {"1": "1970-01-01T00:00:00Z"}, "value": 0}},
                    "expect": {"values": [], "failure": {"at": "1970-01-01T00:00:00Z"}}}]}
        """#)
    ).run()
    #expect(found.map(\.differences) == [[]])
  }
}
