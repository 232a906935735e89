import TestSupport
import Testing

/// Checks through the built command that `onError` and `--skip-errors` reach the expressions of operators that combine
/// streams, wherever they are evaluated: for a value, at the end of an instant, and at the end of the streams.
@Suite struct SkippedCombinationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var output: [String]
    var skipped = 1

    var testDescription: String { name }
  }

  private static func items(_ values: String, _ combining: String, _ fields: String) -> String {
    #"""
    {"source": {"sequence": {"values": [\#(values)]}},
     "operators": [{"\#(combining)": {\#(fields), "names": ["l", "r"], "expression": "l / r"}, "onError": "skip"}]}
    """#
  }

  private static func with(_ values: String) -> String {
    #""with": [{"source": {"sequence": {"values": [\#(values)]}}}]"#
  }

  private static let times = #"""
    {"source": {"record": {"events": [{"at": 0, "value": 10}, {"at": 3, "value": 20}]}},
     "operators": [{"combineLatest": {"with": [{"source": {"record": {"events": [{"at": 1, "value": 1}, {"at": 2, "value": 0},
       {"at": 4, "value": 4}]}}}], "names": ["l", "r"], "expression": "l / r" ATOMIC}, "onError": "skip"}]}
    """#

  private static let cases: [Case] = [
    Case(
      name: "zip drops all values of a tuple that it skips",
      file: items("1, 2, 30, 40", "zip", with("1, 0, 3, 4")), output: ["1", "10", "10"]),
    Case(
      name: "zip finishes with a last tuple that it skips",
      file: items("1, 2", "zip", with("1, 0")), output: ["1"]),
    Case(
      name: "zip asks each stream for a value in place of the one that it skips",
      file: items("1, 2, 30", "zip", with("0, 0, 3")).replacing(
        #""onError": "skip"}"#, with: #""onError": "skip"}, {"prefix": {"count": 1}}"#),
      output: ["10"], skipped: 2),
    Case(
      name: "combineLatest keeps the value before the one that it skips",
      file: times.replacing("ATOMIC", with: ""), output: ["10", "20", "5"]),
    Case(
      name: "combineLatest skips a combination at the end of an instant",
      file: times.replacing("ATOMIC", with: #", "atomic": true"#), output: ["10", "5"], skipped: 2),
    Case(
      name: "forkJoin finishes without the values that it skips",
      file: items("1, 2", "forkJoin", with("0")), output: []),
  ]

  @Test("A combination that makes the expression fail is skipped, and counted", arguments: cases)
  func skips(_ example: Case) {
    let folder = Fixture.Folder()
    folder.add("s.json", example.file)
    let skipping = Subprocess.run(["s.json", "--virtual"], in: folder.path)
    #expect(skipping.output.split(separator: "\n").map(String.init) == example.output)
    #expect(skipping.code == 0)
    #expect(
      skipping.errors.hasSuffix("skipped 0 lines, \(example.skipped) value\(example.skipped == 1 ? "" : "s")\n"),
      "\(skipping.errors)")
    // `--skip-errors` says the same of every operator.
    folder.add("t.json", example.file.replacing(#", "onError": "skip""#, with: ""))
    let failing = Subprocess.run(["t.json", "--virtual"], in: folder.path)
    #expect(failing.code == 1, "\(failing.errors)")
    let asked = Subprocess.run(["t.json", "--virtual", "--skip-errors"], in: folder.path)
    #expect(asked.output == skipping.output)
    #expect(asked.errors.suffix(30) == skipping.errors.suffix(30))
  }
}
