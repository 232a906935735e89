import TestSupport
import Testing

@testable import StreamCommands

/// Results and failures of expressions, as the commands print them.
@Suite struct ExpressionDoorTests {
  private let folder = Fixture.Folder()

  private func run(_ arguments: [String], input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  @Test(
    "An optional is printed as its value, or null, and dropped by compactMap",
    arguments: [
      ("map({'x': value.?a, 'y': value.?zz, 'o': value.?o})", #"{"x":1,"y":null,"o":{"b":2}}"#),
      ("compactMap(value.?a)", "1"), ("compactMap(value.?zz)", ""), ("map([value.?zz])", "[null]"),
      ("map(value.?n.?b.orValue(0))", "0"), ("map(value.n.?b)", "null"),
      ("scan(value.?a, initialValue: null)", "1"), ("filter(value.?a == optional.of(1)) | count()", "1"),
      ("collectMap(value.?zz, element: value.?a)", nil), ("groupBy(value.?a, (map({'k': key})))", #"{"k":1}"#),
      ("map(value.?o) | map(value.b)", "2"), ("removeDuplicates(value.?a) | map(value.?a)", "1"),
    ] as [(String, String?)])
  func optionals(text: String, expected: String?) {
    let input = "{\"a\":1,\"o\":{\"b\":2},\"n\":null}\n"
    let outcome = run(["-e", text], input: input)
    if let expected {
      #expect(outcome == Outcome(output: expected.isEmpty ? "" : expected + "\n", errors: "", code: 0))
    } else {
      #expect(!outcome.output.contains("optional"))
    }
    #expect(run(["-e", text, "--virtual"], input: input).output == outcome.output)
  }

  @Test("An expression on the command line, an answer of a test and an event time have no optionals either")
  func otherDoors() {
    #expect(run(["eval", "[[1, 2].first(), [].last()]"]).output == "[1,null]\n")
    #expect(run(["eval", "tryDouble('3').orValue(0)"]).output == "3.0\n")
    let records = "{\"t\":5,\"a\":1}\n{\"t\":6,\"a\":2}\n"
    let timed = run(["-e", "map(value.a)", "--event-time", "value.?t"], input: records)
    #expect(timed.output == "1\n2\n")
  }

  static let failures: [(String, String, [String])] = [
    (
      "filter(value.z > 1)", #"{"a":1}"#,
      ["S404", "write value.?z.orValue(0) where it may be missing", "\"onError\": \"skip\"", "--skip-errors"]
    ),
    ("map(value.a.b)", #"{"a":null}"#, ["S405", "'value.a' may be null: write value.a.?b.orValue(null)"]),
    ("map(value.ms > 5)", #"{"ms":"26.6"}"#, ["the fields of a table are text: write double(value.ms) > 5"]),
    ("sum(value.ms)", #"{"ms":"26.6"}"#, ["'sum' found", "the fields of a table are text", "--skip-errors"]),
    ("max(by: value.ms)", "{\"ms\":\"26.6\"}\n{\"ms\":7}", ["cannot compare", "the fields of a table are text"]),
    ("map(value)", "{\"a\":1}\nxx\n", ["S001", "skip such lines with --skip-errors"]),
  ]

  @Test(
    "The help of a failure corrects the expression, and names the option that skips such values", arguments: failures)
  func helpForFailure(text: String, input: String, parts: [String]) {
    let outcome = run(["-e", text], input: input + "\n")
    #expect(outcome.code != 0)
    for part in parts { #expect(outcome.errors.contains(part), "\(outcome.errors)") }
    let lines = outcome.errors.split(separator: "\n").filter { $0.contains("--skip-errors") }
    #expect(lines.count <= 1)
    #expect(!run(["-e", text, "--skip-errors"], input: input + "\n").errors.contains("--skip-errors"))
  }

  @Test("The stream without a partner may be null in an outer join")
  func outerJoin() {
    let join = """
      {"inputs": {"a": {"type": {"k": "int", "x": "int"}}, "b": {"type": {"k": "int", "y": "int"}}},
       "source": {"input": {"name": "a"}},
       "operators": [{"join": {"with": ["b"], "on": "value.k", "seconds": 60, "type": "TYPE", "expression": "EXPR"}}]}
      """
    func validate(_ type: String, _ expression: String) -> String {
      folder.add(
        "j.json", join.replacing("TYPE", with: type).replacing("EXPR", with: expression))
      return run(["validate", "j.json"]).errors
    }
    #expect(validate("left", "{'y': right.y + 1}").contains("'right' may be null here"))
    #expect(validate("left", "{'y': right == null ? 0 : right.y + left.x}").contains("all valid"))
    #expect(validate("left", "{'y': right.?y.orValue(0) + left.x}").contains("all valid"))
    #expect(validate("right", "{'y': left.x}").contains("'left' may be null here"))
    #expect(validate("inner", "{'y': left.x + right.y}").contains("all valid"))
    #expect(validate("full", "[left.?x, right.?y]").contains("all valid"))
  }

  @Test("The types of `compactMap` and `replaceNil` have no null")
  func operatorsWithoutNull() {
    folder.add(
      "c.json",
      #"""
      {"inputs": {"a": {"type": {"n": "int?", "text": "string"}}}, "source": {"input": {"name": "a"}},
       "operators": [{"compactMap": {"expression": "value.n"}}, {"map": {"expression": "value + 1"}}]}
      """#)
    folder.add(
      "r.json",
      #"""
      {"inputs": {"a": {"type": "int?"}}, "source": {"input": {"name": "a"}},
       "operators": [{"replaceNil": {"with": 0}}, {"map": {"expression": "value + 1"}}]}
      """#)
    #expect(run(["validate", "c.json", "r.json"]).code == 0)
    let compacted = run(["c.json"], input: "{\"n\":null,\"text\":\"\"}\n{\"n\":2,\"text\":\"\"}\n")
    #expect(compacted.output == "3\n")
    #expect(run(["r.json"], input: "null\n2\n").output == "1\n3\n")
  }
}
