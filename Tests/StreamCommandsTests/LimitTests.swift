import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving

/// The bounds of the values that are printed and the memory that is taken.
@Suite struct LimitTests {
  private let folder = Fixture.Folder()
  /// Each value holds the one before twice: its text has twice the length, and no memory is taken for it.
  private static let doubling =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"prefix": {"count": 400}}]}"#
  private static let nested =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"prefix": {"count": 400}}, {"map": {"expression": "{'v': value}"}}]}"#

  /// The first value is as long as a terabyte.
  private static let hidden =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"drop": {"count": 40}}, {"prefix": {"count": 1}}]}"#
  private static let hiddenFields =
    #"{"source": {"generate": {"initialValue": 7, "next": "[value, value]"}}, "operators": [{"drop": {"count": 40}}, {"prefix": {"count": 1}}, {"map": {"expression": "{'a': 1, 'v': value}"}}]}"#

  private func run(_ stream: String, _ arguments: [String]) -> Outcome {
    folder.add("s.json", stream)
    return Subprocess.run(["run", "s.json"] + arguments, in: folder.path)
  }

  @Test(
    "A value that is too long is an error, and earlier output is printed in full", arguments: [doubling, nested],
    ["ndjson", "text", "csv"])
  func tooLong(_ stream: String, _ format: String) {
    let outcome = run(stream, ["--max-value", "100B", "--format", format])
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("error S409: a value is longer than 100B, which is the limit"))
    #expect(outcome.errors.contains("help: --max-value sets the limit"))
    #expect(outcome.output.utf8.last == UInt8(ascii: "\n"))
    #expect(outcome.output.utf8.count > 100)
    #expect(outcome.output.utf8.count < 400)
  }

  @Test(
    "A value that is far too long is left out where that is wished for", arguments: [hidden, hiddenFields, doubling],
    ValueFormat.allCases.map(\.rawValue))
  func skipped(_ stream: String, _ format: String) {
    let strict = run(stream, ["--virtual", "--max-value", "100B", "--format", format])
    #expect(strict.code == 1)
    #expect(strict.errors.contains("error S409: a value is longer than 100B, which is the limit"))
    let outcome = run(stream, ["--virtual", "--max-value", "100B", "--format", format, "--skip-errors"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("warning S409: a value is longer than 100B, which is the limit"))
    #expect(outcome.errors.hasSuffix(" values\n") || outcome.errors.hasSuffix(" 1 value\n"))
    // A diagram ends otherwise where the stream has come to its end.
    if format != "marbles" { #expect(outcome.output == strict.output) }
  }

  @Test(
    "The help for a limit names the fields that bound an operator",
    arguments: [
      (#"{"groupBy": {"key": "value", "limit": 1, "operators": []}}"#, "end groups without values with 'idle'"),
      (#"{"distinct": {"limit": 1}}"#, "forget values after a time with 'seconds'"),
    ])
  func limitHelp(_ json: String, _ help: String) {
    let outcome = run(#"{"stream": [{"value": 1}, {"value": 2}], "operators": [\#(json)]}"#, [])
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("help: \(help)"), "\(outcome.errors)")
  }

  @Test("A row whose fields are together too long is an error")
  func longRow() {
    let outcome = run(
      #"{"source": {"sequence": {"values": [{"a": "", "b": 1, "c": ""}]}}, "operators": [{"map": {"expression": "{'a': [value], 'b': [value], 'c': 'x'}"}}]}"#,
      ["--format", "csv", "--max-value", "40B"])
    #expect(outcome == Outcome(output: "", errors: outcome.errors, code: 1))
    #expect(outcome.errors.contains("error S409: a value is longer than 40B"))
  }

  @Test("A failure whose payload is far too long ends a diagram with the beginning of it")
  func longFailure() {
    let wrap = #"{"mapError": {"expression": "[error, error]"}}"#
    let wraps = Array(repeating: wrap, count: 45).joined(separator: ", ")
    let outcome = run(
      #"{"source": {"fail": {"error": "e"}}, "operators": [\#(wraps)]}"#,
      ["--virtual", "--format", "marbles", "--max-value", "200B"])
    #expect(outcome.output.hasPrefix("#\n- = 1ms\n# = [[[["))
    #expect(outcome.output.hasSuffix("…\n"))
    #expect(outcome.code == 1)
  }

  @Test("An event time that is an array is shown by its beginning")
  func longEventTime() {
    folder.add("a.ndjson", "1\n")
    let double = (1...40).reduce("dyn(value)") { "[\($0)].map(x\($1), [x\($1), x\($1)])[0]" }
    let outcome = run(
      #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {}}}"#,
      ["--input", "a=a.ndjson", "--event-time", "dyn(\(double))"])
    #expect(outcome.errors.contains("S305: the event time is [[[["))
    #expect(outcome.errors.contains("…; expected a timestamp"))
    #expect(outcome.code == 2)
  }

  @Test("The default limit is ten million bytes")
  func standard() {
    let outcome = run(Self.doubling, [])
    #expect(outcome.errors.contains("a value is longer than 10MB"))
    let lengths = outcome.output.split(separator: "\n").map(\.utf8.count)
    #expect(lengths.allSatisfy { $0 <= 10_000_000 })
    #expect(lengths.count == 22)
  }

  @Test("Values that are left out leave the array whole")
  func leftOut() {
    let outcome = run(
      #"{"source": {"sequence": {"values": ["aaaaaaaaaaaaaaaaaaaa", 1, "bbbbbbbbbbbbbbbbbbbb", 2]}}}"#,
      ["--max-value", "10B", "--format", "json", "--skip-errors"])
    #expect(outcome.output == "[\n1,\n2\n]\n")
    #expect(outcome.code == 0)
  }

  @Test(
    "Diagrams, pictures and tests of such values end",
    arguments: [
      (
        ["run", "s.json", "--virtual", "--format", "marbles", "--max-value", "1kB"], 1, "error S409: a value is longer"
      ),
      (["show", "s.json"], 0, ""), (["show", "s.json", "--stages"], 0, ""),
    ])
  func others(_ arguments: [String], _ code: Int32, _ message: String) {
    folder.add("s.json", Self.doubling)
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == code)
    #expect(message.isEmpty ? outcome.errors == "" : outcome.errors.contains(message))
    #expect(outcome.output.utf8.count > 100)
    #expect(outcome.output.utf8.count < 100_000)
  }

  @Test("A test of such a value fails")
  func test() {
    folder.add("s.json", Self.hidden.dropLast() + #", "tests": [{"name": "t", "expect": {"values": [1]}}]}"#)
    let outcome = Subprocess.run(["test", "s.json"], in: folder.path)
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("a value is longer than 10000000 bytes as JSON"))
    #expect(outcome.output.utf8.count < 2_000)
  }

  @Test("`eval` has the same limit")
  func eval() {
    let outcome = Subprocess.run(["eval", "lists.range(100)", "--max-value", "20B"])
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "error S409: a value is longer than 20B, which is the limit\n    = help: --max-value sets the limit\n")
    #expect(outcome.code == 1)
  }

  @Test("Amounts are printed to the nearest tenth")
  func amounts() {
    let texts = [1, 999, 1_000, 1_049, 1_050, 1_999, 999_949, 999_950, 1_000_000, 1_250_000, 999_999_999].map {
      ByteCount($0).description
    }
    #expect(texts == ["1B", "999B", "1kB", "1kB", "1.1kB", "2kB", "999.9kB", "1MB", "1MB", "1.3MB", "1GB"])
    #expect(ByteCount(.max).description.hasSuffix("GB"))
  }

  @Test(
    "Runs that a limit has ended are not compared, which each command reports",
    arguments: [
      (["diff", "s.json", "t.json", "--behavior", "--input", "a=a.ndjson", "--budget", "10000"], "S417", 2),
      (["diff", "s.json", "t.json", "--behavior", "--input", "a=a.ndjson", "--memory", "1MB"], "S409", 2),
      (["bench", "silent.json", "--budget", "10000", "--rounds", "1"], "S417", 1),
      (["bench", "silent.json", "--memory", "1MB", "--rounds", "1"], "S409", 2),
      (["run", "s.json", "--virtual", "--memory", "1MB"], "S409", 2),
    ])
  func limited(_ arguments: [String], _ code: String, _ exit: Int32) {
    folder.add("a.ndjson", "1\n")
    folder.add("silent.json", #"{"source": {"timer": {"every": 0.001}}, "operators": [{"drop": {"count": 200000}}]}"#)
    for (name, rest) in [("s", ""), ("t", #", {"map": {"expression": "value + 1"}}"#)] {
      folder.add(
        "\(name).json",
        #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {}}, "operators": [{"append": {"with": [{"source": {"timer": {"every": 0.001}}, "operators": [{"drop": {"count": 200000}}, {"prefix": {"count": 1}}]}]}}\#(rest)]}"#
      )
    }
    let outcome = Subprocess.run(arguments, input: "1\n", in: folder.path)
    #expect(outcome.errors.contains("error \(code): "))
    #expect(arguments[0] == "run" || outcome.output == "")
    #expect(outcome.code == exit)
  }

  @Test(
    "A run that takes too much memory fails, and what it published is printed", arguments: ["--virtual", "--threads=1"])
  func memory(_ argument: String) {
    let keep =
      #"{"source": {"range": {"from": 1, "through": 100000000}}, "operators": [{"map": {"expression": "string(value) + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"}}, {"collect": {"limit": 100000000}}]}"#
    let outcome = run(
      #"{"source": {"range": {"from": 1, "through": 2}}, "operators": [{"append": {"with": [\#(keep)]}}]}"#,
      ["--memory", "100MB", argument])
    #expect(outcome.output == "1\n2\n")
    #expect(outcome.errors.contains("error S409: the program uses 1"))
    #expect(outcome.errors.contains("of memory; --memory allows at most 100MB"))
    #expect(outcome.code == 1)
  }

  @Test("A process that dies of exhausted memory prints what it published")
  func exhausted() {
    let long = String(repeating: "a", count: 20_000)
    let keep =
      #"{"source": {"repeatElement": {"value": 1}}, "operators": [{"map": {"expression": "string(value) + '\#(long)'"}}, {"collect": {"limit": 100000000}}]}"#
    folder.add(
      "s.json", #"{"source": {"range": {"from": 1, "through": 2}}, "operators": [{"append": {"with": [\#(keep)]}}]}"#)
    let output = Subprocess.shell(
      "ulimit -c 0; ulimit -v 700000; streamrun s.json --threads 1 2>/dev/null; echo $?", in: folder.path)
    let lines = output.split(separator: "\n")
    #expect(lines.prefix(2) == ["1", "2"])
    // A signal ended it.
    #expect(lines.last.flatMap { Int($0) }.map { $0 > 128 } == true)
  }

  @Test("Numbers without a JSON form are reported once")
  func infinite() {
    let outcome = Subprocess.run(["eval", "[1.0 / 0, 0.0 / 0]"])
    #expect(
      outcome
        == Outcome(
          output: "[\"Infinity\",\"NaN\"]\n",
          errors: "warning: a number is NaN or infinite; it is printed as a string, because JSON has no such number\n",
          code: 0))
    let run = run(
      #"{"source": {"range": {"from": 0, "through": 2}}, "operators": [{"map": {"expression": "1.0 / double(value)"}}]}"#,
      [])
    #expect(
      run.errors == "warning: a number is NaN or infinite; it is printed as a string, because JSON has no such number\n"
    )
    #expect(run.code == 0)
  }

  @Test(
    "An expression may begin with a minus sign",
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
    "Numbers out of range are reported with their range",
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

  @Test("A misspelled subcommand gets a suggestion")
  func subcommand() {
    let two = Subprocess.run(["validte", "x.json"])
    #expect(two.errors.hasSuffix("help: did you mean 'streamrun validate'?\n"))
    #expect(two.code == 2)
    let one = Subprocess.run(["validte"])
    #expect(one.errors.contains("did you mean 'streamrun validate'?"))
    #expect(one.code == 2)
  }
}
