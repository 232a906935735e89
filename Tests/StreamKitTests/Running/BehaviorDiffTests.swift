import StreamCore
import StreamKit
import TestSupport
import Testing

/// The behavior of two versions of a file.
@Suite struct BehaviorDiffTests {
  private static func runs(_ old: String, _ new: String) throws -> [(name: String, differences: [String])] {
    let options = CompileOptions()
    let diff = try BehaviorDiff(from: stream(old), to: stream(new), oldOptions: options, newOptions: options)
    let isEmpty = diff.runs.allSatisfy(\.differences.isEmpty)
    #expect(diff.isEmpty == isEmpty)
    return diff.runs.map { ($0.name, $0.differences) }
  }

  private static func file(_ expression: String, _ tests: String) -> String {
    #"""
    {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "\#(expression)"}}],
     "tests": [\#(tests)]}
    """#
  }

  private static func test(_ name: String, _ values: String) -> String {
    #"{"name": "\#(name)", "inputs": {"a": {"values": \#(values)}}, "expect": {"values": []}}"#
  }

  @Test("Tests of both files are run, those of one name once if they feed the same")
  func names() throws {
    let old = Self.file(
      "value", [Self.test("x", "[1]"), Self.test("y", "[2]"), Self.test("z", "[5]")].joined(separator: ","))
    let new = Self.file(
      "value * 1", [Self.test("x", "[1]"), Self.test("y", "[3]"), Self.test("w", "[4]")].joined(separator: ","))
    let runs = try Self.runs(old, new)
    #expect(runs.map(\.name) == ["x", "y", "w", "y (fed as in the old file)", "z"])
    let isEmpty = runs.allSatisfy(\.differences.isEmpty)
    #expect(isEmpty)
  }

  @Test("Differences are shown as two diagrams and in words; equal numbers do not differ")
  func differences() throws {
    let old = Self.file("value * 2", Self.test("x", "[1, 2, 3]"))
    let same = try Self.runs(old, Self.file("value * 2.0", Self.test("x", "[1, 2, 3]")))
    #expect(same[0].differences.isEmpty)
    let differences = try Self.runs(old, Self.file("value == 2 ? 7 : value * 2", Self.test("x", "[1, 2, 3]")))[0]
      .differences
    #expect(
      differences == [
        "old  [246|]", "new  [276|]", "     ^", "- = 1ms", "the first event is the same, then:", "old at 0: 4",
        "new at 0: 7", "(old 4 in all, new 4)",
      ])
  }

  @Test("Failures are compared by what they are, not by where their operator stands")
  func failures() throws {
    let old = #"{"stream": [{"value": 0}], "operators": [{"map": {"expression": "1 / value"}}]}"#
    let moved = #"{"stream": [{"value": 0}], "operators": [{"unwrap": {}}, {"map": {"expression": "1 / value"}}]}"#
    let same = try Self.runs(old, moved)
    #expect(same[0].differences.isEmpty)
    let other = #"{"stream": [{"value": 0}], "operators": [{"map": {"expression": "{'a': 1}['b'] + value"}}]}"#
    let different = try Self.runs(old, other)
    #expect(!different[0].differences.isEmpty)
  }

  @Test("Streams without end are compared as far as a run goes")
  func endless() throws {
    let old = #"{"source": {"timer": {"every": 1}}}"#
    let same = try Self.runs(old, old)
    #expect(same[0].differences.isEmpty)
    let other =
      #"{"source": {"timer": {"every": 1}}, "operators": [{"map": {"expression": "value < 9000 ? value : 0"}}]}"#
    let differences = try Self.runs(old, other)[0].differences
    #expect(differences.contains("the first 9000 events are the same, then:"))
  }

  @Test("A version that cannot be fed is reported; without tests and recordings there is no input")
  func unfed() throws {
    let old = Self.file("value", Self.test("x", "[1]"))
    let new = old.replacing("\"a\"", with: "\"b\"")
    let runs = try Self.runs(old, new)
    #expect(runs[0].differences == ["old cannot be run: there is no input or stream 'b'", "new runs"])
    #expect(throws: Diagnostics.self) { try Self.runs(Self.file("value", ""), Self.file("value", "")) }
  }
}
