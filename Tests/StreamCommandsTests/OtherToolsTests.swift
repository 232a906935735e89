import TestSupport
import Testing

/// Help for arguments and names as other tools take them.
@Suite struct OtherToolsTests {
  private let folder = Fixture.Folder()

  init() { for name in ["x", "y", "z"] { folder.add("\(name).csv", "a\n1\n") } }

  private func run(_ arguments: String..., input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  @Test("Files of data beside a one-liner, as for jq, and a pattern that the shell expands")
  func data() {
    for arguments in [["x.csv"], ["--input", "x.csv", "y.csv"], ["--input", "x.csv", "y.csv", "z.csv"]] {
      let outcome = Subprocess.run(["-e", "count()"] + arguments, in: folder.path)
      #expect(outcome.code != 0 && outcome.errors.contains("in quotes: --input '*.csv'"), "\(outcome.errors)")
    }
    #expect(run("-e", "count()", "|", input: "").errors.contains("single quotes"))
  }

  @Test("Streams in brackets have the field's name before them")
  func brackets() {
    for (text, help) in [
      ("input(a) | merge([b])", "write merge(b), or merge(with: [b])"),
      ("input(a) | zip([b, c])", "write zip(b, c), or zip(with: [b, c])"),
      ("input(a) | join([ b ], on: value.k)", "write join(b), or join(with: [b])"),
    ] {
      let outcome = run("-e", text)
      #expect(outcome.code == 2 && outcome.errors.contains(help), "\(outcome.errors)")
    }
    #expect(run("-e", "[1] | merge([2, 3])").output == "1\n2\n3\n")
    #expect(run("-e", "[1] | merge([true])").output == "1\ntrue\n")
  }

  @Test("'apply' is described, and has no short form")
  func apply() {
    #expect(run("operators", "apply").output.hasPrefix("apply (transform)\n"))
    let outcome = run("-e", "apply(file: \"x.json\", n: 4)")
    #expect(outcome.code == 2 && outcome.errors.contains("'apply' has no short form"), "\(outcome.errors)")
  }

  @Test(
    "The help for an operator of another library names its replacement",
    arguments: [
      ("tumblingWindow", "'window'"), ("slidingWindow", "'window'"), ("watermark", "\"lateness\""),
      ("pivot", "collectMap"),
      ("resample", "Resampling"), ("asofJoin", "withLatestFrom"), ("partition", "\"partition\""),
    ])
  func names(_ name: String, _ help: String) {
    let outcome = run("operators", name)
    #expect(outcome.code == 2 && outcome.errors.contains(help), "\(outcome.errors)")
  }

  @Test("The printed model has the clock of the options")
  func clock() {
    let model = run(
      "-e", "count()", "--event-time", "value.t", "--unit", "s", "--lateness", "5", "--print-model"
    ).output
    #expect(model.contains(#""time": { "expression": "value.t", "unit": "s", "lateness": 5 }"#), "\(model)")
  }

  @Test("A diagram needs an end, or a file with times")
  func marbles() {
    folder.add(
      "t.json",
      #"{"inputs": {"a": {"time": {"expression": "value.t"}}}, "source": {"input": {"name": "a"}}}"#)
    #expect(run("t.json", "--format", "marbles", input: "{\"t\": 1}\n").output.hasPrefix("[a|]\n"))
    let live = run("-e", "count()", "--format", "marbles", input: "1\n")
    #expect(live.code == 2 && live.errors.contains("--virtual"), "\(live.errors)")
  }

  @Test("A time in the form of SQL is answered with the function that reads it")
  func times() {
    let outcome = run(
      "-e", "count()", "--input-format", "csv", "--event-time", "timestamp(value.when)",
      input: "when\n2024-01-01 00:00:05\n")
    #expect(outcome.errors.contains("write parseTime(value.when, 'yyyy-MM-dd HH:mm:ss')"), "\(outcome.errors)")
    let index = run("-e", "count()", "--items", "/a/0/r", input: "{\"a\": [{\"r\": [1]}]}")
    #expect(index.errors.contains("'/a' is an array"), "\(index.errors)")
  }

  @Test("Other JSON in a folder is left out")
  func folders() {
    folder.addFolder("f")
    folder.addFolder("f/node_modules")
    for (name, text) in [
      ("s.json", #"{"stream": [{"value": 1}]}"#), ("node_modules/s.json", #"{"stream": 1}"#), ("empty.json", ""),
      ("lines.json", "{\"a\": 1}\n{\"a\": 2}\n"), ("tsconfig.json", "// c\n{\"compilerOptions\": {}}\n"),
      ("geo.json", #"{"type": "FeatureCollection", "source": "usgs"}"#),
    ] {
      folder.add("f/\(name)", text)
    }
    let outcome = run("validate", "f")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("4 other JSON files"))
    folder.add("f/torn.json", "{\"source\": ")
    #expect(run("validate", "f").code != 0)
  }
}
