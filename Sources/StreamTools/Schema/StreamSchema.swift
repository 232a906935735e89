public import StreamCore
internal import StreamEngine
internal import StreamKit

/// The JSON Schema of stream files (draft 2020-12), generated from the specifications of operators and sources.
///
/// It accepts every valid file. It rejects invalid files as far as JSON Schema can express the rules; it does not check
/// expressions, references to names, the order of events, marble diagrams, or whether the text is JSON.
public enum StreamSchema {
  /// The whole schema.
  public static let value: Value = SchemaParts.file(
    "stream", title: "Stream file",
    description: "A streamrun stream: its source and its operators.",
    SchemaParts.reference("stream"), definitions: definitions)

  /// The schemas that others refer to, by name.
  static let definitions: [(String, Value)] =
    [
      ("stream", stream),
      ("items", SchemaParts.list("Items, published in sequence.", of: SchemaParts.reference("item"))),
      ("item", item), ("source", source), ("partition", StreamModel.Partition.spec.schema),
      ("time", InputDeclaration.EventTime.spec.schema),
      ("operators", SchemaParts.list("The operators, applied in order.", of: SchemaParts.reference("operator"))),
      ("operator", placedOperator), ("streamReference", streamReference), ("valueType", valueType), ("input", input),
      ("parameter", parameter), ("parameterReference", parameterReference), ("definition", definition),
      ("apply", apply),
      ("output", output),
      ("test", test), ("fed", fed), ("expected", expected),
      ("expectedOutput", expectedOutput), ("event", event), ("calls", calls), ("answer", answer),
    ] + Source.table.map { ("source.\($0.spec.name)", $0.spec.schema) }
    + Operator.table.map { ("operator.\($0.spec.name)", $0.spec.schema) }

  private static let stream: Value = SchemaParts.adding(
    [
      "oneOf": [
        ["required": ["stream"]], ["required": ["source"]],
        ["required": ["outputs"], "not": ["anyOf": [["required": ["operators"]], ["required": ["partition"]]]]],
      ],
      // Marks of a merge keep a file invalid until its conflicts are resolved.
      "not": ["required": [.string(StreamModel.ConflictMark.key)]],
    ],
    to: SchemaParts.object(
      members: [
        "$schema": SchemaParts.text("The JSON Schema for editors; not used by the program."),
        "format": ["description": "The version of the format.", "const": 1],
        "id": [
          "description": "A UUID.", "type": "string",
          "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
        ],
        "name": SchemaParts.text("A name for people."),
        "description": SchemaParts.text("The purpose of the stream."),
        "requires": SchemaParts.list(
          "Operators, functions and hooks that the host must provide.", of: SchemaParts.text()),
        "parameters": parameters,
        "types": SchemaParts.named(
          "Types that declarations can name. A name begins with a capital letter.", SchemaParts.reference("valueType")),
        "seed": ["description": "The seed of `random()`.", "type": "integer"],
        "definitions": SchemaParts.named(
          "Named lists of operators, which 'apply' is replaced by.", SchemaParts.reference("definition")),
        "inputs": SchemaParts.named("The inputs, which the host feeds, by name.", SchemaParts.reference("input")),
        "streams": SchemaParts.named("Named streams that others can refer to.", SchemaParts.reference("stream")),
        "stream": SchemaParts.reference("items"),
        "source": SchemaParts.reference("source"),
        "partition": SchemaParts.described(SchemaParts.reference("partition"), StreamModel.Partition.spec.summary),
        "operators": SchemaParts.reference("operators"),
        "outputs": SchemaParts.adding(
          ["minProperties": 1],
          to: SchemaParts.named(
            "The named outputs, instead of a source and operators.", SchemaParts.reference("output"))),
        "tests": SchemaParts.list("Tests, run in virtual time.", of: SchemaParts.reference("test")),
      ], isExtensible: true))

  private static let item: Value = SchemaParts.adding(
    ["defaultSnippets": [["label": "item", "body": ["value": "^$1"]]]],
    to: SchemaParts.object(
      "A value with its own operators; the next item begins when this one has ended.",
      members: ["value": ["description": "The value."], "operators": SchemaParts.reference("operators")],
      required: ["value"], isExtensible: true))

  /// All names are members of one object, so that an editor offers them with their summaries, reports an unknown name
  /// at its key, and checks the fields of the present one; a separate constraint requires exactly one.
  private static let source: Value = SchemaParts.adding(
    ["oneOf": .list(Source.table.map { ["required": [.string($0.spec.name)]] })],
    to: SchemaParts.object(
      "The source: an object with the name of a source as its key.",
      members: SchemaParts.members(Source.table.map { reference(to: $0.spec, "source") }), isExtensible: true))

  private static let placedOperator: Value = {
    // A name with a dot is an operator of the host. Its fields are unknown here.
    let ofHost: Value = ["not": ["propertyNames": ["not": ["pattern": .string(hostName)]]]]
    let known: [Value] = Operator.table.map { ["required": [.string($0.spec.name)]] }
    return SchemaParts.adding(
      [
        "patternProperties": [
          "^x-": ["description": "A custom member; kept, but not interpreted."],
          .string(hostName): ["description": "An operator defined by the host."],
        ],
        "oneOf": .list(known + [["required": ["apply"]], ofHost]),
      ],
      to: SchemaParts.object(
        "An operator: an object with the name of an operator as its key.",
        members: SchemaParts.adding(
          [
            "id": SchemaParts.text("An identifier for the operator's state and for comparing files."),
            "label": SchemaParts.text("A name for people."),
            "onError": SchemaParts.adding(
              ["default": .string(ErrorPolicy.fail.rawValue)],
              to: SchemaParts.words(
                ErrorPolicy.allCases.map(\.rawValue), "The handling of a value that makes the operator fail.")),
            "apply": SchemaParts.reference("apply"),
          ], to: SchemaParts.members(Operator.table.map { reference(to: $0.spec, "operator") })), isExtensible: true))
  }()

  /// A member with the name of a source or an operator, and the reference to its schema.
  private static func reference(to spec: OperatorSpec, _ group: String) -> (String, Value) {
    (spec.name, SchemaParts.described(SchemaParts.reference("\(group).\(spec.name)"), spec.summary))
  }

  private static let hostName = #"^(?!x-)[^.].*\..*[^.]$|^(?!x-)[^.]\.[^.]$"#

  private static let streamReference: Value = [
    "description": "The name of a stream or an input, or an inline model.",
    "anyOf": [["type": "string"], SchemaParts.reference("stream")],
  ]
}
