public import StreamCore
internal import StreamKit
internal import StreamRuntime

/// The JSON Schema of stream files (draft 2020-12), made from the tables of operators and sources.
///
/// It accepts what the reader accepts, and refuses what the reader refuses as far as JSON Schema can say it: not
/// expressions, names that refer to something, the order of events, marble diagrams and whatever is no JSON at all.
public enum StreamSchema {
  /// The whole schema.
  public static let value: Value = SchemaParts.file(
    "stream", title: "Stream file",
    description: "A stream of streamrun: where values come from, and what is done with them.",
    SchemaParts.reference("stream"), definitions: definitions)

  /// The schemas that others refer to, by name.
  static let definitions: [(String, Value)] =
    [
      ("stream", stream), ("items", SchemaParts.list("Items, one after the other.", of: SchemaParts.reference("item"))),
      ("item", item), ("source", source),
      (
        "operators",
        SchemaParts.list("What is done with the values, one after the other.", of: SchemaParts.reference("operator"))
      ),
      ("operator", placedOperator), ("streamReference", streamReference), ("valueType", valueType), ("input", input),
      ("test", test), ("fed", fed), ("expected", expected), ("event", event), ("calls", calls), ("answer", answer),
    ] + Source.table.map { ("source.\($0.spec.name)", $0.spec.schema) }
    + Operator.table.map { ("operator.\($0.spec.name)", $0.spec.schema) }

  private static let stream: Value = SchemaParts.adding(
    [
      ("oneOf", [["required": ["stream"]], ["required": ["source"]]]),
      // Marks of a merge keep a file invalid until its conflicts are resolved.
      ("not", ["required": [.string(ConflictMark.key)]]),
    ],
    to: SchemaParts.object(
      nil,
      [
        ("$schema", SchemaParts.text("What editors check the file by; it is not looked at.")),
        ("format", ["description": "The version of the format.", "const": 1]),
        (
          "id",
          [
            "description": "A UUID.", "type": "string",
            "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
          ]
        ),
        ("name", SchemaParts.text("What people call it.")),
        ("description", SchemaParts.text("What it is for.")),
        (
          "requires",
          SchemaParts.list("Operators, functions and hooks that the host must have.", of: SchemaParts.text())
        ),
        ("inputs", SchemaParts.named("What the host feeds, by name.", SchemaParts.reference("input"))),
        ("streams", SchemaParts.named("Streams that others refer to, by name.", SchemaParts.reference("stream"))),
        ("stream", SchemaParts.reference("items")),
        ("source", SchemaParts.reference("source")),
        ("operators", SchemaParts.reference("operators")),
        ("tests", SchemaParts.list("What must come out, in virtual time.", of: SchemaParts.reference("test"))),
      ], isExtensible: true))

  private static let item: Value = SchemaParts.adding(
    [("defaultSnippets", [["label": "item", "body": ["value": "^$1"]]])],
    to: SchemaParts.object(
      "A value with operators of its own; the next item begins when this one has ended.",
      [("value", ["description": "The value."]), ("operators", SchemaParts.reference("operators"))],
      required: ["value"], isExtensible: true))

  /// All names are members of one object, so that an editor offers them with their summaries, refuses an unknown name at
  /// its key, and looks into the fields of the one that is there; that there is just one is said beside it.
  private static let source: Value = SchemaParts.adding(
    [("oneOf", .list(Source.table.map { ["required": [.string($0.spec.name)]] }))],
    to: SchemaParts.object(
      "Where the values come from: an object with one source's name as its key.",
      Source.table.map { entry in
        (
          entry.spec.name,
          SchemaParts.described(SchemaParts.reference("source.\(entry.spec.name)"), entry.spec.summary)
        )
      }, isExtensible: true))

  private static let placedOperator: Value = {
    let beside: [(String, Value)] = [
      ("id", SchemaParts.text("A stable name for what the operator keeps, and for comparing files.")),
      ("label", SchemaParts.text("What people call it.")),
      (
        "onError",
        SchemaParts.adding(
          [("default", .string(ErrorPolicy.fail.rawValue))],
          to: SchemaParts.words(
            ErrorPolicy.allCases.map(\.rawValue), "What becomes of a value that makes the operator fail."))
      ),
    ]
    let operators = Operator.table.map { entry in
      (
        entry.spec.name,
        SchemaParts.described(SchemaParts.reference("operator.\(entry.spec.name)"), entry.spec.summary)
      )
    }
    // A name with a dot in it is an operator of the host's own, of which only the host knows more.
    let ofHost: Value = ["not": ["propertyNames": ["not": ["pattern": .string(hostName)]]]]
    let known: [Value] = Operator.table.map { ["required": [.string($0.spec.name)]] }
    return SchemaParts.adding(
      [
        (
          "patternProperties",
          SchemaParts.members([
            ("^x-", ["description": "The author's own: kept, and not looked at."]),
            (hostName, ["description": "An operator of the host's own."]),
          ])
        ),
        ("oneOf", .list(known + [ofHost])),
      ],
      to: SchemaParts.object(
        "An operator: an object with one operator's name as its key.", operators + beside, isExtensible: true))
  }()

  private static let hostName = #"^(?!x-)[^.].*\..*[^.]$|^(?!x-)[^.]\.[^.]$"#

  private static let streamReference: Value = [
    "description": "The name of a stream or an input, or a model in place.",
    "anyOf": [["type": "string"], SchemaParts.reference("stream")],
  ]
}
