internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The schemas of the JSON output of commands.
enum OutputSchemas {
  static let diagnostic: Value = {
    let place = "Null if there is no file."
    return record(
      "A problem and its location.",
      members: [
        "severity": SchemaParts.words(Diagnostic.Severity.allCases.map(\.rawValue)),
        "code": SchemaParts.words(DiagnosticCode.allCases.map(\.rawValue), "A stable code."),
        "message": SchemaParts.text("A description of the problem: what was found, and what was expected."),
        "pointer": SchemaParts.text("Location in the JSON document (RFC 6901); empty for the whole document."),
        "file": ["description": .string(place), "type": ["string", "null"]],
        "line": ["description": "The line, from 1.", "type": ["integer", "null"], "minimum": 1],
        "column": [
          "description": "The column in Unicode scalars, from 1.", "type": ["integer", "null"], "minimum": 1,
        ],
        "offset": ["description": "Offset in the file, in bytes.", "type": ["integer", "null"], "minimum": 0],
        "length": ["description": "Length in bytes.", "type": ["integer", "null"], "minimum": 0],
        "notes": SchemaParts.list("Further explanations.", of: SchemaParts.text()),
        "help": ["description": "A suggestion for fixing the problem, or null.", "type": ["string", "null"]],
      ])
  }()

  static let event: Value = SchemaParts.object(
    members: [
      "at": ["description": "Seconds since the start.", "type": "number", "minimum": 0],
      "time": ["description": "The event time.", "type": "string", "format": "date-time"],
      "value": ["description": "The published value."],
    ], required: ["at", "value"])

  static let hash: Value = SchemaParts.list(
    of: record(
      "The hash of a file.",
      members: [
        "file": SchemaParts.text("The path as given."),
        "kind": SchemaParts.words(["content", "behavior"], "The subject of the hash."),
        "id": ["description": "The SHA-256.", "type": "string", "pattern": "^sha256:[0-9a-f]{64}$"],
      ]))

  static let patch: Value = SchemaParts.list(
    "JSON Patch (RFC 6902).",
    of: SchemaParts.adding(
      [
        "oneOf": [
          operation(["add", "replace"], needing: ["value"]), operation(["remove"], needing: []),
          operation(["move"], needing: ["from"]),
        ]
      ],
      to: SchemaParts.object(
        members: [
          "op": SchemaParts.words(["add", "replace", "remove", "move"]), "path": SchemaParts.text(),
          "from": SchemaParts.text(), "value": SchemaParts.members([]),
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
    members: [
      "name": SchemaParts.text("The key in stream files."),
      "family": SchemaParts.words(OperatorFamily.allCases.map(\.rawValue)),
      "summary": SchemaParts.text("A summary."),
      "fields": SchemaParts.list(
        of: record(
          members: [
            "name": SchemaParts.text(), "kind": SchemaParts.text("The accepted values in words."),
            "required": ["type": "boolean"], "summary": SchemaParts.text(),
          ])),
      "memory": ["description": "The state kept between values; null for none.", "type": ["string", "null"]],
      "examples": SchemaParts.list(
        of: SchemaParts.object(
          members: [
            "title": SchemaParts.text(), "json": SchemaParts.text("The operator as JSON text."),
            "in": SchemaParts.list("The input as marble diagrams.", of: SchemaParts.text()),
            "out": SchemaParts.text("The output as a marble diagram."),
            "values": ["description": "The values of the symbols.", "type": "object"],
            "code": SchemaParts.text("The code of the error, for a rejected example."), "at": SchemaParts.text(),
          ], required: ["title", "json"])),
    ])

  /// An object that has all of these members.
  static func record(_ description: String? = nil, members: Value) -> Value {
    SchemaParts.object(description, members: members, required: members.memberNames)
  }
}
