package import StreamCore

/// An expression as its author wrote it, for translation to another language: comprehensions are converted back to
/// macro calls.
package indirect enum ExpressionTree: Sendable {
  case literal(Value)
  case variable(String)
  case field(of: ExpressionTree, String)
  case has(ExpressionTree, String)
  /// A call of a function or of an operator (by its symbol); a method's target comes first.
  case call(String, [ExpressionTree])
  case list([ExpressionTree])
  case map([(key: ExpressionTree, value: ExpressionTree)])
  case loop(Loop)
  /// The source text of an expression without a case here.
  case other(String)

  /// A macro over the elements of a list.
  package struct Loop: Sendable {
    package enum Kind: String, Sendable { case map, filter, all, exists, existsOne }

    package let kind: Kind
    package let range: ExpressionTree
    package let variable: String
    /// The predicate of `filter`, `all`, `exists` and `existsOne`; for `map`, the optional filter of the elements.
    package let predicate: ExpressionTree?
    /// The expression that `map` evaluates for each element; nil for other macros.
    package let element: ExpressionTree?
  }
}

extension CELExpression {
  /// Returns the expression as a tree, on a stack that is large enough for its depth.
  package func tree() throws(Diagnostics) -> ExpressionTree {
    let syntax = try parse()
    return DeepStack.run(levels: syntax.depth) { TreeReader(syntax: syntax).tree(syntax.root) }
  }
}

/// Converts a syntax tree to an `ExpressionTree`.
private struct TreeReader {
  let syntax: Syntax

  func tree(_ id: Syntax.ID) -> ExpressionTree {
    switch syntax.nodes[id] {
    case .literal(let value): .literal(value)
    case .name(let name, _): .variable(name)
    case .select(let operand, let field, let isTest):
      isTest ? .has(tree(operand), field) : .field(of: tree(operand), field)
    case .call(let function, let target, let arguments):
      .call(Operators.displayName(function), ((target.map { [$0] } ?? []) + arguments).map(tree))
    case .list(let elements): .list(elements.map(tree))
    case .map(let keys, let values): .map(zip(keys, values).map { (tree($0), tree($1)) })
    case .message: .other(syntax.text(of: id))
    case .comprehension(let loop): macro(loop) ?? .other(syntax.text(of: id))
    }
  }

  /// Returns the macro call whose expansion is a loop; nil for macros without a case here.
  private func macro(_ loop: Syntax.Comprehension) -> ExpressionTree? {
    guard loop.secondVariable == nil, case .call(let function, nil, let arguments) = syntax.nodes[loop.step] else {
      return nil
    }
    func made(_ kind: ExpressionTree.Loop.Kind, _ predicate: Syntax.ID?, _ element: Syntax.ID? = nil) -> ExpressionTree
    {
      .loop(
        ExpressionTree.Loop(
          kind: kind, range: tree(loop.range), variable: loop.variable, predicate: predicate.map(tree),
          element: element.map(tree)))
    }
    switch (function, syntax.nodes[loop.initial], arguments.count) {
    case (Operators.and, .literal(.bool(true)), 2): return made(.all, arguments[1])
    case (Operators.or, .literal(.bool(false)), 2): return made(.exists, arguments[1])
    case (Operators.conditional, .literal(.int(0)), 3): return made(.existsOne, arguments[0])
    case (Operators.add, .list([]), 2):
      return appended(arguments).map { made(.map, nil, $0) }
    case (Operators.conditional, .list([]), 3):
      guard case .call(Operators.add, nil, let sum) = syntax.nodes[arguments[1]], let element = appended(sum) else {
        return nil
      }
      if case .name(loop.variable, _) = syntax.nodes[element] { return made(.filter, arguments[0]) }
      return made(.map, arguments[0], element)
    default: return nil
    }
  }

  /// Returns the element of `accumulator + [element]`; nil for other operands.
  private func appended(_ sum: [Syntax.ID]) -> Syntax.ID? {
    guard sum.count == 2, case .list(let elements) = syntax.nodes[sum[1]], elements.count == 1 else { return nil }
    return elements[0]
  }
}
