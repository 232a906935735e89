internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The schema of `test --format json`.
enum TestSchema {
  static let root: Value = SchemaParts.object(
    nil,
    [
      ("passed", SchemaParts.count("Tests that passed.")), ("failed", SchemaParts.count("Tests that failed.")),
      ("updated", SchemaParts.count("Tests whose expectation was written anew.")),
      ("tests", SchemaParts.list(of: SchemaParts.reference("test"))),
      ("problems", SchemaParts.list("Why files could not be run.", of: SchemaParts.reference("diagnostic"))),
      ("coverage", SchemaParts.reference("coverage")),
    ], required: ["passed", "failed", "updated", "tests", "problems"])

  static let definitions: [(String, Value)] = [("test", test), ("coverage", coverage), ("share", share)]

  private static let test: Value = OutputSchemas.record(
    nil,
    [
      ("file", SchemaParts.text()), ("name", SchemaParts.text("A sentence: what holds.")),
      ("status", SchemaParts.words(TestReport.Status.allCases.map(\.rawValue))),
      ("pointer", SchemaParts.text("Where in the file the test stands.")),
      ("line", ["type": "integer", "minimum": 1]), ("column", ["type": "integer", "minimum": 1]),
      ("differences", SchemaParts.list("Lines for people; none where the test passed.", of: SchemaParts.text())),
    ])

  private static let coverage: Value = OutputSchemas.record(
    "What the tests exercise.",
    [
      ("percentage", ["type": "number", "minimum": 0, "maximum": 100]),
      ("operators", SchemaParts.reference("share")), ("branches", SchemaParts.reference("share")),
      (
        "uncovered",
        SchemaParts.list(
          of: OutputSchemas.record(
            nil,
            [
              ("file", SchemaParts.text()), ("line", ["type": "integer", "minimum": 1]),
              ("column", ["type": "integer", "minimum": 1]), ("pointer", SchemaParts.text()),
              ("message", SchemaParts.text("What no test exercises.")),
            ]))
      ),
    ])

  private static let share: Value = OutputSchemas.record(
    nil, [("covered", SchemaParts.count("Exercised by a test.")), ("total", SchemaParts.count("All there are."))])
}
