internal import StreamConsole
internal import StreamCore
internal import StreamTools

/// The schema of `test --format json`.
enum TestSchema {
  static let root: Value = SchemaParts.object(
    members: [
      "passed": SchemaParts.count("Number of tests that passed."),
      "failed": SchemaParts.count("Number of tests that failed."),
      "updated": SchemaParts.count("Number of tests whose expectation was updated."),
      "tests": SchemaParts.list(of: SchemaParts.reference("test")),
      "problems": SchemaParts.list(
        "The errors in files that could not be run.", of: SchemaParts.reference("diagnostic")),
      "coverage": SchemaParts.reference("coverage"),
    ], required: ["passed", "failed", "updated", "tests", "problems"])

  static let definitions: [(String, Value)] = [("test", test), ("coverage", coverage), ("share", share)]

  private static let test: Value = OutputSchemas.record(
    members: [
      "file": SchemaParts.text(), "name": SchemaParts.text("The name of the test."),
      "status": SchemaParts.words(TestReport.Status.allCases.map(\.rawValue)),
      "pointer": SchemaParts.text("Location of the test in the file."),
      "line": ["type": "integer", "minimum": 1], "column": ["type": "integer", "minimum": 1],
      "differences": SchemaParts.list(
        "The differences as lines of text; empty if the test passed.", of: SchemaParts.text()),
    ])

  private static let coverage: Value = OutputSchemas.record(
    "The operators and branches that the tests exercise.",
    members: [
      "percentage": ["type": "number", "minimum": 0, "maximum": 100],
      "operators": SchemaParts.reference("share"), "branches": SchemaParts.reference("share"),
      "uncovered": SchemaParts.list(
        of: OutputSchemas.record(
          members: [
            "file": SchemaParts.text(), "line": ["type": "integer", "minimum": 1],
            "column": ["type": "integer", "minimum": 1], "pointer": SchemaParts.text(),
            "message": SchemaParts.text("A description of the operator or branch without a test."),
          ])),
    ])

  private static let share: Value = OutputSchemas.record(members: [
    "covered": SchemaParts.count("Number exercised by a test."), "total": SchemaParts.count("Total number."),
  ])
}
