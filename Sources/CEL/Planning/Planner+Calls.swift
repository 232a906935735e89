import StreamCore

extension Planner {
  mutating func call(_ id: Syntax.ID) -> PlanNode {
    guard case .call(let name, let target, let arguments) = syntax.nodes[id] else { return failing(id, "?") }
    let range = syntax.ranges[id]
    switch meanings[id] {
    case .qualifiedFunction(let function): return library(function, planAll(arguments), range)
    case .function(let function):
      if target == nil, let node = operation(name, id, arguments, range) { return node }
      return library(function, planAll((target.map { [$0] } ?? []) + arguments), range)
    default: return failing(id, name)
    }
  }

  private func failing(_ id: Syntax.ID, _ name: String) -> PlanNode {
    FailingNode(EvaluationError(.noSuchOverload, "there is no function '\(name)'", range: syntax.ranges[id]))
  }

  /// The node of an operator; nil for the functions of the library.
  private mutating func operation(
    _ name: String, _ id: Syntax.ID, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) -> PlanNode? {
    guard
      name.hasPrefix("_") || name == Operators.in || name == Operators.notStrictlyFalse || name == Operators.not
        || name == Operators.negate
    else {
      return nil
    }
    let nodes = planAll(arguments)
    switch (name, nodes.count) {
    case (Operators.not, 1): return NotNode(nodes[0], range)
    case (Operators.negate, 1): return NegationNode(nodes[0], range)
    case (Operators.notStrictlyFalse, 1): return NotStrictlyFalseNode(nodes[0], range)
    case (Operators.conditional, 3): return conditional(nodes, arguments, range)
    case (Operators.and, 2): return logic(nodes, arguments, decisive: false, range)
    case (Operators.or, 2): return logic(nodes, arguments, decisive: true, range)
    case (Operators.index, 2): return elementReading(id, IndexNode(nodes[0], nodes[1], range))
    case (Operators.optionalIndex, 2): return OptionalIndexNode(nodes[0], nodes[1], range)
    case (Operators.optionalSelect, 2):
      guard case .string(let field)? = nodes[1].constant else { return nil }
      return OptionalSelectNode(nodes[0], field, range)
    case (Operators.in, 2): return ContainmentNode(nodes[0], nodes[1], range)
    case (_, 2): return binary(name, nodes, arguments.map { types[$0] }, range)
    default: return nil
    }
  }

  private func elementReading(_ id: Syntax.ID, _ node: PlanNode) -> PlanNode {
    types[id] == .double && numbers == .mixed ? DoubleReadingNode(node) : node
  }

  /// Chooses the unboxed form where the types are known.
  private func binary(
    _ name: String, _ nodes: [PlanNode], _ types: [CELType], _ range: Range<Int>
  ) -> PlanNode? {
    let (left, right) = (nodes[0], nodes[1])
    let areInts = types[0] == .int && types[1] == .int
    let areDoubles =
      types.contains(.double) && types.allSatisfy(\.isNumber) && (numbers == .mixed || types[0] == types[1])
    if let operation = ArithmeticOperation(function: name) {
      if areInts { return folded(IntArithmeticNode(operation, left, right, range)) }
      if areDoubles, operation != .remainder || numbers == .mixed {
        return folded(DoubleArithmeticNode(operation, left, right, range))
      }
      return AnyArithmeticNode(operation, left, right, numbers, range)
    }
    if let comparison = Comparison(function: name) {
      if areInts { return IntComparisonNode(comparison, left, right, range) }
      if areDoubles { return DoubleComparisonNode(comparison, left, right, range) }
      return AnyComparisonNode(comparison, left, right, range)
    }
    guard name == Operators.equal || name == "_!=_" else { return nil }
    let isNegated = name != Operators.equal
    return areInts
      ? IntEqualityNode(left, right, isNegated: isNegated, range)
      : EqualityNode(left, right, isNegated: isNegated, range)
  }

  /// Arithmetic on constants is done beforehand, unless it fails.
  private func folded(_ node: PlanNode) -> PlanNode {
    let sides: [PlanNode] =
      switch node {
      case let node as IntArithmeticNode: [node.left.node, node.right.node]
      case let node as DoubleArithmeticNode: [node.left.node, node.right.node]
      default: []
      }
    guard !sides.isEmpty, sides.allSatisfy({ $0.constant != nil }) else { return node }
    do throws(EvaluationError) {
      return Self.constant(try node.evaluate(Activation(slotCount: 0)), node.range)
    } catch {
      return node
    }
  }

  private mutating func library(_ function: Function, _ arguments: [PlanNode], _ range: Range<Int>) -> PlanNode {
    if function.name == "matches", arguments.count == 2, case .string(let pattern)? = arguments[1].constant {
      return matching(arguments[0], pattern, arguments[1].range, range)
    }
    var arguments = arguments
    if numbers == .mixed && function.takesOnlyDoubles { arguments = arguments.map(DoubleReadingNode.init) }
    for body in function.bodies {
      switch (body, arguments.count) {
      case (.none(let body), 0):
        return CallNode(function.name, [], { (_, activation) throws(EvaluationError) in try body(activation) }, range)
      case (.one(let body), 1): return UnaryCallNode(function.name, arguments[0], body, range)
      case (.two(let body), 2): return BinaryCallNode(function.name, arguments[0], arguments[1], body, range)
      case (.three(let body), 3):
        return CallNode(
          function.name, arguments,
          { (values, activation) throws(EvaluationError) in
            try body(values[0], values[1], values[2], activation)
          }, range)
      case (.many(let body), _): return CallNode(function.name, arguments, body, range)
      default: continue
      }
    }
    return FailingNode(
      EvaluationError(
        .noSuchOverload, "'\(function.name)' cannot be called with \(arguments.count) arguments", range: range))
  }

  /// A pattern that is written in the expression is compiled here, and a mistake in it is one of the expression.
  private mutating func matching(
    _ text: PlanNode, _ pattern: String, _ place: Range<Int>, _ range: Range<Int>
  ) -> PlanNode {
    let regex: Regex
    do throws(EvaluationError) {
      regex = try Regex(pattern)
    } catch {
      if environment.checksEnabled {
        diagnostics.append(Diagnostic(.invalidLiteral, error.message, part: .text(place)))
      }
      return FailingNode(error.located(at: place))
    }
    return UnaryCallNode(
      "matches \(pattern)", text,
      { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("matches", value, .string(pattern)) }
        return .bool(try regex.matches(text, activation))
      }, range)
  }
}
