import StreamCore
import TestSupport
import Testing

/// The option `-e`, and `format --short`.
@Suite struct OneLinerTests {
  private static func folder() -> Fixture.Folder {
    let folder = Fixture.Folder()
    folder.add("n.ndjson", "1\n2\n3\n4\n5\n")
    folder.add("w.ndjson", "\"a\"\n\"b\"\n\"a\"\n")
    folder.add(
      "s.json", #"{"stream": [{"value": 1}, {"value": 2}], "operators": [{"map": {"expression": "value * 2"}}]}"#)
    folder.add("t.json", #"{"stream": [{"value": 1}], "tests": [{"name": "a", "expect": {"values": [1]}}]}"#)
    return folder
  }

  /// The rows of the table on the page: a command, and what it prints.
  static let rows: [(String, String)] = DocumentationPages.text(of: "OneLiners").split(separator: "\n")
    .filter { $0.hasPrefix("| `streamrun") }
    .map { row in
      let spans = row.replacing("\\|", with: "|").split(separator: "`")
      let lines = stride(from: 3, to: spans.count, by: 2).map { spans[$0] + "\n" }
      return (String(spans[1]), lines.joined())
    }

  @Test("The page has ten one-liners") func count() { #expect(Self.rows.count == 10) }

  @Test("A one-liner on the page prints what the page says", arguments: rows)
  func prints(_ command: String, _ expected: String) {
    let folder = Self.folder()
    #expect(Subprocess.shell(command, in: folder.path) == expected)
  }

  @Test("A one-liner prints what the file prints that it is short for", arguments: rows)
  func file(_ command: String, _ expected: String) {
    let folder = Self.folder()
    let parts = command.split(separator: "'", omittingEmptySubsequences: false)
    _ = Subprocess.shell("streamrun -e '\(parts[1])' --print-model > model.json", in: folder.path)
    let rest = parts.dropFirst(2).joined(separator: "'")
    #expect(Subprocess.shell("streamrun model.json\(rest)", in: folder.path) == expected)
  }

  private func run(_ arguments: [String], input: String = "") -> Outcome {
    let folder = Self.folder()
    return Subprocess.run(arguments, input: input, in: folder.path)
  }

  @Test("Files that a one-liner names are in the working directory")
  func data() {
    let outcome = run(["-e", "file('n.ndjson') | count()"])
    #expect(outcome == Outcome(output: "5\n", errors: "", code: 0))
    #expect(run(["-e", "count()", "--input", "n.ndjson"]).output == "5\n")
    #expect(run(["-e", "append((stream(file: 's.json')))", "--input", "n.ndjson"]).output == "1\n2\n3\n4\n5\n2\n4\n")
  }

  @Test("A value of --set or --parameters that a one-liner names is a parameter, with the type of the value")
  func parameters() {
    let folder = Self.folder()
    folder.add("k.json", #"{"k": 3}"#)
    func run(_ arguments: String) -> Outcome {
      Subprocess.run(["-e"] + arguments.split(separator: " ").map(String.init), input: "1\n2\n", in: folder.path)
    }
    #expect(run("map(value*k) --set k=2") == Outcome(output: "2\n4\n", errors: "", code: 0))
    #expect(run("map(value*k) --parameters k.json").output == "3\n6\n")
    #expect(run("map(value*k) --parameters k.json --set k=2.5").output == "2.5\n5.0\n")
    #expect(run("map(string(value)+word) --set word=a").output == "\"1a\"\n\"2a\"\n")
    #expect(run("filter(value>=limits[0]) --set limits=[2,3]").output == "2\n")
    #expect(
      run("map(value*k) --set k=2 --print-model").output.contains(#""k": { "type": "int", "default": 2 }"#))
    let unused = run("map(value*k) --set k=2 --set kk=3")
    #expect(unused.code == 2 && unused.errors.contains("'kk'"), "\(unused)")
    let missing = run("map(value*k)")
    #expect(missing.code == 2 && missing.errors.contains("--set k=VALUE"), "\(missing)")
    let jq = run("map(value*k) --arg k 2")
    #expect(jq.code == 2 && jq.errors.contains("write --set k=2"), "\(jq)")
    for command in ["validate", "explain", "show", "bench --values 3 --rounds 1"] {
      let words = command.split(separator: " ").map(String.init)
      let outcome = Subprocess.run(
        [words[0], "-e", "range(1,2)|map(value*k)", "--set", "k=2"] + words.dropFirst(), input: "", in: folder.path)
      #expect(outcome.code == 0, "\(command): \(outcome)")
    }
  }

  @Test("A second one-liner is refused, and an applied definition has help")
  func refused() {
    let twice = run(["-e", "filter(value > 1)", "-e", "map(value * 10)"], input: "1\n")
    #expect(twice.code == 2 && twice.output.isEmpty && twice.errors.contains("-e is given 2 times"), "\(twice)")
    #expect(run(["-e", "map(-e)", "--set", "e=2"], input: "1\n").output == "-2\n")
    #expect(run(["-e", "apply(file: 's.json')"]).errors.contains("S501: 'apply' has no short form"))
  }

  @Test("The printed file has the seed")
  func seed() {
    #expect(run(["-e", "map(random())", "--seed", "4", "--print-model"]).output.contains(#""seed": 4"#))
  }

  @Test("Other commands take one-liners")
  func commands() {
    #expect(run(["explain", "-e", "map(value * 2)"]).output.contains("map"))
    #expect(run(["show", "-e", "timer(1, count: 2)"]).output.contains("|"))
    #expect(run(["validate", "-e", "map(value * 2)"]).code == 0)
    #expect(run(["validate", "-e", "map(valu * 2)"]).code == 2)
    #expect(run(["format", "-e", " range(1,2) |map(value)", "--short"]).output == "range(1, 2) | map(value)\n")
    #expect(
      run(["format", "-e", "just(1)"]).output == run(["-e", "just(1)", "--print-model"]).output)
  }

  @Test("The option --short of format prints the one-liner of a file, or the part that has none")
  func short() {
    let outcome = run(["format", "--short", "s.json"])
    #expect(outcome == Outcome(output: "[1, 2] | map(value * 2)\n", errors: "", code: 0))
    let refused = run(["format", "--short", "t.json"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("t.json:1:28: error S501: 'tests' has no short form"))
    #expect(refused.errors.contains("at /tests"))
  }

  @Test("An error at runtime has its place in the one-liner")
  func failure() {
    let outcome = run(["-e", "map(10 % value)"], input: "5\n0\n")
    #expect(outcome.output == "0\n")
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("-e:1:5: error S402"))
    #expect(outcome.errors.contains(" 1 | map(10 % value)\n   |     ^"))
  }

  @Test("A run of a one-liner can be recorded and replayed")
  func recording() {
    let folder = Self.folder()
    let record = Subprocess.run(
      ["-e", "scan(acc + value)", "--record", "r.ndjson", "--input", "n.ndjson"], input: "", in: folder.path)
    #expect(record == Outcome(output: "1\n3\n6\n10\n15\n", errors: "", code: 0))
    #expect(Subprocess.run(["replay", "r.ndjson"], input: "", in: folder.path).output == record.output)
  }

  /// Arguments that are refused, and a part of the message.
  static let wrong: [([String], String)] = [
    (["-e", "count()", "s.json"], "single quotes"), (["-e", "filter(value", ">", "1)"], "single quotes"),
    (["--watch", "-e", "count()"], "--watch needs the path"), (["format", "-e", "count()", "-i"], "which need files"),
    (["format", "--short", "--check", "s.json"], "--short cannot be combined"),
    (["explain"], "Missing expected argument"),
    (["format"], "Missing expected argument"), (["-e"], "Missing value for '-e"),
  ]

  @Test("Wrong combinations of arguments are refused", arguments: wrong)
  func refuses(_ arguments: [String], _ part: String) {
    let outcome = run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(part))
  }
}
