package import CEL
package import StreamCore

extension RowFields {
  /// Creates the fields to read from values of a declared type, including the declared ones, whose types are checked.
  /// Nil if a row cannot check them.
  package init?(_ names: [String], of type: CELType) {
    self.init(names.map { Field($0) })
    if type == .dyn { return }
    guard case .record(let declared) = type else { return nil }
    // A row that lacks an optional field would need the general reader.
    if declared.contains(where: \.isOptional) { return nil }
    for field in declared {
      let kind: FieldCell.Kind
      switch field.type {
      case .int: kind = .int
      case .double: kind = .double
      case .string: kind = .text
      case .bool: kind = .bool
      default: return nil
      }
      if let number = fields.firstIndex(where: { $0.name == field.name }) {
        fields[number].kind = kind
      } else {
        fields.append(Field(field.name, kind, isRead: false))
      }
    }
  }
}
