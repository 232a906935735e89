@_spi(Engine) import StreamCore

/// Makes the plan of a checked syntax tree.
struct Planner {
  let syntax: Syntax
  let types: [CELType]
  let meanings: [Checker.Meaning]
  let environment: ExpressionEnvironment
  let memory: ExpressionMemory
  /// Slots of accumulators that may hold a pending error.
  var errorSlots: Set<Int> = []
  var diagnostics = Diagnostics()
  /// Number of nodes planned so far, plus surcharges; its increase over the parts of a round is the round's cost.
  var nodeCount = 0
  /// The plan node of each node of the tree; nil unless the plan is to be explained.
  var meaningsInPlan: [Syntax.ID: PlanNode]?

  var numbers: Numbers { environment.numbers }

  init(_ checker: Checker, _ memory: ExpressionMemory = ExpressionMemory()) {
    self.memory = memory
    syntax = checker.syntax
    types = checker.types
    meanings = checker.meanings
    environment = checker.environment
  }

  mutating func plan(_ id: Syntax.ID) -> PlanNode {
    let node = makeNode(id)
    meaningsInPlan?[id] = node
    return node
  }

  private mutating func makeNode(_ id: Syntax.ID) -> PlanNode {
    nodeCount += 1
    let range = syntax.ranges[id]
    switch meanings[id] {
    case .failing(let code, let message): return FailingNode(EvaluationError(code, message, range: range))
    case .variable(let slot): return variable(slot, id)
    case .type(let name):
      return ConstantNode(.opaque(TypeValue(name)), range)
    default: break
    }
    switch syntax.nodes[id] {
    case .literal(let value): return Self.constant(value, range)
    case .select(let operand, let field, let isTest):
      // A long name takes longer to look up.
      nodeCount += field.utf8.count >> 4
      if isTest { return HasNode(plan(operand), field, range) }
      return reading(id, FieldNode(plan(operand), field, range))
    case .call: return call(id)
    case .list(let elements):
      nodeCount += Self.memoryCost
      return list(elements, range)
    case .map(let keys, let values):
      nodeCount += Self.memoryCost
      return map(keys, values, range)
    case .comprehension(let loop): return comprehension(id, loop)
    case .name, .message:
      return FailingNode(EvaluationError(.expressionFailed, "the name is not defined", range: range))
    }
  }

  /// The cost in a round of allocating a list or a map.
  private static let memoryCost = 6

  static func constant(_ value: Value, _ range: Range<Int>) -> PlanNode {
    switch value {
    case .int(let number): IntConstantNode(number, range)
    case .double(let number): DoubleConstantNode(number, range)
    default: ConstantNode(value, range)
    }
  }

  private func variable(_ slot: Int, _ id: Syntax.ID) -> PlanNode {
    let range = syntax.ranges[id]
    if errorSlots.contains(slot) { return AccumulatorNode(slot, range) }
    return reading(id, VariableNode(slot, range))
  }

  /// Converts a value that is declared a double but may be an int to a double if numbers are mixed.
  private func reading(_ id: Syntax.ID, _ node: PlanNode) -> PlanNode {
    types[id] == .double && numbers == .mixed ? DoubleReadingNode(node) : node
  }

  private mutating func list(_ elements: [Syntax.ID], _ range: Range<Int>) -> PlanNode {
    if elements.contains(where: { optional($0) != nil }) {
      return OptionalListNode(planParts(elements), range)
    }
    let nodes = planAll(elements)
    let constants = nodes.compactMap(\.constant)
    return constants.count == nodes.count ? ConstantNode(.list(constants), range) : ListNode(nodes, range)
  }

  /// Returns the expression after a question mark in a list or map; nil if there is no question mark.
  func optional(_ id: Syntax.ID) -> Syntax.ID? {
    guard case .call(Operators.optionalElement, nil, let arguments) = syntax.nodes[id] else { return nil }
    return arguments.first
  }

  private mutating func planParts(_ ids: [Syntax.ID]) -> [OptionalPart] {
    var parts: [OptionalPart] = []
    for id in ids {
      let inner = optional(id)
      parts.append(OptionalPart(node: plan(inner ?? id), isOptional: inner != nil))
    }
    return parts
  }

  mutating func planAll(_ ids: [Syntax.ID]) -> [PlanNode] {
    var nodes: [PlanNode] = []
    for id in ids { nodes.append(plan(id)) }
    return nodes
  }

  private mutating func map(_ keys: [Syntax.ID], _ values: [Syntax.ID], _ range: Range<Int>) -> PlanNode {
    let keyNodes = planAll(keys)
    if values.contains(where: { optional($0) != nil }) { return MapNode(keyNodes, planParts(values), range) }
    let valueNodes = planAll(values)
    let constants = keyNodes.compactMap(\.constant)
    guard constants.count == keys.count, constants.allSatisfy({ $0.problemAsKey == nil }),
      Set(constants.map(MapKey.init)).count == constants.count
    else {
      return MapNode(keyNodes, valueNodes.map { OptionalPart(node: $0, isOptional: false) }, range)
    }
    let shape = Shape(constants)
    let slots = valueNodes.compactMap(\.constant)
    if slots.count == valueNodes.count { return ConstantNode(.map(ValueMap(shape: shape, slots: slots)), range) }
    return RecordNode(shape, valueNodes, range)
  }
}
