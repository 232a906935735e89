internal import CEL
internal import StreamCore
internal import StreamEngine

/// The kinds of ordered values. Values of one kind can be compared with each other; lists, if their elements can, which
/// decide one after the other.
enum NaturalOrder: String, Codable, Sendable {
  case numbers, texts, booleans, bytes, timestamps, durations, lists

  /// The kinds in words, for messages.
  static let expectation = "numbers, strings, booleans, timestamps, durations, or lists of these"

  /// The kind of a value.
  ///
  /// - Parameters:
  /// - owner: The operator that compares, for the failure.
  /// - value: The value of upstream that the key was taken from, for the failure.
  /// - Throws: If the value has no order.
  init(of key: Value, owner: String, for value: Value) throws(StreamFailure) {
    switch key {
    case .int, .uint, .double: self = .numbers
    case .string: self = .texts
    case .bool: self = .booleans
    case .bytes: self = .bytes
    case .timestamp: self = .timestamps
    case .duration: self = .durations
    case .list(let elements):
      for element in elements { _ = try NaturalOrder(of: element, owner: owner, for: value) }
      self = .lists
    default:
      throw StreamFailure(
        .noSuchOverload, "'\(owner)' found \(key.describedType); expected \(Self.expectation)", value: value)
    }
  }

  /// Throws if a key cannot be compared with another one.
  static func require(_ key: Value, like other: Value, owner: String, for value: Value) throws(StreamFailure) {
    let kind = try NaturalOrder(of: key, owner: owner, for: value)
    let otherKind = try NaturalOrder(of: other, owner: owner, for: value)
    guard kind == otherKind else {
      throw kind.mismatch(otherKind, owner: owner, for: value, help: TableText.help(for: [key, other]))
    }
    guard case .list(let elements) = key, case .list(let others) = other else { return }
    for (element, other) in zip(elements, others) { try require(element, like: other, owner: owner, for: value) }
  }

  /// Throws if a value cannot be compared with those before it.
  func require(_ other: NaturalOrder, owner: String, for value: Value) throws(StreamFailure) {
    if self != other { throw mismatch(other, owner: owner, for: value) }
  }

  private func mismatch(
    _ other: NaturalOrder, owner: String, for value: Value, help: String? = nil
  ) -> StreamFailure {
    StreamFailure(
      .noSuchOverload, "'\(owner)' cannot compare \(other.rawValue) with \(rawValue)", value: value, help: help)
  }

  /// A number below, at or above 0 as the first value comes before, with or after the second one. NaN comes after all
  /// other numbers.
  static func totalOrder(_ first: Value, _ second: Value) -> Int {
    if case .list(let elements) = first, case .list(let others) = second {
      for (element, other) in zip(elements, others) {
        let order = totalOrder(element, other)
        if order != 0 { return order }
      }
      return (elements.count - others.count).signum()
    }
    if let order = first.exactOrder(second) { return order }
    return (isNaN(first) ? 1 : 0) - (isNaN(second) ? 1 : 0)
  }

  private static func isNaN(_ value: Value) -> Bool {
    if case .double(let number) = value { number.isNaN } else { false }
  }
}
