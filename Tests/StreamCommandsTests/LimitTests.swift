import Testing

/// What bounds the values that are printed and the memory that is taken.
@Suite struct LimitTests {
  private let folder = Fixture.Folder()
  /// Each value holds the one before twice: its text has twice the length, and no memory is taken for it.
  private static let doubling =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"prefix": {"count": 400}}]}"#
  private static let nested =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"prefix": {"count": 400}}, {"map": {"expression": "{'v': value}"}}]}"#

  private func run(_ stream: String, _ arguments: [String]) -> Outcome {
    folder.add("s.json", stream)
    return Subprocess.run(["run", "s.json"] + arguments, in: folder.path)
  }

  @Test(
    "a value that is too long is an error, and what came before is printed whole", arguments: [doubling, nested],
    ["ndjson", "text", "csv"])
  func tooLong(_ stream: String, _ format: String) {
    let outcome = run(stream, ["--max-value", "100B", "--format", format])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error S409: a value is longer than 100B, the most that is printed"))
    #expect(outcome.errors.contains("help: --max-value sets the most"))
    #expect(outcome.output.utf8.last == UInt8(ascii: "\n"))
    #expect(outcome.output.utf8.count > 100)
    #expect(outcome.output.utf8.count < 400)
  }

  @Test("ten million bytes are the most where nothing is said")
  func standard() {
    let outcome = run(Self.doubling, [])
    #expect(outcome.errors.contains("a value is longer than 10MB"))
    let lengths = outcome.output.split(separator: "\n").map(\.utf8.count)
    #expect(lengths.allSatisfy { $0 <= 10_000_000 })
    #expect(lengths.count == 22)
  }

  @Test("values that are left out leave the array whole")
  func leftOut() {
    let outcome = run(
      #"{"source": {"sequence": {"values": ["aaaaaaaaaaaaaaaaaaaa", 1, "bbbbbbbbbbbbbbbbbbbb", 2]}}}"#,
      ["--max-value", "10B", "--format", "json", "--skip-errors"])
    #expect(outcome.output == "[\n1,\n2\n]\n")
    #expect(outcome.code == 0)
  }

  @Test(
    "diagrams, pictures and tests of such values end",
    arguments: [
      ["run", "s.json", "--virtual", "--format", "marbles"], ["show", "s.json"], ["show", "s.json", "--stages"],
      ["test", "s.json"],
    ])
  func others(_ arguments: [String]) {
    folder.add(
      "s.json", Self.doubling.dropLast() + #", "tests": [{"name": "t", "expect": {"values": [1]}}]}"#)
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect([0, 1, 2].contains(outcome.code))
    #expect(outcome.output.utf8.count < 25_000_000)
  }

  @Test("eval has the same limit")
  func eval() {
    let outcome = Subprocess.run(["eval", "lists.range(100)", "--max-value", "20B"])
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "error S409: a value is longer than 20B, the most that is printed\n    = help: --max-value sets the most\n")
    #expect(outcome.code == 2)
  }

  @Test(
    "a run that takes too much memory fails, and what it published is printed", arguments: ["--virtual", "--threads=1"])
  func memory(_ argument: String) {
    let keep =
      #"{"source": {"range": {"from": 1, "through": 100000000}}, "operators": [{"map": {"expression": "string(value) + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"}}, {"collect": {"limit": 100000000}}]}"#
    let outcome = run(
      #"{"source": {"range": {"from": 1, "through": 2}}, "operators": [{"append": {"with": [\#(keep)]}}]}"#,
      ["--memory", "100MB", argument])
    #expect(outcome.output == "1\n2\n")
    #expect(outcome.errors.contains("error S409: the program takes 1"))
    #expect(outcome.errors.contains("of memory; at most 100MB are allowed, which --memory sets"))
    #expect(outcome.code == 1)
  }

  @Test("a process that dies of exhausted memory prints what it published")
  func exhausted() {
    let keep =
      #"{"source": {"repeatElement": {"value": "aaaaaaaaaaaaaaaaaaaa"}}, "operators": [{"map": {"expression": "value + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"}}, {"collect": {"limit": 100000000}}]}"#
    folder.add(
      "s.json", #"{"source": {"range": {"from": 1, "through": 2}}, "operators": [{"append": {"with": [\#(keep)]}}]}"#)
    let output = Subprocess.shell(
      "ulimit -c 0; ulimit -v 700000; streamrun s.json --threads 1 2>/dev/null", in: folder.path)
    #expect(output.hasPrefix("1\n2\n"))
  }

  @Test("numbers for which JSON has no form are told once")
  func infinite() {
    let outcome = Subprocess.run(["eval", "[1.0 / 0, 0.0 / 0]"])
    #expect(
      outcome
        == Outcome(
          output: "[\"Infinity\",\"NaN\"]\n",
          errors: "warning: a number is NaN or infinite; it is printed as a string, for JSON has no such number\n",
          code: 0))
    let run = run(
      #"{"source": {"range": {"from": 0, "through": 2}}, "operators": [{"map": {"expression": "1.0 / double(value)"}}]}"#,
      [])
    #expect(
      run.errors == "warning: a number is NaN or infinite; it is printed as a string, for JSON has no such number\n")
    #expect(run.code == 0)
  }

  @Test(
    "an expression may begin with a minus sign",
    arguments: [
      (["-5 / 2"], "-2\n"), (["-1 + 2"], "1\n"), (["-9223372036854775808"], "-9223372036854775808\n"),
      (["-value", "--value", "-3"], "3\n"), (["--value", "-3", "-value"], "3\n"), (["--", "-5 / 2"], "-2\n"),
      (["--explain", "-2"], "value  -2\n"),
    ])
  func negative(_ arguments: [String], _ text: String) {
    let outcome = Subprocess.run(["eval"] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(arguments.first == "--explain" ? outcome.output.hasSuffix(text) : outcome.output == text)
  }

  @Test(
    "numbers out of range are told with their range",
    arguments: [
      (["run", "s.json", "--limit", "-1"], "Error: --limit is -1; expected 0 or more"),
      (["run", "s.json", "--for", "-0.5"], "Error: --for is -0.5; expected 0 seconds or more"),
      (["run", "s.json", "--speed", "0"], "Error: --speed is 0.0; expected a factor above 0, such as 10x or 0.5"),
      (["run", "s.json", "--speed", "-2"], "Error: --speed is -2.0; expected a factor above 0, such as 10x or 0.5"),
      (["bench", "s.json", "--rounds", "-1"], "Error: --rounds is -1; expected 1 to 1000"),
      (["show", "s.json", "--width", "-1"], "Error: --width is -1; expected 40 to 10000 columns"),
      (["test", "s.json", "--jobs", "-1"], "Error: --jobs is -1; expected 1 or more"),
      (["test", "s.json", "--budget", "0"], "Error: --budget is 0; expected 1 step or more"),
    ])
  func ranges(_ arguments: [String], _ message: String) {
    let outcome = Subprocess.run(arguments)
    #expect(outcome.errors.hasPrefix(message + "\n"))
    #expect(outcome.code == 2)
  }

  @Test("a subcommand that is misspelt is suggested")
  func subcommand() {
    let two = Subprocess.run(["validte", "x.json"])
    #expect(two.errors.hasSuffix("help: did you mean 'streamrun validate'?\n"))
    #expect(two.code == 2)
    let one = Subprocess.run(["validte"])
    #expect(one.errors.contains("did you mean 'streamrun validate'?"))
    #expect(one.code == 2)
  }
}
