import StreamCore

extension CELExpression {
  /// Returns the fields of a variable that the expression reads, if it uses the variable in no other form; nil if it
  /// may read the whole value.
  ///
  /// The forms are `value.field`, `has(value.field)` and `value['field']`.
  public func fieldsRead(of variable: String) -> Set<String>? {
    guard let syntax = try? parse() else { return nil }
    var fields: Set<String> = []
    // The occurrences of the name as the operand of a field access. A loop variable of this name counts as well, which
    // can only add fields.
    var selected: Set<Syntax.ID> = []
    for node in syntax.nodes {
      guard let (operand, field) = syntax.selection(node), syntax.isName(operand, variable) else { continue }
      selected.insert(operand)
      fields.insert(field)
    }
    for (id, node) in syntax.nodes.enumerated() {
      if case .name(variable, _) = node, !selected.contains(id) { return nil }
    }
    return fields
  }
}

extension Syntax {
  /// Returns the operand and the field's name if a node reads a field by a literal name; nil otherwise.
  fileprivate func selection(_ node: Node) -> (operand: ID, field: String)? {
    switch node {
    case .select(let operand, let field, _): return (operand, field)
    case .call(let function, nil, let arguments) where function == Operators.index && arguments.count == 2:
      guard case .literal(.string(let field)) = nodes[arguments[1]] else { return nil }
      return (arguments[0], field)
    default: return nil
    }
  }

  fileprivate func isName(_ id: ID, _ name: String) -> Bool {
    if case .name(name, _) = nodes[id] { true } else { false }
  }
}
