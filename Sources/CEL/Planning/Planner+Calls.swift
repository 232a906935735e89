import StreamCore

extension Planner {
  mutating func call(_ id: Syntax.ID) -> PlanNode {
    guard case .call(let name, let target, let arguments) = syntax.nodes[id] else { return failing(id, "?") }
    let range = syntax.ranges[id]
    switch meanings[id] {
    case .qualifiedFunction(let function): return library(function, planAll(arguments), range)
    case .function(let function):
      if target == nil, let node = operation(function.form, id, arguments, range) { return node }
      let nodes = planAll(target.map { [$0] + arguments } ?? arguments)
      switch function.form {
      case .sum where nodes.count == 1: return sum(function, nodes[0], types[id], range)
      case .element: return elementReading(id, library(function, nodes, range))
      default: return library(function, nodes, range)
      }
    default: return failing(id, name)
    }
  }

  /// Returns the node of a sum, which starts from the zero of its type.
  private func sum(_ function: Function, _ list: PlanNode, _ type: CELType, _ range: Range<Int>) -> PlanNode {
    let zero: Value? =
      switch type {
      case .int: .int(0)
      case .uint: .uint(0)
      case .double: .double(0)
      case .duration: .duration(.zero)
      default: nil
      }
    return UnaryCallNode(
      function, list,
      { (list, activation) throws(EvaluationError) in try FunctionCatalogue.sum(list, from: zero, activation) }, range)
  }

  private func failing(_ id: Syntax.ID, _ name: String) -> PlanNode {
    FailingNode(EvaluationError(.noSuchOverload, "there is no function '\(name)'", range: syntax.ranges[id]))
  }

  /// Returns the node of an operator; nil for library functions.
  private mutating func operation(
    _ form: FunctionForm, _ id: Syntax.ID, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) -> PlanNode? {
    switch (form, arguments.count) {
    case (.library, _), (.extreme, _), (.sum, _), (.element, _), (.merge, _), (.without, _), (.rename, _),
      (.random, _), (.optionalValue, _), (.optionalDefault, _), (.optionalChoice, _), (.optionalElement, _):
      return nil
    case (_, 1):
      let node = plan(arguments[0])
      switch form {
      case .not: return NotNode(node, range)
      case .negate: return NegationNode(node, range)
      case .notStrictlyFalse: return NotStrictlyFalseNode(node, range)
      default: return nil
      }
    case (_, 2):
      let (left, right) = (plan(arguments[0]), plan(arguments[1]))
      return binary(form, left, right, id, arguments, range)
    case (.conditional, 3): return conditional(planAll(arguments), arguments, range)
    default: return nil
    }
  }

  private func binary(
    _ form: FunctionForm, _ left: PlanNode, _ right: PlanNode, _ id: Syntax.ID, _ arguments: [Syntax.ID],
    _ range: Range<Int>
  ) -> PlanNode? {
    switch form {
    case .and: return logic([left, right], arguments, decisive: false, range)
    case .or: return logic([left, right], arguments, decisive: true, range)
    case .index: return elementReading(id, IndexNode(left, right, range))
    case .optionalIndex: return OptionalIndexNode(left, right, range)
    case .optionalSelect:
      guard case .string(let field)? = right.constant else { return nil }
      return OptionalSelectNode(left, field, range)
    case .containment: return ContainmentNode(left, right, range)
    default: return numeric(form, left, right, types[arguments[0]], types[arguments[1]], types[id], range)
    }
  }

  private func elementReading(_ id: Syntax.ID, _ node: PlanNode) -> PlanNode {
    types[id] == .double && numbers == .mixed ? DoubleReadingNode(node) : node
  }

  /// Chooses the node on unboxed numbers if the operand types are known.
  private func numeric(
    _ form: FunctionForm, _ left: PlanNode, _ right: PlanNode, _ leftType: CELType, _ rightType: CELType,
    _ result: CELType, _ range: Range<Int>
  ) -> PlanNode? {
    let areInts = leftType == .int && rightType == .int
    let areDoubles =
      (leftType == .double || rightType == .double) && leftType.isNumber && rightType.isNumber
      && (numbers == .mixed || leftType == rightType)
    switch form {
    case .arithmetic(let operation):
      if areInts { return folded(IntArithmeticNode(operation, left, right, range), left, right) }
      if areDoubles, operation != .remainder || numbers == .mixed {
        return folded(DoubleArithmeticNode(operation, left, right, range), left, right)
      }
      let scalesDurations = leftType == .duration || rightType == .duration || !result.isNumber
      return AnyArithmeticNode(operation, left, right, numbers, scalesDurations: scalesDurations, range)
    case .comparison(let comparison):
      if areInts { return IntComparisonNode(comparison, left, right, range) }
      if areDoubles { return DoubleComparisonNode(comparison, left, right, range) }
      return AnyComparisonNode(comparison, left, right, range)
    case .equality(let isNegated):
      return areInts
        ? IntEqualityNode(left, right, isNegated: isNegated, range)
        : EqualityNode(left, right, isNegated: isNegated, range)
    default: return nil
    }
  }

