extension Syntax {
  /// Whether both mean the same, however they are written: spaces, brackets and spellings of literals do not count.
  public func hasSameMeaning(as other: Syntax) -> Bool { isSame(root, other, other.root) }

  private func isSame(_ id: ID, _ other: Syntax, _ otherID: ID) -> Bool {
    switch (nodes[id], other.nodes[otherID]) {
    case (.literal(let first), .literal(let second)): return first == second
    case (.name(let first, let isAbsolute), .name(let second, let isSecondAbsolute)):
      return first == second && isAbsolute == isSecondAbsolute
    case (.select(let operand, let field, let isTest), .select(let operand2, let field2, let isTest2)):
      return field == field2 && isTest == isTest2 && isSame(operand, other, operand2)
    case (.call(let function, let target, let arguments), .call(let function2, let target2, let arguments2)):
      return function == function2 && isSame([target].compactMap(\.self), other, [target2].compactMap(\.self))
        && isSame(arguments, other, arguments2)
    case (.list(let elements), .list(let elements2)): return isSame(elements, other, elements2)
    case (.map(let keys, let values), .map(let keys2, let values2)):
      return isSame(keys, other, keys2) && isSame(values, other, values2)
    case (.message(let name), .message(let name2)): return name == name2
    case (.comprehension(let first), .comprehension(let second)):
      return first.variable == second.variable && first.secondVariable == second.secondVariable
        && first.accumulator == second.accumulator && isSame(first.parts, other, second.parts)
    default: return false
    }
  }

  private func isSame(_ ids: [ID], _ other: Syntax, _ otherIDs: [ID]) -> Bool {
    ids.count == otherIDs.count && zip(ids, otherIDs).allSatisfy { isSame($0, other, $1) }
  }

  /// Whether a variable of this name is asked for, or one that a macro makes.
  fileprivate func mentions(_ name: String) -> Bool {
    nodes.contains { if case .name(name, isAbsolute: _) = $0 { true } else { false } }
  }
}

extension Syntax.Comprehension {
  fileprivate var parts: [Syntax.ID] { [range, initial, condition, step, result] }
}

extension Expression {
  /// Whether both mean the same, however they are written; a text that is no expression means only itself.
  public func hasSameMeaning(as other: Expression) -> Bool {
    if self == other { return true }
    guard let first = try? parse(), let second = try? other.parse() else { return false }
    // The limit of nesting bounds the recursion.
    return DeepStack.run(levels: first.depth) { first.hasSameMeaning(as: second) }
  }

  /// Whether the expression asks for a variable; true where it cannot be told.
  public func uses(_ variable: String) -> Bool {
    guard let syntax = try? parse() else { return true }
    return syntax.mentions(variable)
  }
}
