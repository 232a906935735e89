internal import StreamCore
internal import StreamKit

extension CatalogueEntry {
  /// `apply` is not in the table of operators: the compiler replaces it by the operators of a definition.
  static let apply = CatalogueEntry(
    family: .transform,
    spec: OperatorSpec(
      "apply",
      "Applies the operators of a definition, or of another stream file, with arguments. See Definitions in the format.",
      memory: .nothing,
      fields: [
        .optional("definition", .string, "Name of one of the file's definitions. Required without file."),
        .optional("file", .string, "Path of a stream file without a source of its own. Required without definition."),
        .optional(
          "…", .value,
          "Each other member is the argument for a parameter of the definition: {\"apply\": {\"definition\": \"settled\", "
            + "\"wait\": 5}}. A one-liner has no short form for it."),
      ],
      examples: []))
}
