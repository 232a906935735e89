import CEL
import StreamCore
import StreamEditing
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Files with named outputs: reading, checking, running, comparing.
@Suite struct OutputsModelTests {
  private static let file = """
    {
      "inputs": { "level": { "type": "int" } },
      "streams": {
        "high": {
          "source": { "input": { "name": "level" } },
          "operators": [ { "filter": { "expression": "value > 5" } } ]
        }
      },
      "outputs": {
        "alerts": { "description": "What wakes someone.", "stream": "high", "type": "int" },
        "it's \\"all\\"": { "stream": "level" },
        "texts": {
          "stream": {
            "source": { "stream": { "name": "high" } },
            "operators": [ { "map": { "expression": "string(value)" } } ]
          }
        }
      },
      "tests": [
        {
          "name": "each output",
          "inputs": { "level": { "values": [ 1, 7 ] } },
          "expect": {
            "outputs": { "alerts": { "values": [ 7 ] }, "texts": { "marbles": "['7'|]" } }
          }
        }
      ]
    }
    """

  @Test("A file with outputs is read, written and formatted without a change")
  func roundTrip() throws {
    let document = try JSONDocument(reading: Self.file, file: "test.json")
    let model = try StreamModel(json: document.value)
    #expect(model.json == document.value)
    #expect(model.outputNames == ["alerts", "it's \"all\"", "texts"])
    #expect(model.outputs["alerts"]?.stream == "high")
    let formatted = try JSONDocument(reading: StreamFormat.text(of: document), file: "test.json")
    #expect(formatted.value == document.value)
    let coded = try ValueDecoder().decode(StreamModel.self, from: ValueEncoder().encode(model))
    #expect(coded == model)
    #expect(try TestRunner(stream(Self.file)).run().map(\.differences) == [[]])
  }

