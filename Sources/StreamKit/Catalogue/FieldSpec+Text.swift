internal import StreamCore

extension FieldSpec {
  /// The default in a sentence, such as "Default `drop`."; nil if there is none.
  public var defaultText: String? {
    switch defaultValue {
    case .value(.string(let word))?: "Default `\(word)`."
    case .value(let value)?: "Default `\(JSONWriter.compact(value))`."
    case .field(let other)?: "Default: the value of `\(other)`."
    case nil: nil
    }
  }

  /// The summary, followed by the default.
  public var text: String { [summary, defaultText].compactMap(\.self).joined(separator: " ") }
}

extension OperatorSpec {
  /// The accepted values of a field in words, with the bounds that the rules add.
  public func expectation(of field: FieldSpec) -> String {
    for rule in rules {
      switch rule {
      case .above(field.name, let bound): return field.kind.expectation(above: bound)
      case .atLeast(field.name, let bound): return field.kind.expectation(from: bound)
      case .not(field.name, let number): return "\(field.kind.expectation) other than \(number)"
      default: continue
      }
    }
    return field.kind.expectation
  }
}

extension FieldSpec.Kind {
  /// The expectation with an exclusive lower bound.
  fileprivate func expectation(above bound: Double) -> String {
    switch self {
    case .seconds(let range):
      "a number of seconds greater than \(bound.shortText), up to \(range.upperBound.shortText)"
    case .number(let range): "a number greater than \(bound.shortText), up to \(range.upperBound.shortText)"
    default: expectation
    }
  }

  /// The expectation with another lower bound.
  fileprivate func expectation(from bound: Double) -> String {
    switch self {
    case .seconds(let range): FieldSpec.Kind.seconds(bound...range.upperBound).expectation
    case .number(let range): FieldSpec.Kind.number(bound...range.upperBound).expectation
    default: expectation
    }
  }
}
