internal import CEL
internal import StreamCore
internal import StreamEngine
internal import StreamKit

extension StreamSchema {
  /// The schema of a declared type.
  static let valueType: Value = [
    "description": .string(
      "The name of a CEL type or of one of the file's types, an object of fields, an array with one type, or the values "
        + "of an enumeration. A question mark allows null after a type, and a missing member after its name."),
    "anyOf": [
      ["enum": .list(CELType.plainNames.map(Value.string))],
      ["type": "string", "pattern": .string(spelling)],
      [
        "type": "object", "required": ["enum"], "maxProperties": 1,
        "properties": [
          "enum": [
            "description": "The values of an enumeration: strings, integers and null.", "type": "array", "minItems": 1,
            "maxItems": 1000, "uniqueItems": true,
            "items": ["type": ["string", "integer", "null"]],
          ]
        ],
      ],
      ["type": "object", "additionalProperties": SchemaParts.reference("valueType")],
      ["type": "array", "minItems": 1, "maxItems": 1, "items": SchemaParts.reference("valueType")],
    ],
    "examples": [
      "double", "list(string)", "map(string, int)", ["x": "double", "y?": "double?"], [["id": "int"]],
      ["enum": ["open", "closed"]],
    ],
  ]

  /// The pattern of a plain name with spaces around it, or of a type with parameters as far as a pattern can describe
  /// it.
  private static let spelling: String = {
    let names = CELType.plainNames.map { $0.split(separator: ".").joined(separator: #"\."#) }
    return #"^ *((list|map|optional|optional_type|type) *\(.*\)|\{.*\}|"# + names.joined(separator: "|")
      + #"|[A-Z][A-Za-z0-9_]*) *(\? *)?$"#
  }()

  /// An input's declaration.
  static let input: Value = SchemaParts.object(
    "An input that the host feeds.",
    members: [
      "initialValue": [
        "description":
          "The initial value. With it the input keeps its latest value and publishes it first to a new subscriber."
      ],
      "type": SchemaParts.described(
        SchemaParts.reference("valueType"),
        "The type of the values. A declared type lets expressions be checked and run faster."),
      "time": SchemaParts.described(SchemaParts.reference("time"), InputDeclaration.EventTime.spec.summary),
      "buffer": SchemaParts.object(
        "The buffer for values without demand. Without a buffer such values are dropped.",
        members: [
          "capacity": ["description": "Number of values, 1 or more.", "type": "integer", "minimum": 1],
          "whenFull": SchemaParts.words(
            Pipeline.Input.WhenFull.allCases.map(\.rawValue), "The handling of a value when the buffer is full."),
        ], required: ["capacity", "whenFull"], isExtensible: true),
    ], isExtensible: true)

  /// A named output.
  static let output: Value = SchemaParts.object(
    "A stream whose values leave the file under the output's name.",
    members: [
      "description": SchemaParts.text("The purpose of the output."),
      "stream": SchemaParts.reference("streamReference"),
      "type": SchemaParts.described(
        SchemaParts.reference("valueType"), "The type of the values, for readers of the file."),
    ], required: ["stream"], isExtensible: true)
}
