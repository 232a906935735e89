@_spi(Engine) package import StreamCore

/// `operand.field`
package final class FieldNode: PlanNode, @unchecked Sendable {
  package let operand: PlanNode
  package let field: String
  /// The index of this access in the activation's field caches.
  private let access = FieldCacheTable.nextAccess()
  /// The slot if the operand is a plain variable; -1 otherwise.
  private let slot: Int

  init(_ operand: PlanNode, _ field: String, _ range: Range<Int>) {
    self.operand = operand
    self.field = field
    slot = (operand as? VariableNode)?.slot ?? -1
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    if slot >= 0, let value = known(activation.slots[slot], activation) { return value }
    return try field(of: try operand.evaluate(activation), activation)
  }

  package override func evaluateDouble(_ activation: Activation) throws(EvaluationError) -> Double {
    if slot >= 0, let number = knownDouble(activation.slots[slot], activation) { return number }
    return try super.evaluateDouble(activation)
  }

  package override func evaluateInt(_ activation: Activation) throws(EvaluationError) -> Int64 {
    if slot >= 0, let number = knownInt(activation.slots[slot], activation) { return number }
    return try super.evaluateInt(activation)
  }

  // The field of a variable is read in place, without copying the value.
  // NB: The parameters are `borrowing`, and the functions are not inlined: inlined code would retain the map's shape
  // and slots, which takes as long as all the rest.

  /// Returns the field; nil if its place in maps of this shape is not cached.
  @inline(never)
  private func known(_ value: borrowing Value, _ activation: Activation) -> Value? {
    switch value {
    case .map(let map): activation.fieldCaches.place(access, map.shape).map { map.slots[$0] }
    default: nil
    }
  }

  @inline(never)
  private func knownDouble(_ value: borrowing Value, _ activation: Activation) -> Double? {
    switch value {
    case .map(let map):
      guard let place = activation.fieldCaches.place(access, map.shape) else { return nil }
      switch map.slots[place] {
      case .double(let number): return number
      default: return nil
      }
    default: return nil
    }
  }

  @inline(never)
  private func knownInt(_ value: borrowing Value, _ activation: Activation) -> Int64? {
    switch value {
    case .map(let map):
      guard let place = activation.fieldCaches.place(access, map.shape) else { return nil }
      switch map.slots[place] {
      case .int(let number): return number
      default: return nil
      }
    default: return nil
    }
  }

  private func field(of value: Value, _ activation: Activation) throws(EvaluationError) -> Value {
    guard case .map(let map) = value else { return try value.optionalField(field, range) }
    if let place = activation.fieldCaches.place(access, map.shape) { return map.slots[place] }
    guard let place = map.shape.index(of: field) else {
      throw EvaluationError(.noSuchKey, "there is no field '\(field)'", range: range)
    }
    activation.fieldCaches.remember(access, map.shape, place)
    return map.slots[place]
  }
}

/// `has(operand.field)`
package final class HasNode: UnaryNode, @unchecked Sendable {
  package let field: String

  init(_ operand: PlanNode, _ field: String, _ range: Range<Int>) {
    self.field = field
    super.init(operand, range)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let value = try operand.evaluate(activation)
    if case .map(let map) = value { return map.shape.index(of: field) != nil }
    return try value.optionalField(field, range).hasOptionalValue
  }
}

/// `operand[key]`
package final class IndexNode: BinaryNode, @unchecked Sendable {
  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let value = try left.evaluate(activation)
    let key = try right.evaluate(activation)
    switch value {
    case .list(let list):
      guard let index = key.exactInt else {
        throw EvaluationError(.noSuchOverload, "\(key.shortText) is not a list index", range: range)
      }
      guard index >= 0, index < list.count else {
        let what = "the list has \(list.count.counted("element")); there is no index \(index)"
        throw EvaluationError(.indexOutOfBounds, what, range: range)
      }
      return list[Int(index)]
    case .map(let map):
      guard let found = try activation.value(of: key, in: map) else {
        throw EvaluationError.noSuchKey(key).located(at: range)
      }
      return found
    default:
      guard let optional = value.optional else {
        throw EvaluationError.noOverload("[ ]", value, key).located(at: range)
      }
      guard let inner = optional.value else { return value }
      return .optional(try inner.element(key, range, activation))
    }
  }
}

/// `element in container`
package final class ContainmentNode: BinaryNode, @unchecked Sendable {
  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    let value = try left.evaluate(activation)
    let container = try right.evaluate(activation)
    switch container {
    case .list(let list):
      for candidate in list {
        try activation.charge(4)
        if try candidate.isEqual(to: value, activation) { return true }
      }
      return false
    case .map(let map):
      return try activation.value(of: value, in: map) != nil
    default: throw EvaluationError.noOverload("in", value, container).located(at: range)
    }
  }
}

extension Value {
  func noField(_ field: String, _ range: Range<Int>) -> EvaluationError {
    EvaluationError(.noSuchOverload, "a value of type \(typeName) has no field '\(field)'", range: range)
  }

  /// The number as an index; nil if it has a fraction, does not fit, or the value is not a number.
  package var exactInt: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }
}
