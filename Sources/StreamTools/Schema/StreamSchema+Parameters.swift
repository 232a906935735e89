internal import StreamCore
internal import StreamEngine
internal import StreamKit

extension StreamSchema {
  /// A parameter of a file or a definition.
  static let parameter: Value = SchemaParts.object(
    "A parameter: a constant that is set when the file is compiled.",
    members: [
      "type": SchemaParts.described(SchemaParts.reference("valueType"), "The type of the value. Default: any value."),
      "default": ["description": "The value if none is given. Without it the parameter must be given."],
      "description": SchemaParts.text("The purpose of the parameter."),
    ], isExtensible: true)

  /// A field whose value is that of a parameter.
  static let parameterReference: Value = SchemaParts.object(
    "The value of a parameter.", members: ["parameter": SchemaParts.text("The name of the parameter.")],
    required: ["parameter"])

  /// A named list of operators.
  static let definition: Value = SchemaParts.object(
    "Operators with parameters, which 'apply' is replaced by.",
    members: [
      "description": SchemaParts.text("The purpose of the operators."),
      "parameters": parameters, "operators": SchemaParts.reference("operators"),
      "tests": SchemaParts.list(
        "Tests of the operators, which the input 'values' feeds.", of: SchemaParts.reference("test")),
    ], required: ["operators"], isExtensible: true)

  static let parameters = SchemaParts.named("The parameters, by name.", SchemaParts.reference("parameter"))

  /// The fields of `apply`: a definition or a file, and arguments.
  static let apply: Value = [
    "description": "Applies the operators of a definition, or of another file, with these values of its parameters.",
    "type": "object",
    "properties": [
      "definition": SchemaParts.text("The name of a definition of this file."),
      "file": SchemaParts.text("Path of a stream file that reads an input, relative to this file."),
      "inputs": [
        "description":
          "For the other inputs of the file, the stream or input of this file that feeds each: an object of names."
      ],
    ],
    "oneOf": [["required": ["definition"]], ["required": ["file"]]],
  ]
}
