internal import StreamCore
internal import StreamEngine

/// The running total of `sum` and `average`. For a sum, ints add up to an int and uints to a uint; for a mean, integers
/// add up without a limit. Any other numbers add up to a double.
struct NumberTotal: Codable, Sendable {
  let sum: Value
  @Counted private(set) var count: Int64

  /// Creates the total of `count` numbers.
  init(sum: Value, count: Int64) {
    self.sum = count == 0 ? .int(0) : sum
    self.count = count
  }

  /// Whether the sum is a number.
  var isNumber: Bool { Self.total(sum) != nil }

  /// The sum divided by the count; nil for no numbers.
  var mean: Double? {
    guard count > 0 else { return nil }
    // A double may round a large sum by more than the mean.
    guard let sum = Self.integer(sum), sum.magnitude > 1 << 53 else {
      return Self.total(sum).map { $0 / Double(count) }
    }
    let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(count))
    return Double(quotient) + Double(remainder) / Double(count)
  }

  /// Adds a number to the sum from which the mean is computed. A sum of integers that does not fit in an int is a list
  /// of its upper and its lower 64 bits.
  static func addToMean(
    _ sum: Value, _ number: Value, _ owner: String, _ value: Value
  ) throws(StreamFailure) -> Value {
    let number = try require(number, owner, value)
    if let a = integer(sum), let b = integer(number) {
      let result = a + b
      return Int64(exactly: result).map(Value.int)
        ?? [.int(Int64(result >> 64)), .uint(UInt64(truncatingIfNeeded: result))]
    }
    guard let a = total(sum), let b = double(number) else { return sum }
    return .double(a + b)
  }

  private static func total(_ sum: Value) -> Double? { double(sum) ?? integer(sum).map { Double($0) } }

  private static func integer(_ sum: Value) -> Int128? {
    switch sum {
    case .int(let value): return Int128(value)
    case .uint(let value): return Int128(value)
    case .list(let halves):
      guard halves.count == 2, case .int(let upper) = halves[0], case .uint(let lower) = halves[1] else { return nil }
      return Int128(upper) << 64 | Int128(lower)
    default: return nil
    }
  }

  /// The number, as the first of a total.
  static func require(_ number: Value, _ owner: String, _ value: Value) throws(StreamFailure) -> Value {
    guard double(number) != nil else {
      throw StreamFailure(
        .noSuchOverload, "'\(owner)' found \(number.describedType); expected numbers", value: value,
        help: TableText.help(for: [number]))
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
