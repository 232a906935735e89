import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Applied definitions and files: the places in messages, bound inputs, and checks of definitions and arguments.
@Suite struct ReferenceTests {
  private struct Result {
    var values: [String] = []
    /// The codes and places of errors and warnings, then their messages, notes and help.
    var problems: [String] = []
  }

  private func run(
    _ text: String, files: [String: String] = [:], set: [String: String] = [:], host: StreamHost = StreamHost()
  ) -> Result {
    var result = Result()
    let remarks = RemarkLog()
    var options = CompileOptions(loader: FilesInMemory(files: files), host: host)
    options.remarks = remarks
    for (name, text) in set {
      options.arguments[name] = ParameterArgument(.text(text), origin: "--set \(name)=\(text)")
    }
    do throws(Diagnostics) {
      let stream = try StreamFile(JSONDocument(reading: text, file: "a.json"), identity: "a.json")
      let pipeline = try stream.compile(options)
      if !host.isInspecting {
        let texts = VirtualRun(Execution(pipeline), eventLimit: 1_000).run().texts()
        result.values = texts.filter { !$0.hasPrefix("|") }.map { String($0.prefix { $0 != "@" }) }
      }
      try TestRunner(stream, options: options).validate()
    } catch {
      result.problems = error.all.map(Self.text)
    }
    result.problems += remarks.all.map(Self.text)
    return result
  }

  private static func text(_ problem: Diagnostic) -> String {
    let rest = ([problem.message] + problem.notes + [problem.help].compactMap(\.self)).joined(separator: " | ")
    return "\(problem.code.rawValue) \(problem.pointer) \(rest)"
  }

  // MARK: Places

  @Test("An error in nested definitions and files names the places of all references, innermost first")
  func nestedPlaces() {
    let files = [
      "leaf.json":
        #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}, "operators": [{"map": {"expression": "valu"}}]}"#,
      "mid.json":
        #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}, "operators": [{"apply": {"file": "leaf.json"}}]}"#,
    ]
    let file =
      #"{"definitions": {"d": {"operators": [{"apply": {"file": "mid.json"}}]}}, "stream": [], "#
      + #""operators": [{"apply": {"definition": "d"}}]}"#
    let problems = run(file, files: files).problems
    #expect(problems.count == 1, "\(problems)")
    let notes = [
      #"in the file "leaf.json", which is applied at mid.json:1:73"#,
      #"in the file "mid.json", which is applied at a.json:1:38"#,
      "in the definition 'd', which is applied at a.json:1:102",
    ]
    #expect(problems[0].contains(notes.joined(separator: " | ")), "\(problems)")
  }

