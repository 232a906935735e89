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
      ("[1] | merge([(range(3, 4))])", "write merge((range(3, 4))), or merge(with: [(range(3, 4))])"),
      ("[1] | zip([range(3, 4), b])", "write zip(range(3, 4), b), or zip(with: [range(3, 4), b])"),
      ("[1] | merge(with: range(3, 4))", "write [range(3, 4)]"), ("[1] | flatMap([just(1)])", "write just(1) without"),
      ("[1] | merge([(rnge(3, 4))])", "did you mean 'range'?"),
      ("[1] | groupBy(value, [filter(true), count()])", "write (filter(true) | count())"),
    ] {
      let outcome = run("-e", text)
      #expect(outcome.code == 2 && outcome.errors.contains(help), "\(outcome.errors)")
    }
    #expect(run("-e", "[1] | merge([2, 3])").output == "1\n2\n3\n")
    #expect(run("-e", "[1] | merge([true])").output == "1\ntrue\n")
  }

  @Test("A length of time or a word in quotation marks belongs to another argument")
  func quotedArguments() {
    for (text, help) in [
      (#"window("5m", count())"#, "write seconds: 5m"), ("window(5m, count())", "write seconds: 5m"),
      ("sort(-value.a, limit: 3)", "write sort(limit: …, by: -value.a)"),
    ] {
      let outcome = run("-e", text)
      #expect(outcome.code == 2 && outcome.errors.contains("= help: \(help)\n"), "\(outcome.errors)")
    }
  }

  @Test(
    "An option that does not exist is named, whatever else its value breaks",
    arguments: [
      (["-e", "count()", "--inptu", "x.csv"], "'--inptu'. Did you mean '--input'?"),
      (["-e", "count()", "-input", "x.csv"], "'-input'. Did you mean '--input'?"),
      (["-e", "count()", "--limitt=3", "x.csv"], "'--limitt'. Did you mean '--limit'?"),
      (["show", "-e", "count()", "--evry", "3"], "'--evry'. Did you mean '--every'?"),
      (["diff", "x.csv", "--behaviour"], "'--behaviour'. Did you mean '--behavior'?"),
    ])
  func unknownOptions(_ arguments: [String], _ message: String) {
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == 2 && outcome.errors.hasPrefix("Error: Unknown option \(message)\n"), "\(outcome.errors)")
  }

  @Test("A length of time with a unit is converted for each option that takes seconds")
  func seconds() {
    for (option, seconds) in [("--lateness", "300"), ("--max-jump", "300"), ("--idle", "300"), ("--for", "300")] {
      let outcome = run("-e", "count()", "--event-time", "value.t", option, "5m")
      #expect(outcome.errors.contains("help: write \(option) \(seconds), in seconds"), "\(outcome.errors)")
    }
  }

  @Test(
    "A file of data in the place of a stream file is named by --input",
    arguments: [
      ("x.csv", "a stream file is JSON, and 'x.csv' is a table"),
      ("l.ndjson", "a stream file is JSON, and 'l.ndjson' is data"),
      ("list.json", "expected a stream, which is an object; found an array"), ("o.json", "a stream needs 'stream'"),
      ("l.json", "the JSON value ends before '{'"), ("t.log", "a stream file is JSON, and 't.log' is data"),
    ])
  func dataAsStream(_ file: String, _ message: String) {
    folder.add("l.ndjson", "{\"a\":1}\n{\"a\":2}\n")
    folder.add("l.json", "{\"a\":1}\n{\"a\":2}\n")
    folder.add("list.json", "[{\"a\":1}]")
    folder.add("o.json", "{\"a\":1,\"b\":2}")
    folder.add("t.log", "a b\n")
    for command in [[], ["validate"], ["show"], ["test"]] {
      let outcome = Subprocess.run(command + [file], in: folder.path)
      #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
      #expect(outcome.errors.contains("streamrun -e 'map(value)' --input \(file)"), "\(outcome.errors)")
    }
    #expect(
      run("-", input: "{\"a\":1}\n{\"a\":2}\n").errors.contains("for data, write streamrun -e 'map(value)', with"))
  }

  @Test("YAML is converted, and a broken stream file is not taken for data")
  func otherFiles() {
    folder.add("s.yaml", "source:\n  range: {}\n")
    folder.add("broken.json", #"{"source": {"range": {"from": 1}}, "opertors": []}"#)
    #expect(run("s.yaml").errors.contains("yq -o=json . s.yaml > stream.json"))
    #expect(!run("broken.json").errors.contains("--input"))
  }

  @Test("Workbooks and patterns with braces have a cure")
  func inputs() {
    let archive: [UInt8] =
      Array("PK".utf8) + [3, 4] + Array(repeating: 0, count: 26) + Array("[Content_Types].xml".utf8)
    Fixture.write(archive, to: folder.path("x.xlsx"))
    #expect(run("-e", "count()", "--input", "x.xlsx").errors.contains("save the sheet as CSV"))
    #expect(run("-e", "count()", "--input", "{x,y}.csv").errors.contains("has *, ? and [ ]"))
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
