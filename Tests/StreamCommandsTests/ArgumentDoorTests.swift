import TestSupport
import Testing

/// `--set`, `--parameters` and `--seed` mean the same for every command that compiles a stream file, except `replay --step`,
/// which does not know them.
@Suite struct ArgumentDoorTests {
  private let folder = Fixture.Folder()

  private static let file = #"""
    {"parameters": {"least": {"type": "int", "default": 2}},
     "inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
     "operators": [{"filter": {"expression": "value >= least"}}],
     "tests": [{"name": "all from the least", "inputs": {"a": {"values": [1, 2, 3]}}, "expect": {"values": [2, 3]}}]}
    """#

  /// A recording of a run of the file.
  private static let recording = {
    let folder = Fixture.Folder()
    folder.add("s.json", file)
    _ = Subprocess.run(["s.json", "--record", "run.ndjson"], input: "1\n2\n3\n", in: folder.path)
    return Fixture.read(folder.path("run.ndjson"))
  }()

  init() {
    folder.add("s.json", Self.file)
    folder.add("other.json", #"{"stream": [{"value": 1}]}"#)
    folder.add(
      "keyed.json",
      #"""
      {"parameters": {"least": {"type": "int", "default": 2}},
       "inputs": {"a": {"type": {"k": "string", "v": "int"}}}, "source": {"input": {"name": "a"}},
       "partition": {"key": "value.k"}, "operators": [{"filter": {"expression": "value.v >= least"}}]}
      """#)
    folder.add("a.ndjson", "1\n2\n3\n")
    folder.add("values.json", #"{"least": 3}"#)
    folder.add("wrong.json", #"{"least": "many"}"#)
    folder.add("run.ndjson", Self.recording)
  }

  private func run(_ arguments: [String], input: String = "1\n2\n3\n") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private static let commands = [
    ["s.json"], ["s.json", "--virtual"], ["s.json", "--print-model"], ["show", "s.json"],
    ["show", "s.json", "--graph"],
    ["explain", "s.json"], ["validate", "s.json"], ["test", "s.json"], ["test", "s.json", "--coverage"],
    ["bench", "s.json", "--input", "a=a.ndjson", "--values", "10", "--rounds", "1"],
    ["diff", "s.json", "s.json", "--behavior"], ["diff", "s.json", "s.json", "--behavior", "--input", "a=a.ndjson"],
    ["replay", "run.ndjson"], ["replay", "run.ndjson", "s.json"], ["replay", "run.ndjson", "--compare"],
    ["worker", "keyed.json", "--check"],
  ]

  @Test("Every command takes right values, and refuses wrong types and names", arguments: commands)
  func everyCommand(_ command: [String]) {
    for arguments in [["--set", "least=many"], ["--parameters", "wrong.json"]] {
      let outcome = run(command + arguments)
      #expect(outcome.code == 2, "\(command): \(outcome)")
      #expect(outcome.errors.contains("least") && outcome.errors.contains("int"), "\(command): \(outcome.errors)")
    }
    let unknown = run(command + ["--set", "leastt=3"])
    #expect(unknown.code == 2, "\(command): \(unknown)")
    #expect(unknown.errors.contains("did you mean 'least'?"), "\(command): \(unknown.errors)")
    let twice = run(command + ["--set", "least=3", "--set", "least=3"])
    #expect(twice.code == 2 && twice.errors.contains("set twice"), "\(command): \(twice)")
    let right = run(command + ["--parameters", "values.json", "--set", "least=2", "--seed", "7"])
    #expect(right.code == 0, "\(command): \(right)")
  }

  @Test("A value changes the output")
  func output() {
    let set = ["--set", "least=3"]
    #expect(run(["s.json"] + set).output == "3\n")
    #expect(run(["s.json", "--parameters", "values.json"]).output == "3\n")
    #expect(run(["s.json", "--parameters", "values.json", "--set", "least=1"]).output == "1\n2\n3\n")
    #expect(run(["test", "s.json"] + set).code == 1)
    #expect(run(["replay", "run.ndjson"]).output == "2\n3\n")
    #expect(run(["replay", "run.ndjson"] + set).output == "3\n")
    #expect(run(["replay", "run.ndjson", "s.json"] + set).output == "3\n")
    #expect(run(["replay", "run.ndjson", "--compare"] + set).code == 1)
    #expect(run(["show", "s.json"] + set).output.contains("output  ─[3 |]"))
    #expect(run(["explain", "s.json"] + set).code == 0)
  }

  @Test("With several files, a value is for those that declare the parameter")
  func several() {
    for command in ["test", "validate", "bench"] {
      var files = ["s.json", "other.json"]
      if command == "bench" { files += ["--values", "10", "--rounds", "1"] }
      #expect(run([command] + files + ["--set", "least=2"]).code == 0, "\(command)")
      let outcome = run([command] + files + ["--set", "leastt=2"])
      #expect(outcome.code == 2, "\(command): \(outcome)")
      #expect(outcome.errors.contains("none of the files has a parameter 'leastt'"), "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("did you mean 'least'?"), "\(command): \(outcome.errors)")
      #expect(run([command] + files + ["--set", "least=many"]).code == 2, "\(command)")
    }
    #expect(run(["test", "s.json", "other.json", "--set", "least=3"]).code == 1)
    // Only one of both versions has the parameter.
    folder.add(
      "fixed.json",
      Fixture.read(folder.path("s.json")).replacing(
        #""parameters": {"least": {"type": "int", "default": 2}},"#, with: ""
      ).replacing(">= least", with: ">= 3"))
    #expect(run(["diff", "s.json", "fixed.json", "--behavior"]).code == 1)
    #expect(run(["diff", "s.json", "fixed.json", "--behavior", "--set", "least=3"]).code == 0)
  }

  @Test("A test's own parameters take precedence")
  func precedence() {
    folder.add(
      "own.json",
      Fixture.read(folder.path("s.json")).replacing(
        #""name": "all from the least","#, with: #""name": "all from the least", "parameters": {"least": 2},"#))
    #expect(run(["test", "own.json", "--set", "least=3"]).code == 0)
    #expect(run(["test", "own.json", "other.json", "--set", "least=3"]).code == 0)
  }

  @Test("The command diff takes arguments only where it runs both versions")
  func diff() {
    let outcome = run(["diff", "s.json", "other.json", "--set", "least=3"])
    #expect(outcome.code == 2 && outcome.errors.contains("require --behavior"), "\(outcome)")
  }

  @Test("A recording and a state keep the values, and a test from a recording has them")
  func recorded() {
    _ = run(["s.json", "--set", "least=3", "--record", "three.ndjson", "--state", "state"])
    #expect(run(["replay", "three.ndjson"]).output == "3\n")
    #expect(run(["replay", "three.ndjson", "s.json"]).output == "3\n")
    #expect(run(["state", "verify", "state"]).code == 0)
    _ = run(["s.json", "--parameters", "values.json", "--record", "file.ndjson"])
    #expect(run(["replay", "file.ndjson"]).output == "3\n")
    let added = run(["replay", "three.ndjson", "s.json", "--as-test", "from a recording"])
    #expect(added.code == 0, "\(added)")
    #expect(Fixture.read(folder.path("s.json")).contains(#""least": 3"#))
    #expect(run(["test", "s.json"]).output == "2 passed, 0 failed\n")
  }

  @Test("A state without a default is continued with its values, and with others as another version")
  func states() {
    folder.add(
      "sum.json",
      #"""
      {"parameters": {"factor": {"type": "int"}}, "inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}},
       "operators": [{"id": "sum", "scan": {"initialValue": 0, "expression": "acc + value * factor"}}]}
      """#)
    folder.add("sum.ndjson", "1\n2\n")
    func part(_ factor: String, _ more: [String]) -> Outcome {
      run(["sum.json", "--input", "a=sum.ndjson", "--state", "sums", "--set", "factor=\(factor)"] + more)
    }
    let first = part("10", ["--limit", "1"])
    #expect(first.output == "10\n", "\(first)")
    #expect(run(["state", "verify", "sums"]).code == 0)
    let refused = part("100", ["--state-mismatch", "refuse"])
    #expect(refused.code == 2 && refused.errors.contains("another version"), "\(refused)")
    let second = part("100", [])
    #expect(second.output == "210\n", "\(second)")
  }

  @Test("Every command that reads a stream takes a one-liner")
  func oneLiners() {
    #expect(run(["hash", "-e", "map(value * 2)"]).output.hasPrefix("sha256:"))
    let bench = run(["bench", "-e", "range(1, 5) | map(value * 2)", "--values", "10", "--rounds", "1"])
    #expect(bench.code == 0, "\(bench)")
    let both = run(["bench", "s.json", "-e", "filter(value >= 2)", "--input", "a.ndjson", "--values", "10"])
    #expect(both.code == 0, "\(both)")
    let diff = run(["diff", "other.json", "-e", "range(1, 5)"])
    #expect(diff.code == 1 && diff.output.contains("source"), "\(diff)")
    #expect(run(["diff", "other.json", "s.json", "-e", "range(1, 5)"]).code == 2)
    #expect(run(["diff", "-e", "range(1, 5)"]).code == 2)
    let test = run(["test", "-e", "range(1, 5)"])
    #expect(test.code == 2 && test.errors.contains("a one-liner has no tests"), "\(test)")
  }
}
