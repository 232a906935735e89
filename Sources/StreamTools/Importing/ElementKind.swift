import StreamCore

/// The known kind of a stream's values, so that translated operators are no longer than necessary.
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

  /// Returns the common kind of two kinds.
  func joined(with other: ElementKind) -> ElementKind {
    if self == other { return self }
    return [self, other].allSatisfy { $0 == .texts || $0 == .numericTexts } ? .texts : .others
  }

  /// Returns the common kind of several kinds; of none, the most convenient one.
  static func joined(_ kinds: [ElementKind]) -> ElementKind {
    guard let first = kinds.first else { return .numericTexts }
    return kinds.dropFirst().reduce(first) { $0.joined(with: $1) }
  }
}
