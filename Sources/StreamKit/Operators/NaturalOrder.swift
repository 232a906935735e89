internal import CEL
internal import StreamCore
internal import StreamRuntime

/// The kinds of values that have an order; values of one kind can be compared with each other.
enum NaturalOrder: String, Codable, Sendable {
  case numbers, texts, booleans, bytes, timestamps, durations

  /// What can be ordered, for messages.
  static let expectation = "numbers, strings, booleans, timestamps or durations"

  /// The kind of a value.
  ///
  /// - Parameter owner: the operator that asks, and the value that it asks for, as the failure tells them.
  /// - Throws: that such values have no order.
  init(of key: Value, owner: String, for value: Value) throws(StreamFailure) {
    switch key {
    case .int, .uint, .double: self = .numbers
    case .string: self = .texts
    case .bool: self = .booleans
    case .bytes: self = .bytes
    case .timestamp: self = .timestamps
    case .duration: self = .durations
    default:
      throw StreamFailure(
        .noSuchOverload, "'\(owner)' found \(key.describedType); expected \(Self.expectation)", value: value)
    }
  }

  /// Refuses a value that cannot be compared with those before it.
  func require(_ other: NaturalOrder, owner: String, for value: Value) throws(StreamFailure) {
    guard self != other else { return }
    throw StreamFailure(
      .noSuchOverload, "'\(owner)' cannot compare \(other.rawValue) with \(rawValue)", value: value)
  }

  /// Below, at or above 0 as a value of some kind comes before, with or after another one of it; NaN comes after all
  /// other numbers.
  static func totalOrder(_ first: Value, _ second: Value) -> Int {
    if let order = first.exactOrder(second) { return order }
    return (isNaN(first) ? 1 : 0) - (isNaN(second) ? 1 : 0)
  }

  private static func isNaN(_ value: Value) -> Bool {
    if case .double(let number) = value { number.isNaN } else { false }
  }
}
