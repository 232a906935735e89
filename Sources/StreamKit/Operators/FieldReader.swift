internal import StreamCore

/// Checks the fields of an operator or source against its specification, and collects every problem.
struct FieldReader {
  private let spec: OperatorSpec

  init(_ spec: OperatorSpec) { self.spec = spec }

  /// Decodes the fields and checks them.
  ///
  /// - Parameter decode: Decodes the fields, and returns their own check (`FieldsDefinition.validate`).
  /// - Throws: every problem, with pointers relative to the fields.
  func read(
    _ value: Value, decode: (Value) throws(Diagnostics) -> () throws(Diagnostic) -> Void
  ) throws(Diagnostics) {
    let parts = spec.parts
    let reader = try checkMembers(of: value, parts)
    // Fields that decode themselves (streams in place) are checked even if a field beside them is wrong.
    do throws(Diagnostics) {
      let validate = try decode(value)
      try reader.diagnostics.throwErrors()
      try Diagnostics.listing(validate)
      guard case .map(let members) = value else { return }
      for rule in parts.rules {
        if let problem = rule.problem(in: members, of: spec.name) { throw Diagnostics([problem]) }
      }
    } catch {
      throw reader.diagnostics.merging(error)
    }
  }

  /// Checks the kinds of the members, and that the required ones are present.
  private func checkMembers(of value: Value, _ parts: OperatorSpec.Parts) throws(Diagnostics) -> MemberReader {
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
