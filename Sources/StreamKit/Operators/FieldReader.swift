internal import StreamCore

/// Reads the fields of an operator or source, checks them against its specification, and collects every problem.
struct FieldReader {
  private let spec: OperatorSpec

  init(_ spec: OperatorSpec) { self.spec = spec }

  /// Reads the fields.
  ///
  /// NB: not generic. A specialization for each operator was a fourteenth of the module's code.
  ///
  /// - Throws: Every problem, with pointers relative to the fields.
  func read(_ value: Value, as type: any FieldsDefinition.Type) throws(Diagnostics) -> any FieldsDefinition {
    let reader = try checkMembers(of: value)
    // Fields that decode themselves (streams in place) are checked even if a field beside them is wrong.
    do throws(Diagnostics) {
      let fields: any FieldsDefinition = try ValueDecoder().decodeAll(type, from: value)
      try reader.diagnostics.throwErrors()
      try Diagnostics.listing { () throws(Diagnostic) in try fields.validate() }
      try checkRules(of: value)
      return fields
    } catch {
      throw reader.diagnostics.merging(error)
    }
  }

  /// Checks the kinds of the members, and that the required ones are present.
  private func checkMembers(of value: Value) throws(Diagnostics) -> MemberReader {
    let parts = spec.parts
    var reader = MemberReader(value, what: "'\(spec.name)'", keys: parts.names)
    try reader.throwUnlessObject()
    for field in parts.fields {
      if let member = reader.value(field.name) {
        if let problem = field.kind.problem(with: member, field: field.name) {
          reader.append(problem.prefixed(by: JSONPointer([field.name])))
        }
      } else if field.isRequired {
        reader.missing(field.name, in: "'\(spec.name)'", help: "add \"\(field.name)\", \(field.kind.expectation)")
      }
    }
    return reader
  }

  /// Checks the rules for several fields.
  private func checkRules(of value: Value) throws(Diagnostics) {
    guard case .map(let members) = value else { return }
    for rule in spec.parts.rules {
      if let problem = rule.problem(in: members, of: spec.name) { throw Diagnostics([problem]) }
    }
  }
}

extension Diagnostics {
  /// These diagnostics, and those of decoding the same fields that are about other places.
  fileprivate func merging(_ others: Diagnostics) -> Diagnostics {
    var all = self
    var pointers = Set(all.all.map(\.pointer))
    for diagnostic in others.all where !pointers.contains(diagnostic.pointer) {
      // The specification has reported a missing field already, at the fields themselves.
      if diagnostic.code == .missingField, all.hasErrors, diagnostic.pointer.tokens.count <= 1 { continue }
      pointers.insert(diagnostic.pointer)
      all.append(diagnostic)
    }
    return all
  }
}
