internal import StreamCore
internal import StreamRuntime

/// The running total of `sum` and `average`: ints add up to an int and uints to a uint; any other numbers add up to a
/// double.
struct NumberTotal: Codable, Sendable {
  let sum: Value
  @Counted private(set) var count: Int64

  /// Creates the total of `count` numbers.
  init(sum: Value, count: Int64) {
    self.sum = count == 0 ? .int(0) : sum
    self.count = count
  }

  /// Whether the sum is a number.
  var isNumber: Bool { Self.double(sum) != nil }

  /// The sum divided by the count; nil for no numbers.
  var mean: Double? {
    count == 0 ? nil : Self.double(sum).map { $0 / Double(count) }
  }

  /// The number, as the first of a total.
  static func require(_ number: Value, _ owner: String, _ value: Value) throws(StreamFailure) -> Value {
    guard double(number) != nil else {
      throw StreamFailure(
        .noSuchOverload, "'\(owner)' found \(number.describedType); expected numbers", value: value)
    }
    return number
  }

  static func add(
    _ sum: Value, _ number: Value, _ owner: String, _ value: Value
  ) throws(StreamFailure) -> Value {
    switch (sum, number) {
    case (.int(let a), .int(let b)):
      let (result, overflow) = a.addingReportingOverflow(b)
      if overflow { throw Self.overflow("\(a) + \(b)", "an int", owner, value) }
      return .int(result)
    case (.uint(let a), .uint(let b)):
      let (result, overflow) = a.addingReportingOverflow(b)
      if overflow { throw Self.overflow("\(a) + \(b)", "a uint", owner, value) }
      return .uint(result)
    default:
      guard let a = double(sum), let b = double(try require(number, owner, value)) else { return sum }
      return .double(a + b)
    }
  }

  private static func overflow(
    _ what: String, _ type: String, _ owner: String, _ value: Value
  ) -> StreamFailure {
    StreamFailure(.overflow, "'\(owner)': \(what) does not fit into \(type)", value: value)
  }

  private static func double(_ number: Value) -> Double? {
    switch number {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
