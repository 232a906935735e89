import StreamCore

/// What is known of the values of a stream, so that operators on it are written no longer than they must be.
enum ElementKind: Hashable {
  /// Numbers, as in `StreamModel<Int>`.
  case numbers
  /// Strings that each hold an integer, as `String(Int)` writes it.
  case numericTexts
  /// Strings of any kind.
  case texts
  /// Arrays, or a mixture.
  case others

  init(_ value: Value) {
    switch value {
    case .int, .uint, .double: self = .numbers
    case .string(let text):
      // `+5` and `007` are numbers to Swift too, but come back as `5` and `7`.
      self = Int64(text).map { String($0) == text } == true ? .numericTexts : .texts
    default: self = .others
    }
  }

  /// What is known of values of which each is of one of two kinds.
  func joined(with other: ElementKind) -> ElementKind {
    if self == other { return self }
    return [self, other].allSatisfy { $0 == .texts || $0 == .numericTexts } ? .texts : .others
  }

  /// What is known of values of any of these kinds; of none at all, what asks for the least.
  static func joined(_ kinds: [ElementKind]) -> ElementKind {
    guard let first = kinds.first else { return .numericTexts }
    return kinds.dropFirst().reduce(first) { $0.joined(with: $1) }
  }
}
