import TestSupport
import Testing

@testable import StreamCommands

/// Compares the output of the built command with values decided by Combine's and CEL's definitions: a value keeps its
/// type whatever else is in the file, and equal numbers are equal everywhere.
@Suite struct ValueTypeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var source: String
    var operators: String
    var input = ""
    var output: [String]
    var arguments: [String] = []

    var testDescription: String { source + " " + operators }
  }

  private static func sequence(_ values: String, _ operators: String, _ output: [String]) -> Case {
    Case(source: #""source": {"sequence": {"values": [\#(values)]}}"#, operators: operators, output: output)
  }

  private static func input(_ type: String, _ lines: [String], _ operators: String, _ output: [String]) -> Case {
    Case(
      source: #""inputs": {"a": {"type": \#(type)}}, "source": {"input": {"name": "a"}}"#, operators: operators,
      input: lines.joined(separator: "\n"), output: output)
  }

  private static func map(_ expression: String) -> String { #"{"map": {"expression": "\#(expression)"}}"# }

  private static let other = #"{"source": {"just": {"value": 0.5}}}"#

  private static let types: [Case] = [
    Case(
      source: #""source": {"just": {"value": {"id": 9007199254740993, "v": 1.5}}}"#, operators: map("value.id"),
      output: ["9007199254740993"]),
    Case(
      source: #""stream": [{"value": 7}, {"value": 1.5}]"#, operators: map("[value, value / 2, type(value) == int]"),
      output: ["[7,3,true]", "[1.5,0.75,false]"]),
    sequence(
      #"{"x": -7, "y": 14.0}, {"x": 2, "y": 1}"#, map("[value.x, value.y, value.x / 2]"),
      ["[-7,14.0,-3]", "[2,1,1]"]),
    sequence("[7, 2.5], [1, 2]", map("value[0] / 2"), ["3", "0"]),
    input("\"int\"", ["7"], #"{"replaceEmpty": {"with": 0.5}}, \#(map("value / 2"))"#, ["3"]),
    input("\"int\"", ["7"], #"{"replaceError": {"with": 0.5}}, \#(map("value / 2"))"#, ["3"]),
    input("\"int\"", ["7"], #"{"catch": {"stream": \#(other)}}, \#(map("value / 2"))"#, ["3"]),
    input("\"int\"", ["7"], #"{"append": {"with": [\#(other)]}}, \#(map("value / 2"))"#, ["3", "0.25"]),
    input("\"int\"", ["7"], #"{"prepend": {"with": [\#(other)]}}, \#(map("value / 2"))"#, ["0.25", "3"]),
    input("\"int\"", ["7"], #"{"merge": {"with": [\#(other)]}}, \#(map("value / 2"))"#, ["0.25", "3"]),
    input("\"int\"", ["7", "9"], #"{"intersperse": {"value": 0.5}}, \#(map("value / 2"))"#, ["3", "0.25", "4"]),
    input("\"int\"", ["7"], #"{"switchIfEmpty": {"stream": \#(other)}}, \#(map("value / 2"))"#, ["3"]),
    input(
      "\"int\"", ["7", "8"],
      #"{"withPrevious": {"initialValue": 0.5, "expression": "[previous / 2, value / 2]"}}"#, ["[0.25,3]", "[3,4]"]),
    input("\"int\"", ["7", "8"], #"\#(map("index == 0 ? value : 2.5")), \#(map("value / 2"))"#, ["3", "1.25"]),
    // A declared type converts the input.
    input("\"double\"", ["7"], map("value / 2"), ["3.5"]),
    input(#"{"k": "double"}"#, [#"{"k":7}"#], map("[value.k, value.k / 2]"), ["[7.0,3.5]"]),
    // Arithmetic with a double gives a double.
    sequence("7, 1.5", map("value + 0.5"), ["7.5", "2.0"]),
    sequence("3, 4", #"{"scan": {"initialValue": 0.5, "expression": "acc + value"}}"#, ["3.5", "7.5"]),
  ]

  private static let key = #"{"groupBy": {"key": "value.k", "operators": [\#(map("[key, key / 2, value.k / 2]"))]}}"#

  private static let equality: [Case] = [
    input(
      #"{"k": "double"}"#, [#"{"k":3}"#, #"{"k":2.5}"#], key, ["[3.0,1.5,1.5]", "[2.5,1.25,1.25]"]),
    input(
      "\"dyn\"", [#"{"k":3.0}"#, #"{"k":3}"#, #"{"k":4}"#, #"{"k":4.0}"#], key,
      ["[3.0,1.5,1.5]", "[3.0,1.5,1]", "[4,2,2]", "[4,2,2.0]"]),
    sequence(
      #"["x", 1], ["x", 1.0], {"a": [1], "b": 2}, {"b": 2.0, "a": [1.0]}, -0.0, 0, [0.0], [-0.0]"#,
      #"{"groupBy": {"key": "value", "operators": [\#(map("[key, index]"))]}}"#,
      [
        #"[["x",1],0]"#, #"[["x",1],1]"#, #"[{"a":[1],"b":2},0]"#, #"[{"a":[1],"b":2},1]"#, "[-0.0,0]", "[-0.0,1]",
        "[[0.0],0]", "[[0.0],1]",
      ]),
    sequence(#"["x", 1], ["x", 1.0], [[1]], [[1.0]]"#, #"{"distinct": {}}"#, [#"["x",1]"#, "[[1]]"]),
    sequence(#"["x", 1], ["x", 1.0], 1, 1.0"#, #"{"removeDuplicates": {}}"#, [#"["x",1]"#, "1"]),
    sequence(
      "9007199254740992.0, 9007199254740993", #"{"removeDuplicates": {}}"#, ["9007199254740992.0", "9007199254740993"]),
    sequence("9007199254740993, 9007199254740992.0", #"{"max": {}}"#, ["9007199254740993"]),
    sequence("9007199254740992.0, 9007199254740993", #"{"max": {}}"#, ["9007199254740993"]),
    sequence("9007199254740993, 9007199254740992.0", #"{"min": {}}"#, ["9007199254740992.0"]),
    sequence("9007199254740993", #"{"contains": {"value": 9007199254740992.0}}"#, ["false"]),
    sequence("9007199254740993", map("value == 9007199254740992.0"), ["false"]),
    sequence("9007199254740993, 1", map("dyn(value) == dyn(9007199254740992.0)"), ["false", "false"]),
    sequence("9007199254740993", map("[value] == [9007199254740992.0]"), ["false"]),
    sequence("9007199254740993", map("value in [9007199254740992.0]"), ["false"]),
    sequence("9007199254740993", map("math.greatest(9007199254740992.0, value)"), ["9007199254740993"]),
    sequence(
      "1, 1.5", map("[value == 1.0, value in [1.0], [value] == [1.0]]"),
      [
        "[true,true,true]", "[false,false,false]",
      ]),
    sequence(
      #"{"g": 1, "v": 1}, {"g": 1.0, "v": 2}"#, #"{"groupBy": {"key": "value.g", "operators": [{"count": {}}]}}"#, ["2"]
    ),
  ]

  private static let numbers: [Case] = [
    sequence("9223372036854775807, 9223372036854775807, 1", #"{"average": {}}"#, ["6.148914691236517e+18"]),
    sequence("-9223372036854775808, -9223372036854775808", #"{"average": {}}"#, ["-9.223372036854776e+18"]),
    sequence(
      "9223372036854775807, 9223372036854775807", #"{"average": {"expression": "value - 1"}}"#,
      [
        "9.223372036854776e+18"
      ]),
    sequence(
      "1795000000000000001, 1795000000000000003, 1795000000000000001, 1795000000000000003, 1795000000000000001, 1795000000000000003",
      #"{"average": {}}"#, ["1.795e+18"]),
    sequence(
      "9223372036854775807, 9223372036854775807, 2",
      #"{"groupBy": {"key": "value > 5", "operators": [{"average": {}}]}}"#, ["9.223372036854776e+18", "2.0"]),
    sequence(
      "9223372036854775807, 9223372036854775807", #"{"window": {"count": 2, "operators": [{"average": {}}]}}"#,
      ["9.223372036854776e+18"]),
    sequence("9223372036854775807, 9223372036854775807, 0.5", #"{"average": {}}"#, ["6.148914691236517e+18"]),
    input("\"uint\"", ["18446744073709551615", "3"], map("value"), ["18446744073709551615", "3"]),
    input("\"dyn\"", ["18446744073709551615"], map("[value, type(value) == uint]"), ["[18446744073709551615,true]"]),
    input("\"double\"", ["18446744073709551615"], map("value"), ["1.8446744073709552e+19"]),
    input(
      "\"uint\"", ["18446744073709551615"], #"{"encode": {}}, {"decode": {"type": "uint"}}"#, ["18446744073709551615"]),
    input(
      "\"uint\"", ["18446744073709551615", "18446744073709551615"], #"{"average": {}}"#, ["1.8446744073709552e+19"]),
    Case(
      source: #""inputs": {"a": {"type": "uint", "initialValue": 1}}, "source": {"input": {"name": "a"}}"#,
      operators: #"{"first": {}}"#, output: ["18446744073709551615"], arguments: ["--set", "a=18446744073709551615"]),
    input(
      "\"timestamp\"", [#""2024-02-29T12:30:00.1234567891234Z""#], map("value"), [#""2024-02-29T12:30:00.123456789Z""#]),
    sequence(#""2024-02-29T12:30:00.99999999999Z""#, map("timestamp(value)"), [#""2024-02-29T12:30:00.999999999Z""#]),
    input("\"duration\"", [#""1.1234567891234567891234s""#], map("value"), [#""1.123456789s""#]),
    sequence(#""1.12345678919s""#, map("duration(value)"), [#""1.123456789s""#]),
    sequence(
      "1, 0, 3, 4, 5", #"{"onError": "skip", "withPrevious": {"initialValue": 1, "expression": "value / previous"}}"#,
      ["1", "0", "1", "1"]),
  ]

  @Test(
    "A value keeps its type; equal numbers are equal; large numbers stay exact", arguments: types + equality + numbers)
  func prints(_ example: Case) {
    let folder = Fixture.Folder()
    folder.add("s.json", "{\(example.source), \"operators\": [\(example.operators)]}")
    let outcome = Subprocess.run(
      ["run", "s.json", "--virtual"] + example.arguments, input: example.input, in: folder.path)
    #expect(outcome.output.split(separator: "\n").map(String.init) == example.output, "\(outcome.errors)")
  }

  @Test("A test expects an unsigned integer")
  func expects() {
    let folder = Fixture.Folder()
    let events = #"[{"at": 0, "value": 18446744073709551615}, {"at": 1, "finished": true}]"#
    let test = #"{"name": "t", "inputs": {"a": {"events": \#(events)}},"#
    folder.add(
      "s.json",
      #"{"inputs": {"a": {"type": "uint"}}, "source": {"input": {"name": "a"}}, "tests": ["# + test
        + #" "expect": {"values": [18446744073709551615]}}]}"#)
    let outcome = Subprocess.run(["test", "s.json"], in: folder.path)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test("Whole values in literals come out, whatever the source")
  func wholeValues() {
    for source in [
      #""stream": [{"value": "a"}, {"value": "b"}, {"value": "c"}]"#,
      #""source": {"sequence": {"values": ["a", "b", "c"]}}"#,
      #""inputs": {"a": {}}, "source": {"input": {"name": "a"}}"#,
    ] {
      for shared in ["", #", {"share": {}}"#] {
        let folder = Fixture.Folder()
        let (first, second) = (Self.map("{'z': value}"), Self.map("{'a': value, 'b': 1, 'c': 2}"))
        folder.add("s.json", #"{\#(source), "operators": [\#(first)\#(shared), \#(second)]}"#)
        let outcome = Subprocess.run(["s.json", "--virtual"], input: "\"a\"\n\"b\"\n\"c\"\n", in: folder.path)
        let expected = ["a", "b", "c"].map { #"{"a":{"z":"\#($0)"},"b":1,"c":2}"# + "\n" }.joined()
        #expect(outcome.output == expected, "\(source) \(outcome.errors)")
      }
    }
  }
}