  @Test("An error in a file that is a source names the place of the source, also an error of its text, once")
  func sourcePlaces() {
    let leaf =
      #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}, "operators": [{"map": {"expression": "valu"}}]}"#
    let file = #"{"source": {"stream": {"file": "leaf.json"}}}"#
    let found = run(file, files: ["leaf.json": leaf]).problems
    #expect(
      found.count == 1 && found[0].contains(#"in the file "leaf.json", which is used at a.json:1:32"#), "\(found)")
    let twice =
      #"{"inputs": {"x": {}}, "source": {"stream": {"file": "leaf.json"}}, "operators": [{"apply": {"file": "leaf.json"}}]}"#
    let broken = leaf.replacing("expression", with: "expresion")
    let once = run(twice, files: ["leaf.json": broken]).problems
    #expect(once.count == 1, "\(once)")
    #expect(once[0].hasPrefix("S101 /operators/0/map/expresion "), "\(once)")
    #expect(once[0].contains(#"in the file "leaf.json", which is used at a.json:1:53"#), "\(once)")
  }

  // MARK: Inputs

  private static let added =
    #"{"inputs": {"x": {}, "rate": {}}, "source": {"input": {"name": "x"}}, "operators": "#
    + #"[{"combineLatest": {"with": ["rate"]}}]}"#

  @Test("An input of an applied file that has the name of another input is a warning, unless it is bound")
  func appliedInputs() {
    let head =
      #"{"inputs": {"rate": {}}, "streams": {"r": {"stream": [{"value": 9}]}}, "stream": [{"value": 1}], "operators": [{"apply": "#
    let plain = run(head + #"{"file": "in.json"}}]}"#, files: ["in.json": Self.added])
    let warnings = plain.problems.filter { $0.hasPrefix("S118") }
    #expect(warnings.count == 1 && warnings[0].hasPrefix("S118 /operators/0/apply/file "), "\(plain.problems)")
    #expect(warnings[0].contains(#"write "inputs": {"rate": "rate"} beside "file""#), "\(warnings)")
    let bound = run(head + #"{"file": "in.json", "inputs": {"rate": "r"}}}]}"#, files: ["in.json": Self.added])
    #expect(bound.values == ["[1,9]"])
    #expect(bound.problems.allSatisfy { $0.hasPrefix("S124") }, "\(bound.problems)")
  }

  @Test("A file that is applied twice has one input of a name, without a warning")
  func appliedTwice() {
    let apply = #"{"apply": {"file": "in.json"}}"#
    let result = run(
      #"{"stream": [{"value": 1}], "operators": ["# + "\(apply), \(apply)]}", files: ["in.json": Self.added])
    #expect(result.problems.isEmpty, "\(result.problems)")
  }

  @Test(
    "Wrong bindings of an applied file are refused",
    arguments: [
      (#"{"x": "r"}"#, "S111 /operators/0/apply/inputs/x"), (#"{"rat": "r"}"#, "S301 /operators/0/apply/inputs/rat"),
      (#"{"rate": "q"}"#, "S109 /operators/0/apply/inputs/rate"), ("3", "S102 /operators/0/apply/inputs"),
      (#"{"rate": 3}"#, "S102 /operators/0/apply/inputs/rate"),
    ])
  func wrongBindings(_ inputs: String, _ beginning: String) {
    let file =
      #"{"streams": {"r": {"stream": [{"value": 9}]}}, "stream": [], "operators": "#
      + #"[{"apply": {"file": "in.json", "inputs": "# + inputs + "}}]}"
    let found = run(file, files: ["in.json": Self.added]).problems
    #expect(found.count == 1 && found[0].hasPrefix(beginning), "\(found)")
  }

  @Test("A clock of a bound input that has no effect is a warning, unless an input of this file has it too")
  func boundClocks() {
    let time = #""time": {"expression": "value.t", "lateness": 5, "late": "output"}"#
    let file = #"{"inputs": {"x": {\#(time)}}, "source": {"input": {"name": "x"}}}"#
    let used = #""source": {"stream": {"file": "in.json", "inputs": {"x": "y"}}}}"#
    let applied = #""source": {"input": {"name": "y"}}, "operators": [{"apply": {"file": "in.json"}}]}"#
    for (rest, place) in [(used, "/source/stream/inputs/x"), (applied, "/operators/0/apply")] {
      let plain = run(#"{"inputs": {"y": {}}, "# + rest, files: ["in.json": file]).problems
      #expect(plain.count == 1 && plain[0].hasPrefix("S305 \(place) the 'time' of the input 'x'"), "\(plain)")
      let same = run(#"{"inputs": {"y": {\#(time)}}, "# + rest, files: ["in.json": file]).problems
      #expect(same.isEmpty, "\(same)")
    }
  }

  @Test("Late values of a bound input are those of the input that feeds it")
  func boundLateValues() throws {
    let time = #""time": {"expression": "value.t", "lateness": 5, "late": "output"}"#
    let file = #"{"inputs": {"x": {"type": {"t": "int"}}}, "source": {"input": {"name": "x", "late": true}}}"#
    let text = #"{"inputs": {"y": {\#(time)}}, "source": {"stream": {"file": "in.json", "inputs": {"x": "y"}}}}"#
    let stream = try StreamFile(JSONDocument(reading: text, file: "a.json"), identity: "a.json")
    let pipeline = try stream.compile(CompileOptions(loader: FilesInMemory(files: ["in.json": file])))
    #expect(pipeline.inputs.map(\.name) == ["y", "y (late)"])
  }

  // MARK: Definitions

  @Test(
    "A definition that nothing applies is checked as a whole",
    arguments: [
      (#"{"map": {"expression": "valu +"}}"#, "S201 /definitions/d/operators/0/map/expression"),
      (#"{"map": {"expression": "other"}}"#, "S202 /definitions/d/operators/0/map/expression"),
      (#"{"merge": {"with": ["q"]}}"#, "S109 /definitions/d/operators/0/merge/with/0"),
      (#"{"apply": {"definition": "d"}}"#, "S110 /definitions/d/operators/0/apply"),
      (#"{"apply": {"definition": "e"}}"#, "S103 /definitions/d/operators/0/apply"),
      (#"{"prefix": {"count": {"parameter": "m"}}}"#, "S202 /definitions/d/operators/0/prefix/count/parameter"),
      (#"{"debounce": {"seconds": {"parameter": "s"}}}"#, "S102 /definitions/d/operators/0/debounce/seconds"),
    ])
  func unused(_ part: String, _ beginning: String) {
    let file =
      #"{"definitions": {"d": {"parameters": {"s": {"type": "string"}}, "operators": [PART]}, "#
      + #""e": {"parameters": {"n": {"type": "int"}}, "operators": [{"map": {"expression": "value + n"}}]}}, "stream": []}"#
    let found = run(file.replacing("PART", with: part)).problems.filter { !$0.hasPrefix("S124") }
    #expect(found.count == 1 && found[0].hasPrefix(beginning), "\(found)")
  }

  @Test("An unused definition that is right has no errors, and leaves nothing in the pipeline")
  func unusedAndRight() throws {
    let file =
      #"{"definitions": {"d": {"parameters": {"n": {"type": "int"}, "t": {"type": "duration"}, "z": {"type": "string"}}, "#
      + #""operators": [{"filter": {"expression": "value.matches(z) && n > 0 && t > duration('1ms')"}}, {"share": {}}, "#
      + #"{"prefix": {"count": {"parameter": "n"}}}, {"apply": {"file": "in.json"}}]}}, "stream": []}"#
    let options = CompileOptions(loader: FilesInMemory(files: ["in.json": Self.added]))
    let stream = try StreamFile(JSONDocument(reading: file, file: "a.json"), identity: "a.json")
    #expect(try stream.compile(options).inputs.isEmpty)
    #expect(run(file, files: ["in.json": Self.added]).problems.map { $0.prefix(4) } == ["S124"])
  }

  @Test("An operator with the name of a definition has help")
  func definitionAsOperator() {
    let file =
      #"{"definitions": {"smooth": {"parameters": {"w": {}, "k": {"default": 1}}, "operators": []}}, "stream": [], "#
      + #""operators": [{"smooth": {}}]}"#
    let found = run(file).problems
    #expect(found.count == 1 && found[0].hasPrefix("S105"), "\(found)")
    #expect(found[0].contains(#"write {"apply": {"definition": "smooth", "w": …}}"#), "\(found)")
  }

  @Test("A definition cannot have a parameter with the name of a field of 'apply'", arguments: ["definition", "file"])
  func reservedNames(_ name: String) {
    let found = run(
      #"{"definitions": {"d": {"parameters": {"NAME": {}}, "operators": []}}, "stream": []}"#
        .replacing("NAME", with: name)
    ).problems
    #expect(found.first?.hasPrefix("S112 /definitions/d/parameters/\(name)") == true, "\(found)")
  }

  @Test("A test of a definition that lacks an argument is the place of the error")
  func testWithoutArgument() {
    let file =
      #"{"definitions": {"d": {"parameters": {"n": {"type": "int"}, "m": {"type": "int"}}, "operators": [{"map": "#
      + #"{"expression": "value + n + m"}}], "tests": [{"name": "t", PART"inputs": {"values": {"values": [1]}}, "#
      + #""expect": {"values": [2]}}]}}, "stream": [], "operators": [{"apply": {"definition": "d", "n": 1, "m": 2}}]}"#
    let none = run(file.replacing("PART", with: "")).problems
    #expect(none.count == 1 && none[0].hasPrefix("S103 /definitions/d/tests/0 "), "\(none)")
    #expect(none[0].contains(#"add "parameters": {"n": 1} to the test"#), "\(none)")
    let one = run(file.replacing("PART", with: #""parameters": {"n": 1}, "#)).problems
    #expect(one.count == 1 && one[0].hasPrefix("S103 /definitions/d/tests/0/parameters "), "\(one)")
    #expect(one[0].contains(#"add "m": 1"#), "\(one)")
  }

  // MARK: Parameters

  @Test(
    "The name of a parameter within a value is data, and a warning",
    arguments: [
      (
        #"{"scan": {"initialValue": {"limit": {"parameter": "p"}}, "expression": "acc"}}"#,
        "/operators/1/scan/initialValue/limit"
      ),
      (
        #"{"merge": {"with": [{"source": {"sequence": {"values": [1, {"parameter": "p"}]}}}]}}"#,
        "/operators/1/merge/with/0/source/sequence/values/1"
      ),
      (
        #"{"merge": {"with": [{"stream": [{"value": {"parameter": "p"}}]}]}}"#,
        "/operators/1/merge/with/0/stream/0/value"
      ),
      (#"{"apply": {"definition": "d", "n": {"x": [{"parameter": "p"}]}}}"#, "/operators/1/apply/n/x/0"),
      (#"{"scan": {"initialValue": {"parameter": "q"}, "expression": "acc"}}"#, ""),
      (#"{"scan": {"initialValue": [{"parameter": "other"}], "expression": "acc"}}"#, ""),
      (#"{"apply": {"definition": "d", "n": {"parameter": "p"}}}"#, ""),
      (#"{"groupBy": {"key": "value", "operators": [{"prefix": {"count": {"parameter": "p"}}}]}}"#, ""),
      (#"{"merge": {"with": [{"source": {"sequence": {"values": {"parameter": "q"}}}}]}}"#, ""),
    ])
  func data(_ part: String, _ place: String) {
    let file =
      #"{"parameters": {"p": {"type": "int", "default": 5}, "q": {"default": [1]}}, "#
      + #""definitions": {"d": {"parameters": {"n": {}}, "operators": [{"map": {"expression": "n"}}]}}, "#
      + #""stream": [{"value": 1}], "operators": [{"filter": {"expression": "value < p && size(q) > 0"}}, PART, "#
      + #"{"apply": {"definition": "d", "n": 1}}]}"#
    let found = run(file.replacing("PART", with: part)).problems
    #expect(found.map { String($0.prefix { $0 != "{" }) } == (place.isEmpty ? [] : ["S120 \(place) "]), "\(found)")
  }

  @Test("A parameter that only another file or a definition uses under its name is not used")
  func usedElsewhere() {
    let inner =
      #"{"parameters": {"q": {"type": "int", "default": 1}}, "stream": [{"value": 1}], "operators": "#
      + #"[{"map": {"expression": "value * q"}}, {"prefix": {"count": {"parameter": "q"}}}]}"#
    let main = #"{"parameters": {"q": {"type": "int", "default": 2}}, "source": {"stream": {"file": "b.json"PART}}}"#
    let found = run(main.replacing("PART", with: ""), files: ["b.json": inner], set: ["q": "5"])
    #expect(found.values == ["1"])
    #expect(found.problems.count == 1 && found.problems[0].hasPrefix("S124 /parameters/q "), "\(found.problems)")
    #expect(found.problems[0].contains(#""parameters": {"q": {"parameter": "q"}} beside "file""#), "\(found.problems)")
    let given = main.replacing("PART", with: #", "parameters": {"q": {"parameter": "q"}}"#)
    let used = run(given, files: ["b.json": inner], set: ["q": "5"])
    #expect(used.values == ["5"] && used.problems.isEmpty, "\(used)")
    let shadowed = run(
      #"{"parameters": {"q": {"default": 2}}, "definitions": {"d": {"parameters": {"q": {}}, "operators": "#
        + #"[{"map": {"expression": "q"}}]}}, "stream": [], "operators": [{"apply": {"definition": "d", "q": 3}}]}"#)
    #expect(shadowed.problems.count == 1 && shadowed.problems[0].contains("in 'apply'"), "\(shadowed.problems)")
    let part = run(
      #"{"parameters": {"q": {"default": 2}}, "stream": [], "operators": [{"map": {"expression": "[value].map(quantity, quantity)"}}]}"#
    )
    #expect(part.problems.map { $0.prefix(4) } == ["S124"], "\(part.problems)")
  }

  @Test("A value that a definition passes on has its first origin in messages")
  func origin() {
    let file =
      #"{"parameters": {"p": {"type": "int", "default": 7}}, "definitions": {"h": {"parameters": {"k": {"type": "int"}}, "#
      + #""operators": [{"prefix": {"count": {"parameter": "k"}}}]}, "g": {"parameters": {"j": {"type": "int"}}, "#
      + #""operators": [{"apply": {"definition": "h", "k": {"parameter": "j"}}}]}}, "stream": [], "#
      + #""operators": [{"apply": {"definition": "g", "j": {"parameter": "p"}}}]}"#
    let found = run(file, set: ["p": "-1"]).problems
    #expect(
      found.count == 1 && found[0].contains("--set p=-1, as the parameter 'j' of the definition 'g', as"), "\(found)")
    let mismatch = file.replacing(#""k": {"type": "int"}"#, with: #""k": {"type": "string"}"#)
      .replacing(#"{"prefix": {"count": {"parameter": "k"}}}"#, with: #"{"map": {"expression": "k"}}"#)
    let wrong = run(mismatch, set: ["p": "3"]).problems
    #expect(wrong.count == 1 && wrong[0].contains("--set p=3, as the parameter 'j'"), "\(wrong)")
    // An assumed value is not held against the file.
    let inspected = file.replacing(#", "default": 7"#, with: "").replacing(#""type": "int""#, with: #""type": "uint""#)
    #expect(run(inspected, host: .any).problems.isEmpty)
  }

  @Test("A duration is a length in seconds where a field has one")
  func durations() {
    let file =
      #"{"parameters": {"quiet": {"type": "duration", "default": "1m30s"}}, "source": {"timer": {"every": "#
      + #"{"parameter": "quiet"}, "count": 1}}, "operators": [{"map": {"expression": "string(quiet)"}}]}"#
    #expect(run(file).values == [#""90s""#])
    let negative = run(file, set: ["quiet": "-5m"]).problems
    #expect(negative.count == 1 && negative[0].contains("--set quiet=-5m: 'every' is -300"), "\(negative)")
    let field = #"{"parameters": {"quiet": {"type": "duration", "default": "5m"}}, "stream": [], "operators": "#
    let count = run(field + #"[{"prefix": {"count": {"parameter": "quiet"}}}]}"#).problems
    #expect(count.count == 1 && count[0].contains("but the parameter 'quiet' is declared as duration"), "\(count)")
  }

  @Test(
    "A parameter whose type does not fit the field is refused although it has no value",
    arguments: [
      ("count", "string", true), ("count", "bool", true), ("count", "int", false), ("count", "double", false),
      ("count", "int?", false), ("count", "dyn", false), ("count", "duration", true),
    ])
  func types(_ field: String, _ type: String, _ isRefused: Bool) {
    let file =
      #"{"parameters": {"p": {"type": "TYPE"}}, "stream": [], "operators": [{"prefix": {"FIELD": {"parameter": "p"}}}]}"#
      .replacing("TYPE", with: type).replacing("FIELD", with: field)
    let found = run(file, host: .any).problems
    #expect(found.map { $0.prefix(4) } == (isRefused ? ["S102"] : []), "\(found)")
  }

  @Test("The text null is null where the type allows it; the text in quotation marks is a string")
  func nullText() {
    func value(_ type: String, _ text: String) -> [String] {
      let file =
        #"{"parameters": {"p": {"type": TYPE}}, "stream": [{"value": 1}], "operators": [{"map": {"expression": "p"}}]}"#
      return run(file.replacing("TYPE", with: type), set: ["p": text]).values
    }
    #expect(value(#""string?""#, "null") == ["null"])
    #expect(value(#""string?""#, #""null""#) == [#""null""#])
    #expect(value(#""string""#, "null") == [#""null""#])
    #expect(value(#""int?""#, "null") == ["null"])
    #expect(value(#"{"enum": ["a", null]}"#, "null") == ["null"])
    #expect(value(#"{"enum": ["a", null]}"#, "a") == [#""a""#])
  }
}
