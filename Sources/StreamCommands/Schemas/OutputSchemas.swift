internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The schemas of what commands print for machines.
enum OutputSchemas {
  static let diagnostic: Value = {
    let place = "Null where it is of no file."
    return record(
      "What is wrong, and where.",
      [
        ("severity", SchemaParts.words(Diagnostic.Severity.allCases.map(\.rawValue))),
        ("code", SchemaParts.words(DiagnosticCode.allCases.map(\.rawValue), "Stays the same for ever.")),
        ("message", SchemaParts.text("What was found, and what was expected.")),
        ("pointer", SchemaParts.text("Where in the JSON (RFC 6901); empty for the whole of it.")),
        ("file", ["description": .string(place), "type": ["string", "null"]]),
        ("line", ["description": "From 1.", "type": ["integer", "null"], "minimum": 1]),
        ("column", ["description": "In Unicode scalars, from 1.", "type": ["integer", "null"], "minimum": 1]),
        (
          "offset",
          ["description": "Bytes from the beginning of the file.", "type": ["integer", "null"], "minimum": 0]
        ),
        ("length", ["description": "Bytes that are meant.", "type": ["integer", "null"], "minimum": 0]),
        ("notes", SchemaParts.list("What else helps to understand.", of: SchemaParts.text())),
        ("help", ["description": "What to do, where that can be said.", "type": ["string", "null"]]),
      ])
  }()

  static let event: Value = SchemaParts.object(
    nil,
    [
      ("at", ["description": "Seconds since the start.", "type": "number", "minimum": 0]),
      ("time", ["description": "The instant by the data's own clock.", "type": "string", "format": "date-time"]),
      ("value", ["description": "What the stream published."]),
    ], required: ["at", "value"])

  static let hash: Value = SchemaParts.list(
    of: record(
      "A file and its id.",
      [
        ("file", SchemaParts.text("As it was named.")),
        ("kind", SchemaParts.words(["content", "behavior"], "What the id is of.")),
        ("id", ["description": "The SHA-256.", "type": "string", "pattern": "^sha256:[0-9a-f]{64}$"]),
      ]))

  static let patch: Value = SchemaParts.list(
    "JSON Patch (RFC 6902).",
    of: SchemaParts.adding(
      [
        (
          "oneOf",
          [
            operation(["add", "replace"], needing: ["value"]), operation(["remove"], needing: []),
            operation(["move"], needing: ["from"]),
          ]
        )
      ],
      to: SchemaParts.object(
        nil,
        [
          ("op", SchemaParts.words(["add", "replace", "remove", "move"])), ("path", SchemaParts.text()),
          ("from", SchemaParts.text()), ("value", SchemaParts.members([])),
        ], required: ["op", "path"])))

  private static func operation(_ names: [String], needing members: [String]) -> Value {
    ["properties": ["op": SchemaParts.words(names)], "required": .list(members.map(Value.string))]
  }

  // MARK: operators

  static let operators: Value = [
    "anyOf": [SchemaParts.list(of: SchemaParts.reference("entry")), SchemaParts.reference("entry")]
  ]

  static let entry: Value = record(
    "An operator or a source.",
    [
      ("name", SchemaParts.text("The key in stream files.")),
      ("family", SchemaParts.words(OperatorFamily.allCases.map(\.rawValue))),
      ("summary", SchemaParts.text("What it does.")),
      (
        "fields",
        SchemaParts.list(
          of: record(
            nil,
            [
              ("name", SchemaParts.text()), ("kind", SchemaParts.text("What is expected, in words.")),
              ("required", ["type": "boolean"]), ("summary", SchemaParts.text()),
            ]))
      ),
      ("memory", ["description": "What it keeps between values; null for nothing.", "type": ["string", "null"]]),
      (
        "examples",
        SchemaParts.list(
          of: SchemaParts.object(
            nil,
            [
              ("title", SchemaParts.text()), ("json", SchemaParts.text("The operator, as JSON text.")),
              ("in", SchemaParts.list("What goes in, as marbles.", of: SchemaParts.text())),
              ("out", SchemaParts.text("What comes out.")),
              ("values", ["description": "What the symbols stand for.", "type": "object"]),
              ("code", SchemaParts.text("With which error it is refused.")), ("at", SchemaParts.text()),
            ], required: ["title", "json"]))
      ),
    ])

  /// An object that has all of these members.
  static func record(_ description: String?, _ members: [(String, Value)]) -> Value {
    SchemaParts.object(description, members, required: members.map(\.0))
  }
}
