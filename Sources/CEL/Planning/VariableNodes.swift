package import StreamCore

/// A variable, or the variable of a loop.
package final class VariableNode: PlanNode, @unchecked Sendable {
  package let slot: Int

  init(_ slot: Int, _ range: Range<Int>) {
    self.slot = slot
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value { activation.slots[slot] }

  package override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    if case .int(let number) = activation.slots[slot] { return number }
    throw wrongType(activation.slots[slot], "an int")
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    switch activation.slots[slot] {
    case .double(let number): return number
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    default: throw wrongType(activation.slots[slot], "a number")
    }
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    if case .bool(let flag) = activation.slots[slot] { return flag }
    throw wrongType(activation.slots[slot], "a bool")
  }
}

/// A double operand that may hold an integer, which is converted to a double here.
package final class DoubleReadingNode: PlanNode, @unchecked Sendable {
  package let source: PlanNode

  init(_ source: PlanNode) {
    self.source = source
    super.init(source.range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try source.evaluate(activation)
    switch value {
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    default: return value
    }
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    try source.evaluateDouble(activation)
  }
}

/// The accumulator of a loop that continues after errors; a pending error stays in the slot until it is read.
final class AccumulatorNode: PlanNode, @unchecked Sendable {
  let slot: Int

  init(_ slot: Int, _ range: Range<Int>) {
    self.slot = slot
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = activation.slots[slot]
    if case .opaque(let opaque) = value, let pending = opaque as? PendingError { throw pending.error }
    return value
  }
}

/// A pending error in an accumulator's slot.
final class PendingError: OpaqueValue {
  let error: EvaluationError

  init(_ error: EvaluationError) { self.error = error }

  var typeName: String { "error" }
  var description: String { error.message }
  func isEqual(to other: any OpaqueValue) -> Bool { other === self }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
