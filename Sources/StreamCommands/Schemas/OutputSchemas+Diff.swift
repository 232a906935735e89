internal import StreamCore
internal import StreamKit
internal import StreamTools

extension OutputSchemas {
  /// Two files; two directories; two behaviors.
  static let diff: Value = [
    "anyOf": [
      SchemaParts.reference("comparison"),
      SchemaParts.list("For two directories: the files that differ.", of: SchemaParts.reference("file")),
      SchemaParts.list("With --behavior: a run for each test.", of: SchemaParts.reference("run")),
    ]
  ]

  static let diffDefinitions: [(String, Value)] = [
    ("comparison", comparison), ("change", change), ("field", field), ("file", file), ("run", run), ("effect", effect),
  ]

  private static let effect: Value = SchemaParts.words(
    StreamChange.Effect.allCases.map(\.rawValue), "The effect on a running stream.")

  private static let comparison: Value = SchemaParts.object(
    members: [
      "same": ["type": "boolean"], "effect": SchemaParts.reference("effect"),
      "outputType": record(
        "The type of the stream's values, if it has changed.",
        members: [
          "old": SchemaParts.text(), "new": SchemaParts.text(),
        ]),
      "changes": SchemaParts.list(of: SchemaParts.reference("change")),
    ], required: ["same", "changes"])

  private static let change: Value = SchemaParts.object(
    members: [
      "change": SchemaParts.words(StreamChange.Kind.allCases.map(\.rawValue)),
      "what": SchemaParts.words(StreamChange.Subject.allCases.map(\.rawValue)),
      "name": SchemaParts.text("The name."),
      "effect": SchemaParts.reference("effect"),
      "from": SchemaParts.text("Location in the old file."),
      "to": SchemaParts.text("Location in the new file."),
      "fields": SchemaParts.list("The changed fields.", of: SchemaParts.reference("field")),
      "old": ["description": "The complete old value."], "new": ["description": "The complete new value."],
    ], required: ["change", "what", "effect"])

  private static let field: Value = SchemaParts.object(
    members: [
      "field": SchemaParts.text(), "effect": SchemaParts.reference("effect"), "old": SchemaParts.members([]),
      "new": SchemaParts.members([]),
    ], required: ["field", "effect"])

  private static let file: Value = SchemaParts.object(
    members: [
      "file": SchemaParts.text("The path, relative to the directories."),
      "change": SchemaParts.words(["added", "removed", "changed"]), "diff": SchemaParts.reference("comparison"),
    ], required: ["file", "change"])

  private static let run: Value = record(
    members: [
      "name": SchemaParts.text("The name of the test or of the recordings."), "same": ["type": "boolean"],
      "differences": SchemaParts.list("The differences as lines of text.", of: SchemaParts.text()),
    ])
}
