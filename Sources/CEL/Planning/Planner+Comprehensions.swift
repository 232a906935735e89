import StreamCore

extension Planner {
  mutating func comprehension(_ id: Syntax.ID, _ loop: Syntax.Comprehension) -> PlanNode {
    let range = syntax.ranges[id]
    guard case .loop(let variable, let second, let accumulator) = meanings[id] else {
      return FailingNode(EvaluationError(.expressionFailed, "the loop has no meaning", range: range))
    }
    if isBinding(loop) { return BindingNode(accumulator, plan(loop.initial), plan(loop.result), range) }
    let list = plan(loop.range)
    if let second, let insertion = insertion(loop) {
      let before = nodeCount
      let predicate = insertion.predicate.map { plan($0) }
      let key = insertion.key.map { plan($0) }
      let value = plan(insertion.value)
      return CollectMapNode(
        .init(
          collection: list, first: variable, second: second, predicate: predicate, key: key, value: value,
          cost: nodeCount - before), range)
    }
    if let append = appending(loop) {
      let before = nodeCount
      let predicate = append.predicate.map { plan($0) }
      let element = plan(append.element)
      return CollectNode(
        list, variable: variable, second: second, predicate: predicate, element: element, cost: nodeCount - before,
        range)
    }
    let keepsErrors = self.keepsErrors(loop)
    let initial = plan(loop.initial)
    let hadErrors = errorSlots.contains(accumulator)
    if keepsErrors { errorSlots.insert(accumulator) } else { errorSlots.remove(accumulator) }
    let before = nodeCount
    let condition = plan(loop.condition)
    let step = plan(loop.step)
    let cost = nodeCount - before
    let result = plan(loop.result)
    if hadErrors { errorSlots.insert(accumulator) } else { errorSlots.remove(accumulator) }
    return FoldNode(
      .init(
        list: list, variable: variable, second: second, accumulator: accumulator, initial: initial,
        condition: condition, step: step, result: result, keepsErrors: keepsErrors, cost: cost), range)
  }

  private func keepsErrors(_ loop: Syntax.Comprehension) -> Bool {
    if case .call(Operators.notStrictlyFalse, _, _) = syntax.nodes[loop.condition] { return true }
    return false
  }

  /// Whether a loop only binds a name to a value, as the expansion of `cel.bind` does.
  private func isBinding(_ loop: Syntax.Comprehension) -> Bool {
    guard case .list(let elements) = syntax.nodes[loop.range], elements.isEmpty,
      case .literal(.bool(false)) = syntax.nodes[loop.condition]
    else { return false }
    return true
  }

  /// Returns the entry that a loop's step inserts into its map, with its predicate; nil if the step does anything else.
  private func insertion(
    _ loop: Syntax.Comprehension
  ) -> (predicate: Syntax.ID?, key: Syntax.ID?, value: Syntax.ID)? {
    var predicate: Syntax.ID?
    var step = loop.step
    if case .call(Operators.conditional, nil, let parts) = syntax.nodes[step], parts.count == 3 {
      predicate = parts[0]
      step = parts[1]
    }
    guard case .call(Operators.mapInsert, nil, let arguments) = syntax.nodes[step], let value = arguments.last else {
      return nil
    }
    return (predicate, arguments.count == 3 ? arguments[1] : nil, value)
  }

  /// Returns the element that a loop appends to its list, with its predicate; nil if the loop does anything else.
  private func appending(
    _ loop: Syntax.Comprehension
  ) -> (predicate: Syntax.ID?, element: Syntax.ID)? {
    // NB: The step of 'fold' may read its accumulator.
    guard loop.accumulator == Parser.accumulator, case .list(let start) = syntax.nodes[loop.initial], start.isEmpty,
      isAccumulator(loop.result, loop),
      case .literal(.bool(true)) = syntax.nodes[loop.condition]
    else { return nil }
    if let element = appended(loop.step, loop) { return (nil, element) }
    guard case .call(Operators.conditional, nil, let parts) = syntax.nodes[loop.step], parts.count == 3,
      let element = appended(parts[1], loop), isAccumulator(parts[2], loop)
    else { return nil }
    return (parts[0], element)
  }

  private func appended(_ id: Syntax.ID, _ loop: Syntax.Comprehension) -> Syntax.ID? {
    guard case .call(Operators.add, nil, let sides) = syntax.nodes[id], sides.count == 2,
      isAccumulator(sides[0], loop), case .list(let elements) = syntax.nodes[sides[1]], elements.count == 1
    else { return nil }
    return elements[0]
  }

  private func isAccumulator(_ id: Syntax.ID, _ loop: Syntax.Comprehension) -> Bool {
    if case .name(loop.accumulator, isAbsolute: false) = syntax.nodes[id] { return true }
    return false
  }
}
