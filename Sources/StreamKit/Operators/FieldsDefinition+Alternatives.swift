internal import StreamCore

extension FieldsDefinition {
  /// Refuses fields of which just one is to be given where none or two are.
  ///
  /// - Parameter fields: their names, and whether they are there.
  static func requireOne(of fields: KeyValuePairs<String, Bool>) throws(Diagnostic) {
    let names = fields.map { "'\($0.key)'" }.joined(separator: " or ")
    let given = fields.filter(\.value).map(\.key)
    if given.isEmpty { throw Diagnostic(.missingField, "'\(spec.name)' needs \(names)") }
    if given.count > 1 {
      throw Diagnostic(
        .conflictingFields, "'\(spec.name)' has \(names), not both", at: JSONPointer([given[1]]), part: .key,
        help: "take one of them away")
    }
  }
}
