package import StreamCore

/// The content of a cell before a value is stored. Programs never read it.
private final class Vacancy: OpaqueValue {
  static let value = Value.opaque(Vacancy())

  var typeName: String { "vacancy" }
  var description: String { "nothing" }
  func isEqual(to other: any OpaqueValue) -> Bool { other === self }
  func hash(into hasher: inout Hasher) {}
}

extension Value {
  /// The content of a cell before a value is stored.
  package static var vacant: Value { Vacancy.value }

  package var isVacant: Bool { if case .opaque(let content) = self { content is Vacancy } else { false } }
}
