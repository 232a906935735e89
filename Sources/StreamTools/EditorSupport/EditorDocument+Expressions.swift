internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorDocument {
  /// An expression of the file that the cursor is in.
  struct PlacedExpression {
    let help: ExpressionHelp
    let text: TolerantText
    /// The names of the parameters that it can use.
    let parameters: Set<String>

    /// Returns the bytes of the file for a part of the expression.
    func range(of part: Range<Int>) -> Range<Int> { text.range(of: part) }
  }

  /// The expression that a string is; nil for a string that is none.
  func expression(at node: Int) -> PlacedExpression? {
    guard tree.nodes[node].kind == .string, let variables = variables(at: node) else { return nil }
    let text = TolerantText(tree.bytes, tree.nodes[node].range, isClosed: tree.nodes[node].isClosed)
    let names = variables.filter { !$0.name.isEmpty }
    let parameters = parameters(visibleFrom: node).filter { parameter in !names.contains { $0.name == parameter.name } }
    var environment = ExpressionEnvironment(variables: names + parameters, numbers: options.numbers)
    environment.declaredFunctions = options.host.expressionFunctions
    return PlacedExpression(
      help: ExpressionHelp(CELExpression(text.text), in: environment), text: text,
      parameters: Set(parameters.map(\.name)))
  }

  /// The parameters that an expression at a node can use.
  private func parameters(visibleFrom node: Int) -> [Variable] {
    // The results of a test's functions are computed by the test.
    if let parent = tree.nodes[node].parent, tree.view(of: parent).isNamed("answer") { return [] }
    return targets(visibleFrom: node, .parameter).map { Variable($0.name, type(of: $0) ?? .dyn) }
  }

  /// Returns the variables of an expression at a node; nil if the node cannot hold one.
  private func variables(at node: Int) -> [Variable]? {
    let pointer = tree.pointer(to: node)
    // The compiler's result is the most precise, if it has reached the expression.
    if let known = analysis.variables(at: pointer) { return known }
    guard let key = tree.nodes[node].key?.name, let parent = tree.nodes[node].parent else { return nil }
    let outer = tree.view(of: parent)
    if let field = outer.spec?.fields.first(where: { $0.name == key }) {
      guard case .expression(let names) = field.kind else { return nil }
      let operatorPointer = JSONPointer(Array(pointer.tokens.dropLast(2)))
      let input = analysis.types(at: operatorPointer)?.input ?? .dyn
      return names.filter { !$0.hasPrefix("(") }.map { Variable($0, Self.type(of: $0, over: input)) }
    }
    return outer.member(key).expressionTitle == nil ? nil : [Variable("argument")]
  }

  private static func type(of variable: String, over input: CELType) -> CELType {
    switch variable {
    case "value", "outer", "previous": input
    case "index": .int
    default: .dyn
    }
  }
}
