@_spi(Engine) package import StreamCore

/// A name bound to a value, which is evaluated once, before its uses.
package final class BindingNode: PlanNode, @unchecked Sendable {
  package let slot: Int
  package let value: PlanNode
  package let result: PlanNode

  init(_ slot: Int, _ value: PlanNode, _ result: PlanNode, _ range: Range<Int>) {
    self.slot = slot
    self.value = value
    self.result = result
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    activation.slots[slot] = try value.evaluate(activation)
    defer { activation.slots[slot] = .null }
    return try result.evaluate(activation)
  }

  package override func evaluateBool(_ activation: Activation) throws(EvaluationError) -> Bool {
    activation.slots[slot] = try value.evaluate(activation)
    defer { activation.slots[slot] = .null }
    return try result.evaluateBool(activation)
  }
}

/// `transformMap` and `transformMapEntry`: a loop that only inserts into a map.
final class CollectMapNode: PlanNode, @unchecked Sendable {
  struct Parts: Sendable {
    var collection: PlanNode
    var first: Int
    var second: Int
    var predicate: PlanNode?
    /// The key of each entry; nil if `value` evaluates to a map of entries.
    var key: PlanNode?
    var value: PlanNode
    /// The cost of each round.
    var cost: Int
  }

  let parts: Parts

  init(_ parts: Parts, _ range: Range<Int>) {
    self.parts = parts
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var entries = MapBuilder()
    for (first, second) in try parts.collection.evaluate(activation).entries(parts.collection.range, activation) {
      try activation.charge(parts.cost + CollectNode.roundCost)
      activation.slots[parts.first] = first
      activation.slots[parts.second] = second
      if let predicate = parts.predicate, try !predicate.evaluateBool(activation) { continue }
      if let key = parts.key {
        try entries.insert(try key.evaluate(activation), try parts.value.evaluate(activation), range, activation)
      } else {
        let made = try parts.value.evaluate(activation)
        guard case .map(let map) = made else { throw parts.value.wrongType(made, "a map") }
        for (key, value) in map.pairs { try entries.insert(key, value, range, activation) }
      }
    }
    return .map(entries.map)
  }
}

/// Builds a map entry by entry.
private struct MapBuilder {
  private var keys: [Value] = []
  private var values: [Value] = []
  private var known: Set<MapKey> = []

  var map: ValueMap { ValueMap(shape: keys.isEmpty ? .empty : Shape(keys), slots: values) }

  mutating func insert(
    _ key: Value, _ value: Value, _ range: Range<Int>, _ activation: Activation
  ) throws(EvaluationError) {
    try activation.chargeEntry(key)
    if let problem = key.problemAsKey { throw problem.located(at: range) }
    guard known.insert(MapKey(key)).inserted else {
      throw EvaluationError(.expressionFailed, "the map has the key \(key.shortText) twice", range: range)
    }
    keys.append(key)
    values.append(value)
  }
}

extension Value {
  /// Returns the indices and elements of a list, or the keys and values of a map.
  func entries(_ range: Range<Int>, _ activation: Activation) throws(EvaluationError) -> [(Value, Value)] {
    switch self {
    case .list(let elements):
      try activation.charge(elements.count * 4)
      return elements.enumerated().map { (.int(Int64($0)), $1) }
    case .map(let map):
      try activation.charge(map.count * 4)
      return Array(map.pairs)
    default:
      throw EvaluationError(
        .noSuchOverload, "a value of type \(typeName) has no elements to iterate over", range: range)
    }
  }
}
