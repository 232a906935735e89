import StreamCore

/// A comprehension in its general form: folds an accumulator over a list's elements or a map's keys.
final class FoldNode: PlanNode, @unchecked Sendable {
  struct Parts: Sendable {
    var list: PlanNode
    var variable: Int
    var second: Int?
    var accumulator: Int
    var initial: PlanNode
    var condition: PlanNode
    var step: PlanNode
    var result: PlanNode
    /// Whether an error in a step is kept in the accumulator, as `all` and `exists` require.
    var keepsErrors: Bool
    /// The cost of each round.
    var cost: Int
  }

  let parts: Parts

  init(_ parts: Parts, _ range: Range<Int>) {
    self.parts = parts
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let collection = try parts.list.evaluate(activation)
    let initial = try parts.initial.evaluate(activation)
    activation.slots[parts.accumulator] = initial
    defer { activation.slots[parts.accumulator] = .null }
    switch collection {
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        if let second = parts.second {
          if try !round(activation, .int(Int64(index)), element, second) { break }
        } else if try !round(activation, element, .null, nil) {
          break
        }
      }
    case .map(let map):
      for (key, value) in map.pairs where try !round(activation, key, value, parts.second) { break }
    default:
      throw EvaluationError(
        .noSuchOverload, "a value of type \(collection.typeName) has no elements to iterate over",
        range: parts.list.range)
    }
    return try parts.result.evaluate(activation)
  }

  /// Executes one round; returns false when the loop ends.
  private func round(
    _ activation: Activation, _ first: Value, _ other: Value, _ second: Int?
  ) throws(EvaluationError) -> Bool {
    try activation.charge(parts.cost + CollectNode.roundCost)
    activation.slots[parts.variable] = first
    if let second { activation.slots[second] = other }
    if try !parts.condition.evaluateBool(activation) { return false }
    do throws(EvaluationError) {
      let next = try parts.step.evaluate(activation)
      activation.slots[parts.accumulator] = next
    } catch {
      if !parts.keepsErrors || error.code == .budgetExceeded { throw error }
      try activation.chargeError()
      activation.slots[parts.accumulator] = .opaque(PendingError(error))
    }
    return true
  }
}

/// `map` and `filter`: a loop that only appends to its result, without copying it.
final class CollectNode: PlanNode, @unchecked Sendable {
  let list: PlanNode
  let variable: Int
  let second: Int?
  let predicate: PlanNode?
  let element: PlanNode
  let cost: Int

  /// The cost of each round in addition to that of its nodes: for reading an element and storing its result.
  static let roundCost = 4

  init(
    _ list: PlanNode, variable: Int, second: Int?, predicate: PlanNode?, element: PlanNode, cost: Int,
    _ range: Range<Int>
  ) {
    self.list = list
    self.variable = variable
    self.second = second
    self.predicate = predicate
    self.element = element
    self.cost = cost
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    let collection = try list.evaluate(activation)
    if let second { return try transformed(collection, second, activation) }
    let elements: [Value]
    switch collection {
    case .list(let list): elements = list.elements
    case .map(let map): elements = map.keys
    default:
      throw EvaluationError(
        .noSuchOverload, "a value of type \(collection.typeName) has no elements to iterate over", range: list.range)
    }
    var result: [Value] = []
    if predicate == nil { result.reserveCapacity(elements.count) }
    for each in elements {
      try activation.charge(cost + Self.roundCost)
      activation.slots[variable] = each
      if let predicate, try !predicate.evaluateBool(activation) { continue }
      result.append(try element.evaluate(activation))
    }
    return .list(result)
  }

  private func transformed(
    _ collection: Value, _ second: Int, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    var result: [Value] = []
    for (key, value) in try collection.entries(list.range, activation) {
      try activation.charge(cost + Self.roundCost)
      activation.slots[variable] = key
      activation.slots[second] = value
      if let predicate, try !predicate.evaluateBool(activation) { continue }
      result.append(try element.evaluate(activation))
    }
    return .list(result)
  }
}
