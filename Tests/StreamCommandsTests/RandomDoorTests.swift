import TestSupport
import Testing

/// `random()` gives the same numbers by every way to run a file with the same seed.
@Suite struct RandomDoorTests {
  private let folder = Fixture.Folder()
  private static let values = (0..<200).map { "{\"k\": \"k\($0 % 3)\", \"t\": \($0 * 1_000), \"n\": \($0)}\n" }.joined()
  /// Numbers in an operator of the file, in groups, and in windows; operators that fuse.
  private static let operators = #"""
    [{"filter": {"expression": "random() < 0.8"}},
     {"groupBy": {"key": "value.k", "operators": [{"map": {"expression": "{'k': value.k, 'n': value.n, 'r': random()}"}}]}},
     {"window": {"count": 7, "operators": [{"map": {"expression": "value.merge({'w': random()})"}}]}}]
    """#

  init() {
    folder.add("a.ndjson", Self.values)
    folder.add("s.json", stream(""))
    folder.add("seeded.json", stream(#""seed": 7,"#))
  }

  private func stream(_ member: String) -> String {
    #"""
    {\#(member) "inputs": {"a": {"type": {"k": "string", "t": "int", "n": "int"}}},
     "source": {"input": {"name": "a"}}, "operators": \#(Self.operators)}
    """#
  }

  private func run(_ arguments: [String], input: String = Self.values) -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private var expected: String { run(["seeded.json", "--threads", "1"]).output }

  @Test("Threads, clocks, files and seeds from outside do not change the numbers")
  func runs() {
    let expected = expected
    #expect(expected.split(separator: "\n").count > 100)
    for arguments in [
      ["seeded.json"], ["seeded.json", "--threads", "2"], ["seeded.json", "--virtual"],
      ["seeded.json", "--event-time", "value.t"], ["seeded.json", "--input", "a=a.ndjson"],
      ["seeded.json", "--input", "a=a.ndjson", "--event-time", "value.t"], ["s.json", "--seed", "7"],
      ["s.json", "--seed", "7", "--threads", "2"], ["s.json", "--seed", "7", "--event-time", "value.t"],
    ] {
      let outcome = run(arguments)
      #expect(outcome.output == expected, "\(arguments): \(outcome.errors)")
    }
    #expect(run(["seeded.json", "--seed", "8"]).output != expected)
  }

  @Test("A replay has the numbers of the recorded run")
  func replay() {
    let expected = expected
    _ = run(["s.json", "--seed", "7", "--record", "run.ndjson"])
    #expect(run(["replay", "run.ndjson"]).output == expected)
    #expect(run(["replay", "run.ndjson", "s.json"]).output == expected)
    #expect(run(["replay", "run.ndjson", "s.json", "--seed", "7"]).output == expected)
    #expect(run(["replay", "run.ndjson", "--seed", "8"]).output != expected)
  }

  @Test("A state continues the numbers")
  func state() {
    let expected = expected
    var output = ""
    for limit in [17, 40, 1_000] {
      let outcome = run([
        "s.json", "--seed", "7", "--input", "a=a.ndjson", "--state", "state", "--limit", "\(limit)",
      ])
      output += outcome.output
    }
    #expect(output == expected)
  }

  @Test("The commands test, show, diff and bench draw the numbers of a run")
  func commands() {
    let values = "[" + Self.values.split(separator: "\n").joined(separator: ",") + "]"
    let outputs = "[" + expected.split(separator: "\n").joined(separator: ",") + "]"
    folder.add(
      "tested.json",
      stream(
        #""tests": [{"name": "t", "inputs": {"a": {"values": \#(values)}}, "expect": {"values": \#(outputs)}}],"#))
    #expect(run(["test", "tested.json", "--seed", "7"]).code == 0)
    #expect(run(["test", "tested.json", "s.json", "--seed", "7"]).code == 0)
    #expect(run(["test", "tested.json", "--seed", "8"]).code == 1)
    let without = run(["test", "tested.json"])
    #expect(without.code == 2 && without.errors.contains("'random()' needs a seed"), "\(without)")
    #expect(run(["diff", "s.json", "seeded.json", "--behavior", "--input", "a=a.ndjson", "--seed", "7"]).code == 0)
    let bench = run(["bench", "s.json", "--seed", "7", "--input", "a=a.ndjson", "--values", "50", "--rounds", "1"])
    #expect(bench.code == 0, "\(bench)")
    #expect(run(["validate", "s.json"]).code == 0)
    let first = run(["show", "s.json", "--seed", "7", "--input", "a=a.ndjson", "--limit", "3"])
    #expect(first.code == 0, "\(first)")
    #expect(run(["show", "seeded.json", "--input", "a=a.ndjson", "--limit", "3"]).output == first.output)
    let unseeded = run(["show", "s.json", "--input", "a=a.ndjson"])
    #expect(unseeded.code == 2 && unseeded.errors.contains("--seed 1"), "\(unseeded)")
    #expect(run(["eval", "random()", "--seed", "7"]).output == run(["eval", "random()", "--seed", "7"]).output)
    #expect(run(["eval", "random()"]).code == 2)
  }
}
