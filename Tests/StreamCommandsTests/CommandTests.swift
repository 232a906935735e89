import StreamCore
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The commands beside `run`.
@Suite struct CommandTests {
  static let tested = """
    {
      "stream": [ { "value": 1 }, { "value": 2 } ],
      "operators": [ { "map": { "expression": "value * 2" } } ],
      "tests": [ { "name": "doubles", "expect": { "values": [2, 4] } } ]
    }
    """

  static let wrongArguments: [[String]] = [
    ["--nonsense"], [], ["run"], ["s.json", "--limit", "many"], ["s.json", "--limit", "-1"],
    ["s.json", "--speed", "0"], ["s.json", "--virtual", "--event-time", "value"],
    ["s.json", "--set", "nothing"], ["s.json", "--for", "-1"], ["-", "--watch"],
    ["s.json", "--watch", "--format", "marbles", "--limit", "1"],
  ]
  static let rightArguments: [[String]] = [
    ["--help"], ["--version"], ["help", "run"], ["eval", "--help"], ["studio", "--help"],
  ]

  @Test("Invalid arguments exit with 2 and a message", arguments: wrongArguments)
  func wrongUsage(_ arguments: [String]) {
    let outcome = Subprocess.run(arguments, in: "/tmp")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("Error: "))
    #expect(outcome.output == "")
  }

  @Test("Marbles of a file whose time is that of the machine need an end")
  func endlessMarbles() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    let outcome = Subprocess.run(["s.json", "--format", "marbles"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--virtual, --event-time, --limit or --for"), "\(outcome)")
    #expect(outcome.output == "")
  }

  @Test("Help and version are printed on request", arguments: rightArguments)
  func help(_ arguments: [String]) {
    let outcome = Subprocess.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output != "")
  }

  @Test("The version is printed, and the commit if the sources have one")
  func version() throws {
    let output = Subprocess.run(["--version"]).output
    let commit = /streamrun 0\.1\.0 \([0-9a-f]{8}(?: with changes)?, \d{4}-\d\d-\d\d\)\n/
    let isKnown = try commit.wholeMatch(in: output) != nil
    #expect(isKnown || output == "streamrun 0.1.0 (built from sources without a commit)\n", "\(output)")
  }

  @Test(
    "Every help text has an example",
    arguments: [
      "run", "validate", "test", "eval", "import", "operators", "format", "canonical", "hash", "edit",
      "diff", "patch", "merge", "resolve", "schema", "lsp", "bench", "top",
    ])
  func examples(_ command: String) {
    let text = Subprocess.run([command, "--help"]).output
    #expect(text.contains("Examples:\n  streamrun \(command == "run" ? "" : command)"))
    #expect(text.contains("USAGE: streamrun \(command) "))
    let asked = Subprocess.run(["help", command]).output
    #expect(asked == text)
  }

  // MARK: validate

  @Test("Valid files are counted")
  func validate() {
    let folder = Fixture.Folder()
    folder.add("a.json", Self.tested)
    folder.add("b.json", Self.tested)
    folder.add("c.txt", "no JSON")
    let outcome = Subprocess.run(["validate", "."], in: folder.path)
    #expect(outcome == Outcome(output: "", errors: "2 files, all valid\n", code: 0))
    let one = Subprocess.run(["validate", "a.json", "--format", "json"], in: folder.path)
    #expect(one == Outcome(output: "[]\n", errors: "1 file, all valid\n", code: 0))
  }

  @Test("Errors of all files are printed for machines")
  func validateJSON() {
    let folder = Fixture.Folder()
    folder.add("a.json", #"{"stream": [], "nmae": 1}"#)
    folder.add("b.json", #"{"stream": [{"value": 1}], "operators": [{"map": {"expression": "valeu"}}]}"#)
    let outcome = Subprocess.run(["validate", "a.json", "b.json", "c.json", "--format", "json"], in: folder.path)
    #expect(outcome.code == 2)
    let check = "value.map(d, [d.code, d.file == null ? '' : d.file, d.pointer])"
    let read = Subprocess.run(["eval", check, "--value", outcome.output])
    #expect(
      read.output
        == #"[["S101","a.json","/nmae"],["S202","b.json","/operators/0/map/expression"],["S502","",""]]"# + "\n")
  }

  @Test("A directory without stream files is an error")
  func validateNothing() {
    let folder = Fixture.Folder()
    let outcome = Subprocess.run(["validate", folder.path])
    #expect(outcome.errors.hasPrefix("error S502: there is no file in"))
    #expect(outcome.code == 2)
  }

  // MARK: test

  @Test("Tests are counted, and failing tests are shown")
  func tests() {
    let folder = Fixture.Folder()
    folder.add("a.json", Self.tested)
    #expect(
      Subprocess.run(["test", "a.json"], in: folder.path)
        == Outcome(output: "1 passed, 0 failed\n", errors: "", code: 0))
    let verbose = Subprocess.run(["test", "a.json", "--verbose"], in: folder.path)
    #expect(verbose.output == "passed: a.json: doubles\n1 passed, 0 failed\n")
    folder.add("b.json", Self.tested.replacing("[2, 4]", with: "[2, 5]"))
    let failing = Subprocess.run(["test", "."], in: folder.path)
    #expect(failing.output.hasPrefix("failed: b.json: doubles\n"))
    #expect(failing.output.hasSuffix("expected 5\n       got 4\n  (expected 3 in all, got 3)\n1 passed, 1 failed\n"))
    #expect(failing.code == 1)
    folder.add("c.json", #"{"stream": []}"#)
    folder.add("d.json", #"{"stream": ["#)
    folder.add("e.json", "{")
    let wrong = Subprocess.run(["test", "."], in: folder.path)
    let notes = "note: 1 other JSON file in '.' left out; --all takes them, too\nnote: c.json has no tests\n"
    #expect(wrong.errors.hasPrefix(notes + "d.json:1:13: error S010"), "\(wrong)")
    #expect(wrong.output.hasSuffix("1 passed, 1 failed\n"))
    #expect(wrong.code == 2)
  }

  // MARK: eval

  @Test("`eval` explains the type, the cost and the evaluated parts")
  func evalExplains() {
    let outcome = Subprocess.run(["eval", "value.z > 0.25", "--value", #"{"z": 0.5}"#, "--explain"])
    let expected = """
      type   bool
      cost   4 steps
      part   >          bool                 double comparison
      part     .z       double               double reading
      part       value  map(string, double)  variable
      part     0.25     double               double constant
      value  true

      """
    #expect(outcome == Outcome(output: expected, errors: "", code: 0))
  }

  @Test(
    "Values of expressions",
    arguments: [
      (["1 + 2"], "3\n"), (["value.a * 2", "--value", #"{"a": 1.5}"#], "3.0\n"),
      (["a + size(b)", "--set", "a=1", "--set", "b=\"text\""], "5\n"), (["'a' + 'b'"], "\"ab\"\n"),
      (["'a' + 'b'", "--format", "text"], "ab\n"), (["{'k': [1, 2u, null]}"], "{\"k\":[1,2,null]}\n"),
    ])
  func eval(_ arguments: [String], _ expected: String) {
    #expect(Subprocess.run(["eval"] + arguments) == Outcome(output: expected, errors: "", code: 0))
  }

  @Test("A wrong expression ends with 2, one that fails with 1; both show the place")
  func evalErrors() {
    let wrong = Subprocess.run(["eval", "1 + x"])
    #expect(wrong.errors.hasPrefix("<expression>:1:5: error S202: there is no name 'x' here\n 1 | 1 + x\n   |     ^\n"))
    #expect(wrong.code == 2)
    let failing = Subprocess.run(["eval", "value / 0", "--value", "1"])
    #expect(failing.errors.hasPrefix("<expression>:1:1: error S402"))
    #expect(failing.code == 1)
    let value = Subprocess.run(["eval", "value", "--value", "{"])
    #expect(value.errors.hasPrefix("--value:1:2: error S010"))
    #expect(value.code == 2)
  }

  // MARK: operators

  @Test("Operators are listed and described")
  func operators() throws {
    let list = Subprocess.run(["operators"])
    #expect(list.output.contains("\ntime\n"))
    #expect(list.output.contains("\n  debounce "))
    #expect(list.output.contains(" Publishes a value once the stream has been silent"))
    let one = Subprocess.run(["operators", "debounce"])
    #expect(one.output.hasPrefix("debounce (time)\n  Publishes a value once"))
    #expect(one.output.contains("      in   "))
    let json = Subprocess.run(["operators", "--format", "json"])
    guard case .list(let entries) = try JSONDocument(reading: Array(json.output.utf8), file: "operators").value else {
      Issue.record("the catalogue is no list")
      return
    }
    #expect(entries.contains { $0[JSONPointer(["name"])] == "zip" })
    let unknown = Subprocess.run(["operators", "debuonce"])
    #expect(unknown.errors.contains("help: did you mean 'debounce'?"))
    #expect(unknown.code == 2)
  }

  // MARK: import

  static let playground = """
    [ { "id": "00000000-0000-4000-8000-000000000001", "isDefault": true, "name": "Serial Stream A",
        "stream": [ { "operators": [ { "delay": { "seconds": 1 } } ], "value": "1" } ] },
      { "id": "00000000-0000-4000-8000-000000000002", "isDefault": true, "name": "Serial Stream A",
        "stream": [ { "operators": [], "value": "2" } ] } ]
    """

  @Test("An imported file can be run")
  func importing() {
    let folder = Fixture.Folder()
    folder.add("old.json", Self.playground)
    folder.addFolder("new")
    let printed = Subprocess.run(["import", "old.json"], in: folder.path)
    #expect(printed.code == 0)
    let outcome = Subprocess.run(["import", "old.json", "-o", "new"], in: folder.path)
    #expect(outcome.output == "")
    let first = Fixture.read(folder.path("new/serial-stream-a.json"))
    let second = Fixture.read(folder.path("new/serial-stream-a-2.json"))
    #expect(first + second == printed.output)
    let run = Subprocess.run(["new/serial-stream-a.json", "--virtual", "--timestamps"], in: folder.path)
    #expect(run == Outcome(output: "{\"at\":1,\"value\":\"1\"}\n", errors: "", code: 0))
    let refused = Subprocess.run(["import", "old.json", "-o", "one.json"], in: folder.path)
    #expect(refused.errors.hasPrefix("error S501: there are 2 streams, but 'one.json' is not a directory"))
    #expect(refused.code == 2)
    for name in Fixture.names(in: folder.path("new"), ending: ".json") { unlink(folder.path("new/\(name).json")) }
  }

  @Test("A file that cannot be imported is reported with the place")
  func importingWrong() {
    let outcome = Subprocess.run(["import", "-"], input: #"[{"name": "x"}]"#)
    #expect(outcome.errors.hasPrefix("<stdin>:1:2: error S103: "))
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
  }
}
