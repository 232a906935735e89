@_spi(Engine) package import StreamCore

/// `[a, b, c]`
final class ListNode: PlanNode, @unchecked Sendable {
  let elements: [PlanNode]

  init(_ elements: [PlanNode], _ range: Range<Int>) {
    self.elements = elements
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var result: [Value] = []
    result.reserveCapacity(elements.count)
    for element in elements { result.append(try element.evaluate(activation)) }
    return .list(result)
  }
}

/// An element of a list or a value of a map; after a question mark, an optional without a value is omitted.
struct OptionalPart: Sendable {
  let node: PlanNode
  /// Whether a question mark precedes it.
  let isOptional: Bool

  func evaluate(_ activation: Activation) throws(EvaluationError) -> Value? {
    let value = try node.evaluate(activation)
    guard isOptional else { return value }
    guard let optional = value.optional else { throw node.wrongType(value, "an optional") }
    return optional.value
  }
}

/// `[a, ?b]`
final class OptionalListNode: PlanNode, @unchecked Sendable {
  let elements: [OptionalPart]

  init(_ elements: [OptionalPart], _ range: Range<Int>) {
    self.elements = elements
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var result: [Value] = []
    for element in elements {
      if let value = try element.evaluate(activation) { result.append(value) }
    }
    return .list(result)
  }
}

/// `{'a': x, 'b': y}` with constant keys: all its maps share one shape.
package final class RecordNode: PlanNode, @unchecked Sendable {
  package let shape: Shape
  package let values: [PlanNode]

  init(_ shape: Shape, _ values: [PlanNode], _ range: Range<Int>) {
    self.shape = shape
    self.values = values
    super.init(range)
  }

  package override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    .map(try ValueMap(shape: shape) { place throws(EvaluationError) in try values[place].evaluate(activation) })
  }
}

/// `{a: x, ?b: y}` with keys that are computed, or entries that may be missing.
final class MapNode: PlanNode, @unchecked Sendable {
  let keys: [PlanNode]
  let values: [OptionalPart]

  init(_ keys: [PlanNode], _ values: [OptionalPart], _ range: Range<Int>) {
    self.keys = keys
    self.values = values
    super.init(range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var pairs: [(Value, Value)] = []
    var seen: Set<MapKey> = []
    for (keyNode, valueNode) in zip(keys, values) {
      let key = try keyNode.evaluate(activation)
      if let problem = key.problemAsKey { throw problem.located(at: keyNode.range) }
      try activation.chargeEntry(key)
      if !seen.insert(MapKey(key)).inserted {
        throw EvaluationError(.expressionFailed, "the map has the key \(key.shortText) twice", range: keyNode.range)
      }
      if let value = try valueNode.evaluate(activation) { pairs.append((key, value)) }
    }
    return .map(ValueMap(pairs))
  }
}

extension Value {
  /// The error of using this value as a map key; nil if it is a valid key.
  var problemAsKey: EvaluationError? {
    switch self {
    case .bool, .int, .uint, .string: nil
    default: EvaluationError(.noSuchOverload, "\(shortText) cannot be a map key")
    }
  }
}
