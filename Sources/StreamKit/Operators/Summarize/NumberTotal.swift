internal import StreamCore
internal import StreamRuntime

/// The running total of `sum` and `average`: ints add up to an int and uints to a uint; any other numbers add up to a
/// double.
struct NumberTotal: Codable, Sendable {
  private(set) var sum = Value.int(0)
  @Counted private(set) var count: Int64 = 0

  init() {}

  /// Creates the total of `count` numbers.
  init(sum: Value, count: Int64) {
    self.sum = count == 0 ? .int(0) : sum
    self.count = count
  }

  /// Whether the sum is a number.
  var isNumber: Bool { Self.double(sum) != nil }

  /// Adds a number.
  ///
  /// - Parameters:
  /// - owner: The operator, for the failure.
  /// - value: The value that the number was computed from, for the failure.
  /// - Throws: If it is not a number, or the sum overflows.
  mutating func add(_ number: Value, owner: String, for value: Value) throws(StreamFailure) {
    sum = count == 0 ? try Self.require(number, owner, value) : try Self.add(sum, number, owner, value)
    count += 1
  }

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
