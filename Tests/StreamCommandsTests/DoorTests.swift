import TestSupport
import Testing

/// The same mistake has the same outcome through every command that reads a stream, an input or data.
@Suite struct DoorTests {
  private let folder = Fixture.Folder()

  @Test(
    "Wrong data in a file of the format json end with exit code 2, and are explained",
    arguments: [
      (#"{"results": [1, 2]}"#, "an object with an array in 'results'", "jq -c '.results[]' FILE"),
      (#"{"a": {"b": [1]}, "my list": [1]}"#, "an object with an array in 'my list'", #"jq -c '.["my list"][]' FILE"#),
      (#"{"a": "[", "b": {}}"#, "does not begin with an array", "ndjson"),
      ("{", "does not begin with an array", "ndjson"),
      ("", "is empty", "'[]'"), (" \n\t ", "is empty", "'[]'"), ("5", "does not begin with an array", "ndjson"),
      ("\u{e9}", "does not begin with an array", "ndjson"), ("[1, 2", "ends inside an array", "]"),
      ("[1] 2", "continues after the end", "remove"),
    ])
  func wrongList(_ text: String, _ message: String, _ help: String) {
    folder.add("data.json", text)
    folder.add("s.json", #"{"source": {"file": {"path": "data.json", "format": "json"}}}"#)
    let append = #"{"append": {"with": [{"source": {"stream": {"file": "s.json"}}}]}}"#
    folder.add("later.json", #"{"stream": [], "operators": [\#(append)]}"#)
    for arguments in [["s.json"], ["s.json", "--virtual"], ["later.json"], ["bench", "s.json"]] {
      let outcome = Subprocess.run(arguments, in: folder.path)
      #expect(outcome.code == 2, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(help), "\(arguments): \(outcome.errors)")
    }
  }

  @Test(
    "A NUL character and UTF-16 are reported by name",
    arguments: [
      ("1\0\n", false), ("\0\n", false), ("\01\n", false), ("1\0\0\n", false),
      ("{\0\"\0a\0\"\0:\01\0}\0\n\0", true), ("\0{\0\"\0a\0\"\0:\01\0}\0\n", true),
    ])
  func nulls(_ text: String, _ isUTF16: Bool) {
    folder.add("i.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    folder.add("data", text)
    for format in ["ndjson", "json", "csv"] {
      folder.add("\(format).json", #"{"source": {"file": {"path": "data", "format": "\#(format)"}}}"#)
    }
    for (arguments, isLines) in [(["i.json"], true), (["ndjson.json"], true), (["json.json"], false)] {
      let outcome = Subprocess.run(arguments, input: text, in: folder.path)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("UTF-16") == isUTF16, "\(arguments): \(outcome.errors)")
      if isLines, !isUTF16 { #expect(outcome.errors.contains("control character 0x00"), "\(outcome.errors)") }
    }
  }

  @Test(
    "Every command refuses a file that requires what no host can offer",
    arguments: [
      ["s.json"], ["validate", "s.json"], ["test", "s.json"], ["show", "s.json"], ["bench", "s.json"],
      ["explain", "s.json"],
    ])
  func requires(_ arguments: [String]) {
    folder.add("s.json", #"{"requires": ["acme.smooth", "rateLimitt", "rateLimit"], "stream": [{"value": 1}]}"#)
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error S121: the file requires 'acme.smooth', which this host does not have"))
    #expect(outcome.errors.contains("did you mean 'rateLimit'?"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("requires 'rateLimit',"))
  }

  @Test("A hook or a function that a file requires and uses is accepted where it is handled")
  func requiredHooks() {
    folder.add(
      "hook.json",
      #"""
      {"requires": ["app.log"], "stream": [{"value": 1}],
       "operators": [{"handleEvents": {"receiveOutput": "app.log"}}]}
      """#)
    folder.add(
      "call.json", #"{"requires": ["app.ask"], "source": {"call": {"function": "app.ask"}}}"#)
    #expect(Subprocess.run(["hook.json"], in: folder.path).output == "1\n")
    for file in ["hook.json", "call.json"] {
      #expect(Subprocess.run(["validate", file], in: folder.path).code == 0, "\(file)")
    }
    #expect(Subprocess.run(["call.json"], in: folder.path).errors.contains("this host has no function 'app.ask'"))
  }

  @Test("A partition without a key has one error, and 'by' is known")
  func partitionBy() {
    for (partition, errors) in [
      (#"{"by": "value.k"}"#, ["error S101: unknown member 'by' in a partition", "did you mean 'key'?"]),
      ("{}", ["error S103: a partition needs 'key'"]), (#"{"key": 5}"#, ["error S102: 'key' is "]),
    ] {
      folder.add(
        "s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": \#(partition)}"#)
      let outcome = Subprocess.run(["validate", "s.json"], in: folder.path)
      #expect(outcome.code == 2)
      #expect(outcome.errors.occurrences(of: "error S") == 1, "\(outcome.errors)")
      for error in errors { #expect(outcome.errors.contains(error), "\(outcome.errors)") }
    }
  }

  @Test("Each key of a partition reads a file of data")
  func partitionFile() {
    folder.add("b.csv", "n\nx\n")
    folder.add(
      "s.json",
      #"""
      {"inputs": {"a": {}}, "streams": {"c": {"source": {"file": {"path": "b.csv", "format": "csv"}}}},
       "source": {"input": {"name": "a"}}, "partition": {"key": "value.k"},
       "operators": [{"withLatestFrom": {"with": ["c"]}}, {"map": {"expression": "[key, value[1].n]"}}]}
      """#)
    let outcome = Subprocess.run(["s.json"], input: "{\"k\":1}\n{\"k\":2}\n", in: folder.path)
    #expect(outcome == Outcome(output: "[1,\"x\"]\n[2,\"x\"]\n", errors: "", code: 0))
  }

  @Test("Paths in a stream file that comes through a pipe are relative to the working directory, also in messages")
  func pipedPaths() {
    folder.add("b.csv", "a,a\n1,2\n")
    folder.add("s.json", #"{"source": {"file": {"path": "b.csv", "format": "csv"}}}"#)
    for command in ["cat s.json | streamrun /dev/fd/0", "streamrun - < s.json", "cat s.json | streamrun -"] {
      let said = Subprocess.shell(command, in: folder.path)
      #expect(said.hasPrefix("b.csv:1:3: error S003: the name 'a' appears twice in the first row"), "\(said)")
    }
  }

  @Test("Standard input feeds the only input that nothing else feeds and that has no initial value")
  func standardInput() {
    folder.add(
      "s.json",
      #"""
      {"inputs": {"e": {}, "p": {"initialValue": 5}, "q": {}}, "source": {"input": {"name": "e"}},
       "operators": [{"withLatestFrom": {"with": ["p", "q"]}}, {"map": {"expression": "value[0]"}}]}
      """#)
    folder.add("q.ndjson", "7\n")
    let both = Subprocess.run(["s.json"], input: "1\n", in: folder.path)
    #expect(both.code == 2)
    #expect(both.errors.contains("nothing feeds the input 'e'"), "\(both.errors)")
    #expect(both.errors.contains("write --input e=FILE; --input e=- reads standard input"), "\(both.errors)")
    for arguments in [["--set", "q=7"], ["--set", "q=7", "--set", "p=6"], ["--input", "e=-", "--set", "q=1"]] {
      let outcome = Subprocess.run(["s.json"] + arguments, input: "1\n2\n", in: folder.path)
      #expect(outcome.output == "1\n2\n", "\(outcome.errors)")
    }
  }

  @Test(
    "A warning about an expression is reported once by every command that compiles the file",
    arguments: [
      ["s.json"], ["validate", "s.json"], ["test", "s.json"], ["show", "s.json"], ["bench", "s.json"],
      ["explain", "s.json"], ["diff", "--behavior", "s.json", "s.json"],
    ])
  func remarks(_ arguments: [String]) {
    folder.add(
      "s.json",
      #"""
      {"stream": [{"value": 1}], "operators": [{"map": {"expression": "value // 2"}}],
       "tests": [{"name": "t", "expect": {"values": [1]}}]}
      """#)
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.occurrences(of: "warning S201") == 1, "\(outcome.errors)")
  }

  @Test(
    "Help for an address or a pattern can be followed",
    arguments: [
      (["s.json", "--input", "a=https://x/y"], "pipe the data in: curl -sN 'https://x/y' | streamrun FILE"),
      (["s.json", "--input", "a=s3://x/y"], "pipe the data in: aws s3 cp 's3://x/y' - | streamrun FILE"),
      (["s.json", "--input", "a=kafka://x"], "pipe the data in: kcat -C -b BROKER -t TOPIC | streamrun FILE"),
      (["https://x/s.json"], "download the file first: curl -sSLo FILE 'https://x/s.json'"),
      (["validate", "*.jsonx"], "help: no file matches the pattern\n"),
      (["s.json", "--limit", "1e3"], "write --limit 1000"), (["s.json", "--first", "3"], "write --limit 3"),
      (["s.json", "--memory", "1GiB"], "write --memory 1GB"),
      (["show", "s.json", "--every", "1s"], "write --every 1, in seconds"),
      (["test", "s.json", "--budget", "1k"], "write --budget 1000"), (["-v"], "did you mean 'streamrun --version'?"),
    ])
  func argumentHelp(_ arguments: [String], _ help: String) {
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(help), "\(outcome.errors)")
  }

  @Test(
    "The separator of a table is that of its first row",
    arguments: ["a|b\n1|2\n", "a;b\n1;2\n", "\"a\";\"b\"\n1;2\n", "a\tb\n1\t2\n"])
  func separators(_ text: String) {
    folder.add("data.csv", text)
    folder.add("s.json", #"{"source": {"file": {"path": "data.csv", "format": "csv"}}}"#)
    let outcome = Subprocess.run(["s.json"], in: folder.path)
    #expect(outcome == Outcome(output: "{\"a\":\"1\",\"b\":\"2\"}\n", errors: "", code: 0))
  }

  @Test("Help for a subcommand that does not exist is an error")
  func unknownHelp() {
    let outcome = Subprocess.run(["help", "validat"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("there is no subcommand 'validat'"))
    #expect(outcome.errors.contains("did you mean 'streamrun validate'?"))
    #expect(Subprocess.run(["help", "validate"]).code == 0)
  }

  @Test("Streams and inputs that nothing uses are warned of")
  func unusedNames() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"""
      {"inputs": {"a": {}, "b": {"initialValue": 1}, "c": {}},
       "streams": {"u": {"source": {"just": {"value": 1}}}, "v": {"source": {"input": {"name": "c"}}}},
       "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": ["v"]}}]}
      """#)
    folder.add(
      "p.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "value"}, "operators": []}"#)
    // A stream that a test replaces uses the input all the same.
    folder.add(
      "t.json",
      #"""
      {"inputs": {"a": {}}, "streams": {"s": {"source": {"input": {"name": "a"}}}}, "source": {"stream": {"name": "s"}},
       "tests": [{"name": "t", "inputs": {"s": {"values": [1]}}, "expect": {"values": [1]}}]}
      """#)
    let outcome = Subprocess.run(["validate", "s.json", "p.json", "t.json"], in: folder.path)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("warning S124: nothing uses the stream 'u'"), "\(outcome.errors)")
    #expect(outcome.errors.contains("warning S124: nothing uses the input 'b'"))
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("S124") } == 2)
  }

  @Test("'//' behind an expression, and a negative index, are warned of")
  func remarks() {
    func file(_ expression: String) {
      folder.add(
        "s.json", #"{"stream": [{"value": [7]}], "operators": [{"map": {"expression": "\#(expression)"}}]}"#)
    }
    for (expression, warning) in [
      ("value[0] // 2", "warning S201: '//' begins a comment, so the rest of the line is not evaluated"),
      ("value[-1] == 1 || true", "warning S210: a list has no negative index"),
    ] {
      file(expression)
      for command in [["validate", "s.json"], ["run", "s.json"]] {
        let outcome = Subprocess.run(command, in: folder.path)
        #expect(outcome.errors.contains("s.json:1:") && outcome.errors.contains(warning), "\(outcome.errors)")
        #expect(outcome.errors.occurrences(of: "warning S") == 1)
        #expect(outcome.code == 0)
      }
    }
    for expression in [
      #"// a comment\nvalue"#, #"value\n// a comment"#, "'http://x'", "value.map(x, -1)", "[-1]", "value [0]",
    ] {
      file(expression)
      #expect(Subprocess.run(["validate", "s.json"], in: folder.path).errors == "1 file, all valid\n", "\(expression)")
    }
    #expect(Subprocess.run(["eval", "7 // 2"]).errors.contains("warning S201"))
  }
}

extension String {
  fileprivate func occurrences(of part: String) -> Int { ranges(of: part).count }
}
