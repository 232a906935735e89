import StreamCore

/// What a cell holds in which nothing has been stored: nobody looks at it.
private final class Vacancy: OpaqueValue {
  static let value = Value.opaque(Vacancy())

  var typeName: String { "vacancy" }
  var description: String { "nothing" }
  func isEqual(to other: any OpaqueValue) -> Bool { other === self }
  func hash(into hasher: inout Hasher) {}
}

extension Value {
  static var vacant: Value { Vacancy.value }

  var isVacant: Bool { if case .opaque(let content) = self { content is Vacancy } else { false } }
}
