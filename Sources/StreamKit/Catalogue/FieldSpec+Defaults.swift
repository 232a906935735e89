package import StreamCore

// The defaults of fields that a file leaves out. A rule may exclude a field beside the given ones: then it has none.

extension FieldSpec {
  /// Whether leaving this value out means the same.
  func isDefault(_ value: Value, among given: ValueMap) -> Bool { value == standardValue(among: given) }

  fileprivate func standardValue(among given: ValueMap) -> Value? {
    switch defaultValue {
    case .value(let value)?: value
    case .field(let other)?: given[other]
    case nil: nil
    }
  }
}

extension OperatorSpec {
  /// Returns the default of a field that is left out; nil if there is none beside the given fields.
  package func standardValue(of field: FieldSpec, among given: ValueMap) -> Value? {
    guard let standard = field.standardValue(among: given) else { return nil }
    let all = ValueMap(Array(given.pairs) + [(.string(field.name), standard)])
    return parts.rules.allSatisfy { $0.problem(in: all, of: name) == nil } ? standard : nil
  }

  /// Whether an operator with these fields waits, or reads the time of values.
  func isTimed(_ given: ValueMap) -> Bool { readsTime || parts.fields.contains { hasLength($0, among: given) } }

  /// Whether a field has a length of time or a list of events. A length of 0 that is the default means none.
  func hasLength(_ field: FieldSpec, among given: ValueMap) -> Bool {
    guard field.kind.isTimed else { return false }
    if let value = given[field.name] { return value.double != 0 || !field.isDefault(value, among: given) }
    return standardValue(of: field, among: given).map { $0.double != 0 } ?? false
  }
}
