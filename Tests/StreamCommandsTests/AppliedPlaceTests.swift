import TestSupport
import Testing

/// An error of a running stream in a definition or in another file names the places that refer to it.
@Suite struct AppliedPlaceTests {
  private let folder = Fixture.Folder()

  private static let head = #"{"inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": "#

  init() {
    let divides = #"{"map": {"expression": "10 / value"}}"#
    folder.add(
      "definition.json",
      #"{"definitions": {"ratio": {"parameters": {"n": {"type": "int"}}, "operators": [{"map": {"expression": "10 / n"}}]}},"#
        + "\n" + #""inputs": {"a": {"type": "int"}}, "source": {"input": {"name": "a"}}, "operators": ["#
        + "\n" + #"{"apply": {"definition": "ratio", "n": 1}},"# + "\n"
        + #"{"apply": {"definition": "ratio", "n": 0}}]}"#)
    folder.add("leaf.json", Self.head + "[\(divides)]}")
    folder.add("mid.json", Self.head + "\n" + #"[{"apply": {"file": "leaf.json"}}]}"#)
    folder.add("top.json", Self.head + "\n\n" + #"[{"apply": {"file": "mid.json"}}]}"#)
    folder.add(
      "source.json",
      #"{"inputs": {"b": {"type": "int"}}, "source": {"stream": {"file": "leaf.json", "inputs": {"a": "b"}}}}"#)
    folder.add(
      "twice.json",
      #"{"source": {"stream": {"file": "leaf.json"}},"# + "\n"
        + #" "operators": [{"merge": {"with": [{"source": {"stream": {"file": "leaf.json"}}}]}}]}"#)
  }

  private func run(_ arguments: [String]) -> Outcome { Subprocess.run(arguments, input: "0\n", in: folder.path) }

  @Test(
    "The end of a run names both places",
    arguments: [
      ("definition.json", ["in the definition 'ratio', which is applied at definition.json:4:1"]),
      ("leaf.json", []),
      (
        "top.json",
        [
          #"in the file "leaf.json", which is applied at mid.json:2:2"#,
          #"in the file "mid.json", which is applied at top.json:3:2"#,
        ]
      ),
      ("source.json", [#"in the file "leaf.json", which is used at source.json:1:66"#]),
      ("twice.json", [#"in the file "leaf.json", which is used at twice.json:1:32 and twice.json:2:67"#]),
    ])
  func ends(_ file: String, _ notes: [String]) {
    let outcome = run([file])
    let found = outcome.errors.split(separator: "\n").filter { $0.contains("= note: in the ") }
    #expect(outcome.code == 1 && outcome.errors.contains("error S402"), "\(outcome)")
    #expect(found.map { String($0.split(separator: ": ", maxSplits: 1).last ?? "") } == notes, "\(outcome.errors)")
  }

  @Test("A skipped value has both places, as a line of the log too")
  func skips() {
    let note = "in the definition 'ratio', which is applied at definition.json:4:1"
    let text = run(["definition.json", "--skip-errors"])
    #expect(text.code == 0 && text.errors.contains("note: \(note)"), "\(text)")
    let log = run(["definition.json", "--skip-errors", "--log", "json"])
    #expect(log.errors.contains(#""\#(note)""#), "\(log)")
  }
}
