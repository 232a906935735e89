internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

extension StreamSchema {
  /// What values are declared to be.
  static let valueType: Value = [
    "description": "A CEL type's name, an object of fields, or an array of one type.",
    "anyOf": [
      ["enum": .list(CELType.plainNames.map(Value.string))],
      ["type": "string", "pattern": .string(spelling)],
      ["type": "object", "additionalProperties": SchemaParts.reference("valueType")],
      ["type": "array", "minItems": 1, "maxItems": 1, "items": SchemaParts.reference("valueType")],
    ],
    "examples": ["double", "list(string)", "map(string, int)", ["x": "double", "y": "double"], [["id": "int"]]],
  ]

  /// A plain name with spaces around it, or a type with parameters, as far as a pattern can tell.
  private static let spelling: String = {
    let names = CELType.plainNames.map { $0.split(separator: ".").joined(separator: #"\."#) }
    return #"^ *((list|map|optional|optional_type|type) *\(.*\)|\{.*\}|"# + names.joined(separator: "|") + ") *$"
  }()

  /// An input's declaration.
  static let input: Value = SchemaParts.object(
    "An input that the host feeds.",
    [
      ("initialValue", ["description": "With it the input keeps its newest value, and publishes it first."]),
      (
        "type",
        SchemaParts.described(
          SchemaParts.reference("valueType"), "What the values are: expressions are checked by it, and run faster.")
      ),
      (
        "buffer",
        SchemaParts.object(
          "What waits for a subscriber that has asked for nothing. Without it such values are lost.",
          [
            ("capacity", ["description": "Values, 1 or more.", "type": "integer", "minimum": 1]),
            (
              "whenFull",
              SchemaParts.words(
                PipelineInput.WhenFull.allCases.map(\.rawValue), "What happens to a value when there is no more room.")
            ),
          ], required: ["capacity", "whenFull"], isExtensible: true)
      ),
    ], isExtensible: true)
}
