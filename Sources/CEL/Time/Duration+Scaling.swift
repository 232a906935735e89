import StreamCore

extension ArithmeticOperation {
  /// Returns the product or quotient of a duration and a number, or the ratio of two durations; nil for other operands.
  ///
  /// A duration counts whole nanoseconds here: a quotient is truncated toward zero, and a result with a double is
  /// rounded to the nearest nanosecond.
  func scale(_ left: Value, _ right: Value) throws(EvaluationError) -> Value? {
    switch (self, left, right) {
    case (.multiply, .duration(let duration), _): return try Self.product(duration, right)
    case (.multiply, _, .duration(let duration)): return try Self.product(duration, left)
    case (.divide, .duration(let a), .duration(let b)):
      let (a, b) = (try a.nanoseconds(), try b.nanoseconds())
      if b == 0 { throw Self.zeroDivision }
      return .double(Double(a) / Double(b))
    case (.divide, .duration(let duration), _): return try Self.quotient(duration, right)
    default: return nil
    }
  }

  private static func product(_ duration: Duration, _ factor: Value) throws(EvaluationError) -> Value? {
    let nanoseconds = try duration.nanoseconds()
    let product: Int64?
    switch factor {
    case .int(let number): product = Int64(exactly: Int128(nanoseconds) * Int128(number))
    case .uint(let number): product = Int64(exactly: Int128(nanoseconds) * Int128(number))
    case .double(let number): product = Int64(exactly: (Double(nanoseconds) * number).rounded(.toNearestOrEven))
    default: return nil
    }
    guard let product else { throw .tooLongDuration }
    return .duration(.nanoseconds(product))
  }

  private static func quotient(_ duration: Duration, _ divisor: Value) throws(EvaluationError) -> Value? {
    let nanoseconds = try duration.nanoseconds()
    guard let number = divisor.asDouble else { return nil }
    if number == 0 { throw zeroDivision }
    let quotient: Int64?
    switch divisor {
    case .int(let number): quotient = Int64(exactly: Int128(nanoseconds) / Int128(number))
    case .uint(let number): quotient = Int64(exactly: Int128(nanoseconds) / Int128(number))
    default: quotient = Int64(exactly: (Double(nanoseconds) / number).rounded(.toNearestOrEven))
    }
    guard let quotient else { throw .tooLongDuration }
    return .duration(.nanoseconds(quotient))
  }

  private static var zeroDivision: EvaluationError {
    EvaluationError(.divisionByZero, "a duration cannot be divided by zero")
  }
}

extension Duration {
  /// Returns the number of whole nanoseconds; throws if the duration is outside CEL's range.
  fileprivate func nanoseconds() throws(EvaluationError) -> Int64 {
    guard let nanoseconds = wholeNanoseconds else { throw .tooLongDuration }
    return nanoseconds
  }
}
