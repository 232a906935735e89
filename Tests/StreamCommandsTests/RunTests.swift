import TestSupport
import Testing

/// `streamrun run` as a process: its input, its output and its exit code.
@Suite struct RunTests {
  static let pass = #"{"inputs": {"n": {}}, "source": {"input": {"name": "n"}}}"#
  static let divide = """
    {
      "inputs": { "n": {} },
      "source": { "input": { "name": "n" } },
      "operators": [ { "map": { "expression": "10 / value" } } ]
    }
    """
  static let delayed = """
    { "stream": [ { "value": "a", "operators": [ { "delay": { "seconds": 1 } } ] },
                  { "value": {"k": 2}, "operators": [ { "delay": { "seconds": 0.5 } } ] } ] }
    """

  private func run(_ stream: String, _ arguments: String..., input: String = "") -> Outcome {
    let folder = Fixture.Folder()
    folder.add("s.json", stream)
    return Subprocess.run(["s.json"] + arguments, input: input, in: folder.path)
  }

  @Test("Every input value is printed, one JSON value per line")
  func lines() {
    let outcome = run(Self.pass, input: "1\n\n  \n\"a\"\r\n{\"b\": [1.0, null]}")
    #expect(outcome == Outcome(output: "1\n\"a\"\n{\"b\":[1.0,null]}\n", errors: "", code: 0))
  }

  @Test("A byte order mark at the start is skipped")
  func mark() {
    #expect(run(Self.pass, input: "\u{FEFF}1\n2\n").output == "1\n2\n")
  }

