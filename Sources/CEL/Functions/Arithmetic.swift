public import StreamCore

package enum ArithmeticOperation: Sendable {
  case add, subtract, multiply, divide, remainder

  package var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }

  var function: String { "_\(sign)_" }

  @inline(__always)
  func apply(_ a: Int64, _ b: Int64) throws(EvaluationError) -> Int64 {
    let result: (partialValue: Int64, overflow: Bool)
    switch self {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide: result = b == 0 ? (0, true) : a.dividedReportingOverflow(by: b)
    case .remainder:
      // The remainder of the smallest int by -1 is 0, though the quotient overflows.
      result = b == 0 ? (0, true) : (b == -1 ? 0 : a % b, false)
    }
    if result.overflow { throw integerFailure(a, b, isZero: b == 0) }
    return result.partialValue
  }

  func apply(_ a: UInt64, _ b: UInt64) throws(EvaluationError) -> UInt64 {
    let result: (partialValue: UInt64, overflow: Bool)
    switch self {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide: result = a.dividedReportingOverflow(by: b)
    case .remainder: result = a.remainderReportingOverflow(dividingBy: b)
    }
    if result.overflow { throw integerFailure(a, b, isZero: b == 0) }
    return result.partialValue
  }

  @inline(__always)
  func apply(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    }
  }

  private func integerFailure(
    _ a: some BinaryInteger, _ b: some BinaryInteger, isZero: Bool
  ) -> EvaluationError {
    switch self {
    case .divide where isZero: EvaluationError(.divisionByZero, "\(a) cannot be divided by zero")
    case .remainder: EvaluationError(.divisionByZero, "\(a) has no remainder of a division by zero")
    default: .overflow("\(a) \(sign) \(b) does not fit into \(a is Int64 ? "an int" : "a uint")")
    }
  }

  /// Returns the result of the operation on values of any types.
  ///
  /// - Parameter scalesDurations: Whether `*` and `/` take durations.
  package func apply(
    _ left: Value, _ right: Value, _ numbers: Numbers, _ activation: Activation, scalesDurations: Bool = true
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.double(let a), .double(let b)) where self != .remainder || numbers == .mixed:
      return .double(apply(a, b))
    case (.int(let a), .int(let b)): return .int(try apply(a, b))
    case (.uint(let a), .uint(let b)): return .uint(try apply(a, b))
    default: break
    }
    if numbers == .mixed, let a = left.asDouble, let b = right.asDouble { return .double(apply(a, b)) }
    if self == .add { return try add(left, right, activation) }
    if self == .subtract { return try subtract(left, right) }
    if scalesDurations, let result = try scale(left, right) { return result }
    throw .noOverload(sign, left, right)
  }

  private func add(_ left: Value, _ right: Value, _ activation: Activation) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.string(let a), .string(let b)):
      try activation.checkBytes(a.utf8.count + b.utf8.count)
      return .string(a + b)
    case (.bytes(let a), .bytes(let b)):
      try activation.checkBytes(a.count + b.count)
      return .bytes(a + b)
    case (.list(let a), .list(let b)):
      try activation.checkCount(a.count + b.count)
      return .list(a.elements + b.elements)
    case (.timestamp(let a), .duration(let b)), (.duration(let b), .timestamp(let a)):
      return .timestamp(try a.adding(b))
    case (.duration(let a), .duration(let b)): return .duration(try (a + b).checked())
    default: throw .noOverload(sign, left, right)
    }
  }

  private func subtract(_ left: Value, _ right: Value) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.timestamp(let a), .timestamp(let b)): return .duration(try a.duration(since: b))
    case (.timestamp(let a), .duration(let b)): return .timestamp(try a.adding(.zero - b))
    case (.duration(let a), .duration(let b)): return .duration(try (a - b).checked())
    default: throw .noOverload(sign, left, right)
    }
  }
}

extension Value {
  /// The number as a double; nil if the value is not a number.
  @inlinable package var asDouble: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
