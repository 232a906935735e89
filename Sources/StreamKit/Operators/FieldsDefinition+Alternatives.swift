internal import StreamCore

extension FieldsDefinition {
  /// Refuses fields of which just one is to be given where none or two are.
  ///
  /// - Parameter fields: their names, and whether they are there.
  static func requireOne(of fields: KeyValuePairs<String, Bool>) throws(Diagnostic) {
    let names = fields.map { "'\($0.key)'" }.joined(separator: " or ")
    let given = fields.filter(\.value).map(\.key)
    if given.isEmpty { throw Diagnostic(.missingField, "'\(spec.name)' needs \(names)") }
    try requireAtMostOne(of: fields)
  }

  /// Refuses fields of which one at most is to be given where there are more.
  ///
  /// - Parameter fields: their names, and whether they are there.
  static func requireAtMostOne(of fields: KeyValuePairs<String, Bool>) throws(Diagnostic) {
    let given = fields.filter(\.value).map(\.key)
    guard given.count > 1 else { return }
    let names = fields.map { "'\($0.key)'" }.joined(separator: " or ")
    throw Diagnostic(
      .conflictingFields, "'\(spec.name)' has \(names), not both", at: JSONPointer([given[1]]), part: .key,
      help: "take one of them away")
  }
}