  @Test("'run' is what is done if nothing else is said")
  func defaultSubcommand() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.pass)
    let short = Subprocess.run(["s.json"], input: "1\n", in: folder.path)
    let long = Subprocess.run(["run", "s.json"], input: "1\n", in: folder.path)
    #expect(short == long)
    #expect(long.output == "1\n")
  }

  @Test("The stream file may come on standard input")
  func streamFromStandardInput() {
    let outcome = Subprocess.run(["-"], input: #"{"stream": [{"value": 1}, {"value": 2}]}"#)
    #expect(outcome == Outcome(output: "1\n2\n", errors: "", code: 0))
  }

  @Test(
    "Formats of output",
    arguments: [
      ("ndjson", "\"a\"\n{\"k\":2}\n"), ("json", "[\n\"a\",\n{\"k\":2}\n]\n"), ("text", "a\n{\"k\":2}\n"),
      ("marbles", "--a[b|]\n- = 500ms\nb = {\"k\":2}\n"),
    ])
  func formats(_ format: String, _ expected: String) {
    let outcome = run(Self.delayed, "--virtual", "--format", format)
    #expect(outcome.output == expected)
    #expect(outcome.code == 0)
  }

  @Test(
    "Timestamps are seconds since the start",
    arguments: [
      ("ndjson", "{\"at\":1,\"value\":\"a\"}\n{\"at\":1.5,\"value\":{\"k\":2}}\n"),
      ("text", "1.000\ta\n1.500\t{\"k\":2}\n"),
    ])
  func timestamps(_ format: String, _ expected: String) {
    #expect(run(Self.delayed, "--virtual", "--timestamps", "--format", format).output == expected)
  }

  @Test("CSV has the columns of the first record, and quotes what must be quoted")
  func csv() {
    let input = #"{"a": 1, "b": "x,\"y\""}"# + "\n" + #"{"b": null, "a": [1]}"# + "\n"
    let outcome = run(Self.pass, "--format", "csv", input: input)
    #expect(outcome.output == "a,b\r\n1,\"x,\"\"y\"\"\"\r\n[1],\r\n")
    #expect(run(Self.pass, "--format", "csv", input: "1\n2\n").output == "value\r\n1\r\n2\r\n")
  }

  @Test("CSV refuses a value that is not a record among records")
  func csvMismatch() {
    let outcome = run(Self.pass, "--format", "csv", input: "{\"a\": 1}\n5\n")
    #expect(outcome.output == "a\r\n1\r\n")
    #expect(outcome.errors.contains("error S408: a value is an integer; the columns of the CSV are a"))
    #expect(outcome.code == 2)
    let skipping = run(Self.pass, "--format", "csv", "--skip-errors", input: "{\"a\": 1}\n5\n{\"a\": 2}\n")
    #expect(skipping.output == "a\r\n1\r\n2\r\n")
    #expect(skipping.errors.contains("skipped 0 lines, 1 value\n"))
    #expect(skipping.code == 0)
  }

  @Test("A broken line is reported with its place, after earlier output")
  func brokenLine() {
    let outcome = run(Self.pass, input: "1\n2\n{\"a\": tru}\n3\n")
    #expect(outcome.output == "1\n2\n")
    #expect(outcome.errors.hasPrefix("<stdin>:3:7: error S001: "))
    #expect(outcome.errors.contains("\n 3 | {\"a\": tru}\n"))
    #expect(outcome.code == 2)
  }

  @Test("Input that ends in the middle of a line is reported")
  func cutLine() {
    let outcome = run(Self.pass, input: "1\n{\"a\": ")
    #expect(outcome.output == "1\n")
    #expect(outcome.errors.hasPrefix("<stdin>:2:"))
    #expect(outcome.errors.contains("error S010"))
    #expect(outcome.errors.contains("begins at column 1"))
    #expect(outcome.code == 2)
  }

  @Test("Broken lines and failing values are skipped and counted")
  func skip() {
    let input = "1\nx\n0\n5\n" + String(repeating: "y\n", count: 20)
    let outcome = run(Self.divide, "--skip-errors", input: input)
    #expect(outcome.output == "10\n2\n")
    #expect(outcome.errors.split(separator: "\n").count { $0.contains(": warning S") && !$0.contains("S203") } == 10)
    #expect(outcome.errors.hasSuffix("skipped 21 lines, 1 value\n"))
    #expect(outcome.code == 0)
  }

  @Test("A stream that fails is reported with the place of the operator")
  func failure() {
    let outcome = run(Self.divide, input: "5\n0\n")
    #expect(outcome.output == "2\n")
    #expect(outcome.errors.contains("\ns.json:4:44: error S402: "))
    #expect(outcome.errors.contains("= note: the value was 0\n"))
    #expect(outcome.code == 1)
  }

  @Test("A failure in another file is reported there")
  func failureElsewhere() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"source": {"stream": {"file": "t.json"}}}"#)
    folder.add("t.json", #"{"stream": [{"value": 0}], "operators": [{"map": {"expression": "1 / value"}}]}"#)
    let outcome = Subprocess.run(["s.json"], in: folder.path)
    #expect(outcome.errors.hasPrefix("t.json:1:66: error S402: "))
    #expect(outcome.code == 1)
  }

  @Test("Values are made of the declared type, or refused")
  func declaredTypes() {
    let stream = """
      { "inputs": { "n": { "type": { "x": "double", "t": "timestamp" } } }, "source": { "input": { "name": "n" } },
        "operators": [ { "map": { "expression": "[value.x, value.t + duration('1s')]" } } ] }
      """
    let good = run(stream, input: #"{"x": 1, "t": "2024-01-01T00:00:00Z"}"#)
    #expect(good == Outcome(output: "[1.0,\"2024-01-01T00:00:01Z\"]\n", errors: "", code: 0))
    let bad = run(stream, input: #"{"x": "1", "t": "2024-01-01T00:00:00Z"}"#)
    #expect(bad.errors.hasPrefix("<stdin>:1:7: error S304: "))
    #expect(bad.code == 2)
    let whole = run(#"{"inputs": {"n": {"type": "int"}}, "source": {"input": {"name": "n"}}}"#, input: "1.0\n")
    #expect(whole.errors.contains("error S304: found the double 1.0, but the declared type is int"), "\(whole.errors)")
  }

  @Test("Several inputs are fed by name, and set")
  func inputs() {
    let folder = Fixture.Folder()
    folder.add("a", "1\n2\n")
    folder.add("b", "10\n20\n")
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {}, "b": {}, "c": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "zip": { "with": ["b"] } }, { "combineLatest": { "with": ["c"] } } ] }
      """)
    let outcome = Subprocess.run(
      ["s.json", "--input", "a=a", "--input", "b=-", "--set", "c=100"], input: "10\n20\n", in: folder.path)
    #expect(outcome == Outcome(output: "[[1,10],100]\n[[2,20],100]\n", errors: "", code: 0))
    let unfed = Subprocess.run(["s.json", "--input", "a=a", "--set", "d=1"], in: folder.path)
    #expect(unfed.errors.contains("error S301: there is no input 'd'"))
    #expect(unfed.errors.contains("s.json:1:24: error S303: nothing feeds the input 'b'"))
    #expect(unfed.errors.contains("help: write --input b=FILE"))
    #expect(unfed.code == 2)
  }

  @Test("--limit and --for stop a stream without end")
  func limits() {
    let stream = #"{"source": {"timer": {"every": 1}}}"#
    #expect(run(stream, "--virtual", "--limit", "3") == Outcome(output: "0\n1\n2\n", errors: "", code: 0))
    #expect(run(stream, "--virtual", "--for", "2").output == "0\n1\n")
    #expect(run(stream, "--speed", "1000x", "--for", "4.5").output == "0\n1\n2\n3\n")
    #expect(run(stream, "--limit", "0") == Outcome(output: "", errors: "", code: 0))
  }

  @Test("Virtual time reads input on demand")
  func virtual() {
    let stream = """
      { "inputs": { "n": {} }, "source": { "input": { "name": "n" } }, "operators": [
        { "prepend": { "with": [ { "stream": [ { "value": 0, "operators": [ { "delay": { "seconds": 5 } } ] } ] } ] } },
        { "delay": { "seconds": 1 } } ] }
      """
    let outcome = run(stream, "--virtual", "--timestamps", input: "1\n2\n")
    #expect(outcome.output == "{\"at\":6,\"value\":0}\n{\"at\":6,\"value\":1}\n{\"at\":6,\"value\":2}\n")
  }
}
