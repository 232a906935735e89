internal import StreamCore

/// Checks the fields of an operator or source against its specification. `FieldsDefinition.read` decodes them.
struct FieldReader {
  private let spec: OperatorSpec

  init(_ spec: OperatorSpec) { self.spec = spec }

  /// Checks the kinds of the members, and that the required ones are present.
  ///
  /// - Returns: The problems found.
  /// - Throws: The problem with a value that is not an object.
  func checkMembers(of value: Value) throws(Diagnostics) -> Diagnostics {
    let parts = spec.parts
    let advice = FieldAdvice(spec: spec)
    var reader = MemberReader(
      value, what: "'\(spec.name)'", keys: parts.names, form: advice.form, advice: advice.help(forMember:_:))
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
    return reader.diagnostics
  }

  /// Checks the rules for several fields.
  func checkRules(of value: Value) throws(Diagnostics) {
    guard case .map(let members) = value else { return }
    for rule in spec.parts.rules {
      if let problem = rule.problem(in: members, of: spec.name) { throw Diagnostics([problem]) }
    }
  }
}

extension Diagnostics {
  /// These diagnostics, and those of decoding the same fields that are about other places.
  func merging(_ others: Diagnostics) -> Diagnostics {
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