  /// Folds arithmetic on constants, unless it fails.
  private func folded(_ node: PlanNode, _ left: PlanNode, _ right: PlanNode) -> PlanNode {
    guard left.constant != nil, right.constant != nil else { return node }
    do throws(EvaluationError) {
      return Self.constant(try node.evaluate(Activation(slotCount: 0)), node.range)
    } catch {
      return node
    }
  }

  private mutating func library(_ function: Function, _ arguments: [PlanNode], _ range: Range<Int>) -> PlanNode {
    if let place = function.zone, arguments.count > place { checkZone(arguments[place]) }
    if let pattern = function.pattern, arguments.count > pattern.place,
      case .string(let text)? = arguments[pattern.place].constant
    {
      return matching(function, pattern, text, arguments, range)
    }
    var arguments = arguments
    if numbers == .mixed && function.takesOnlyDoubles { arguments = arguments.map(DoubleReadingNode.init) }
    for body in function.bodies(numbers) {
      switch (body, arguments.count) {
      case (.none(let body), 0):
        return CallNode(function, [], { (_, activation) throws(EvaluationError) in try body(activation) }, range)
      case (.one(let body), 1): return UnaryCallNode(function, arguments[0], body, range)
      case (.two(let body), 2): return BinaryCallNode(function, arguments[0], arguments[1], body, range)
      case (.three(let body), 3):
        return CallNode(
          function, arguments,
          { (values, activation) throws(EvaluationError) in
            try body(values[0], values[1], values[2], activation)
          }, range)
      case (.many(let body), _): return CallNode(function, arguments, body, range)
      default: continue
      }
    }
    return FailingNode(
      EvaluationError(
        .noSuchOverload, "'\(function.name)' cannot be called with \(arguments.count) arguments", range: range))
  }

  /// Reports a constant that is to name a time zone and does not.
  private mutating func checkZone(_ argument: PlanNode) {
    guard environment.checksEnabled, case .string(let zone)? = argument.constant else { return }
    do throws(EvaluationError) {
      _ = try CalendarZone(zone)
    } catch {
      diagnostics.append(
        Diagnostic(
          .invalidLiteral, error.message, part: .text(argument.range), help: CalendarZone.help(for: zone)))
    }
  }

  /// Compiles a constant pattern during planning; a mistake in it is a mistake in the expression.
  private mutating func matching(
    _ function: Function, _ pattern: Function.Pattern, _ text: String, _ arguments: [PlanNode], _ range: Range<Int>
  ) -> PlanNode {
    guard memory.patternSize <= ExpressionMemory.patternLimit else {
      diagnostics.append(
        Diagnostic(
          .expressionTooLarge,
          "the regular expressions of the file have more than \(ExpressionMemory.patternLimit) instructions",
          part: .text(range), help: "repeat less: a{1000} has 1,000 instructions"))
      return FailingNode(EvaluationError(.expressionTooLarge, "too many regular expressions", range: range))
    }
    do throws(PatternProblem) {
      let prepared = try pattern.prepare(text, arguments.map(\.constant))
      memory.patternSize += prepared.size
      return CallNode(function, arguments, prepared.body, range)
    } catch {
      let argument = arguments[error.argument]
      var place = argument.range
      if case .string(let content)? = argument.constant {
        place = syntax.place(of: error.place, in: content, literal: argument.range)
      }
      if environment.checksEnabled {
        diagnostics.append(Diagnostic(.invalidLiteral, error.failure.message, part: .text(place)))
      }
      return FailingNode(error.failure.located(at: place))
    }
  }
}

extension Syntax {
  /// Returns the byte range of a character of a string literal within the expression; that of the whole literal if it
  /// contains escapes.
  ///
  /// - Parameter place: The index of the character, in Unicode scalars.
  func place(of place: Int?, in content: String, literal: Range<Int>) -> Range<Int> {
    guard let place else { return literal }
    let written = Array(text.utf8)[literal]
    let isTriple = written.count >= 6 && written.suffix(3).allSatisfy { $0 == written.last }
    let start = written.endIndex - (isTriple ? 3 : 1) - content.utf8.count
    guard (1...4).contains(start - literal.lowerBound), written[start...].starts(with: content.utf8) else {
      return literal
    }
    let scalars = content.unicodeScalars
    guard let found = scalars.index(scalars.startIndex, offsetBy: place, limitedBy: scalars.endIndex),
      found < scalars.endIndex
    else { return literal }
    let lower = start + content.utf8.distance(from: content.startIndex, to: found)
    return lower..<lower + UTF8.width(scalars[found])
  }
}