  @Test(
    "Mistakes have their places",
    arguments: [
      (#"{"outputs": {}}"#, ["S103 /outputs"]), (#"{"outputs": []}"#, ["S102 /outputs"]),
      (#"{"outputs": {"a": "b"}}"#, ["S102 /outputs/a"]), (#"{"outputs": {"a": {}}}"#, ["S103 /outputs/a"]),
      (#"{"outputs": {" ": {"stream": "i"}}}"#, ["S112 /outputs/ "]),
      (#"{"outputs": {"a": {"stream": "i", "x": 1, "x-y": 2}}}"#, ["S101 /outputs/a/x"]),
      (#"{"outputs": {"a": {"stream": "no"}}}"#, ["S109 /outputs/a/stream"]),
      (
        #"{"outputs": {"a": {"stream": {"source": {"just": {"value": 1}}}, "type": "text"}}}"#, ["S119 /outputs/a/type"]
      ),
      (
        #"{"outputs": {"a": {"stream": {"source": {"just": {"value": 1}}}, "type": "string"}}}"#,
        ["S203 /outputs/a/type"]
      ), (#"{"outputs": {"a": {"stream": {"source": {"just": {"value": 1}}}, "type": "double"}}}"#, []),
      (
        #"{"outputs": {"a": {"stream": "i"}}, "stream": [], "operators": [], "partition": {"key": "value"}}"#,
        ["S111 /stream", "S111 /operators", "S123 /partition"]
      ),
      (#"{"outputs": {"a": {"stream": {"outputs": {"b": {"stream": "i"}}}}}}"#, ["S111 /outputs/a/stream/outputs"]),
    ])
  func mistakes(_ members: String, _ expected: [String]) {
    let json = #"{"inputs": {"i": {}}, "# + members.dropFirst()
    #expect(problems(json) == expected)
  }

  @Test(
    "Values are tagged in order of arrival; the stream ends when all outputs have ended, and fails with one of them")
  func running() throws {
    let numbers = #"{"source": {"timer": {"every": 1, "count": 2}}}"#
    let late = #"{"source": {"timer": {"every": 1.5, "count": 2}}}"#
    let both = try run(#"{"outputs": {"a": {"stream": \#(numbers)}, "b": {"stream": \#(late)}}}"#)
    #expect(both == [#"{"a":0}@1000"#, #"{"b":0}@1500"#, #"{"a":1}@2000"#, #"{"b":1}@3000"#, "|@3000"])
    let failing = try run(
      #"{"outputs": {"a": {"stream": \#(numbers)}, "b": {"stream": {"source": {"fail": {"error": "no"}}}}}}"#)
    #expect(failing.count == 1)
    let demanded = try answers(
      #"{"outputs": {"a": {"stream": {"stream": [{"value": 1}, {"value": 2}]}}, "b": {"stream": {"stream": [{"value": 3}]}}}}"#,
      [1, 1, 2])
    #expect(demanded == [[#"{"a":1}"#], [#"{"b":3}"#], [#"{"a":2}"#, "|"]])
  }

  @Test("A door splits the values by output")
  func tags() throws {
    let model = try StreamModel(parsing: Self.file)
    let tags = try #require(OutputTags(model))
    let execution = Execution(try model.compile())
    execution.request(.unlimited)
    execution.send(7, to: 0, at: .zero)
    var found: [String] = []
    while let event = execution.next() {
      guard case .value(let value) = event else { continue }
      let (index, plain) = try #require(tags.output(of: value))
      found.append("\(index) \(plain)")
    }
    #expect(found == ["0 7", "1 7", "2 \"7\""])
    #expect(tags.output(of: ["other": 1]) == nil)
    #expect(tags.output(of: 1) == nil)
    #expect(OutputTags(StreamModel(source: .range(1...3))) == nil)
  }

  @Test("A stream of another file is one of its outputs")
  func files() throws {
    let files = FilesInMemory(files: ["two.json": Self.file, "one.json": #"{"stream": [{"value": 1}]}"#])
    func source(_ fields: String) -> String {
      #"{"inputs": {"level": {"type": "int"}}, "source": {"stream": \#(fields)}}"#
    }
    #expect(problems(source(#"{"file": "two.json", "output": "texts"}"#), loader: files) == [])
    #expect(problems(source(#"{"file": "two.json"}"#), loader: files) == ["S103 /source/stream"])
    #expect(
      problems(source(#"{"file": "two.json", "output": "alert"}"#), loader: files) == ["S109 /source/stream/output"])
    #expect(problems(source(#"{"file": "one.json", "output": "a"}"#), loader: files) == ["S109 /source/stream/output"])
    #expect(problems(source(#"{"name": "level", "output": "a"}"#), loader: files) == ["S111 /source/stream/output"])
    let both = """
      {"inputs": {"level": {"type": "int"}},
       "outputs": {"a": {"stream": {"source": {"stream": {"file": "two.json", "output": "alerts"}}}},
                   "b": {"stream": {"source": {"stream": {"file": "two.json", "output": "texts"}}}}}}
      """
    let execution = Execution(try stream(both).compile(CompileOptions(loader: files)))
    execution.request(.unlimited)
    execution.send(7, to: 0, at: .zero)
    var texts: [String] = []
    while let event = execution.next() { texts.append(event.text()) }
    #expect(texts == [#"{"a":7}"#, #"{"b":"7"}"#])
  }

  @Test("Outputs are compared and merged by name")
  func editing() throws {
    let document = try JSONDocument(reading: Self.file, file: "test.json")
    func edited(_ edits: StreamEdit...) throws -> JSONDocument {
      var editor = StreamEditor(document)
      try editor.apply(edits)
      return editor.document
    }
    let alerts = JSONPointer(["outputs", "alerts"])
    let ours = try edited(.set(alerts.appending("description"), JSONFragment("Wakes someone.")))
    let theirs = try edited(
      .remove(JSONPointer(["outputs", "it's \"all\""])),
      .set(JSONPointer(["outputs", "more"]), JSONFragment(["stream": "high"])))
    let diff = try StreamDiff(from: StreamModel(json: document.value), to: StreamModel(json: theirs.value))
    #expect(diff.lines == ["removed output 'it's \"all\"'", "added output 'more'"])
    #expect(diff.changes.map(\.subject) == [.output, .output])
    let merge = try StreamMerge(base: document.value, ours: ours.value, theirs: theirs.value)
    #expect(merge.conflicts.isEmpty)
    let merged = try StreamModel(json: merge.value)
    #expect(merged.outputNames == ["alerts", "texts", "more"])
    #expect(merged.outputs["alerts"]?.description == "Wakes someone.")
    let ids = try [document, ours, theirs].map { try StreamModel(json: $0.value).behaviorID }
    #expect(ids[0] == ids[1])
    #expect(ids[0] != ids[2])
  }

  @Test("Expectations stand per output; what a test lacks is compared no further, and a new expectation can be written")
  func expectations() throws {
    let text = Self.file.replacing(#""values": [ 7 ]"#, with: #""values": [ 8 ]"#)
    let outcome = try #require(try TestRunner(stream(text)).run().first)
    #expect(
      outcome.differences == [
        "output 'alerts':", "  expected  8|", "       got  7|", "            ^", "  expected 8", "       got 7",
        "  (expected 2 in all, got 2)",
      ])
    #expect(
      outcome.newExpectation == ["outputs": ["alerts": ["values": [7]], "texts": ["marbles": "['7'|]"]]])
    let unknown = Self.file.replacing(#""texts": { "marbles""#, with: #""text": { "marbles""#)
    let refusal = #expect(throws: Diagnostics.self) { try stream(unknown).validate() }
    #expect(refusal?.all.map { "\($0.code.rawValue) \($0.pointer)" } == ["S109 /tests/0/expect/outputs/text"])
    #expect(refusal?.all.first?.help == "did you mean 'texts'?")
    let mixed = Self.file.replacing(
      #""texts": { "marbles": "['7'|]" } }"#, with: #""texts": { "marbles": "['7'|]" } }, "values": []"#)
    #expect(problems(mixed) == ["S116 /tests/0/expect/values"])
    let fed = Self.file.replacing(#""level": { "values": [ 1, 7 ] }"#, with: #""level": { "outputs": {} }"#)
    #expect(problems(fed) == ["S116 /tests/0/inputs/level", "S101 /tests/0/inputs/level/outputs"])
  }

  @Test("The behavior of two files is compared output by output")
  func behavior() throws {
    let new = Self.file.replacing("value > 5", with: "value > 7")
    let diff = try BehaviorDiff(
      from: stream(Self.file), to: stream(new), oldOptions: CompileOptions(), newOptions: CompileOptions())
    let lines = try #require(diff.runs.first).differences
    #expect(lines.filter { $0.hasPrefix("output") } == ["output 'alerts':", "output 'texts':"])
    let fewer = Self.file.replacing(#""it's \"all\"": { "stream": "level" },"#, with: "")
    let other = try BehaviorDiff(
      from: stream(Self.file), to: stream(fewer), oldOptions: CompileOptions(), newOptions: CompileOptions())
    #expect(other.runs.first?.differences == [#"output 'it's "all"': only the old file has it"#])
  }

  @Test("Coverage names an output that no value reaches")
  func coverage() throws {
    let file = try stream(
      Self.file.replacing("[ 1, 7 ]", with: "[ ]").replacing("[ 7 ]", with: "[ ]").replacing("'7'|", with: "|"))
    let recorder = CoverageRecorder()
    var options = CompileOptions()
    options.coverage = recorder
    #expect(try TestRunner(file, options: options).run().map(\.differences) == [[]])
    let coverage = TestCoverage(recorder, in: file.document)
    #expect(coverage.uncovered.map(\.message).contains("output 'alerts': no value reaches it"))
    #expect(!coverage.uncovered.map(\.message).contains { $0.contains("operator 'alerts'") })
  }
}
