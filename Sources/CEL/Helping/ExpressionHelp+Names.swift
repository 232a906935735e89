extension ExpressionHelp {
  /// A name that stands for a variable of the environment.
  package struct Name: Hashable, Sendable {
    package let text: String
    /// Range in the expression, in UTF-8 bytes.
    package let range: Range<Int>
  }

  /// The names of the environment's variables, in order, even in an incomplete expression.
  ///
  /// A field, a function and the variable of a loop are not among them, even if they are spelled as a variable.
  package var names: [Name] {
    let known = Set(environment.variables.map(\.name))
    return tokens.indices.compactMap { index in
      let token = tokens[index]
      guard token.kind == .identifier else { return nil }
      let name = text(token.range)
      guard known.contains(name), !isMember(index), !isCall(index) else { return nil }
      guard !loopVariables(Array(tokens[..<index])).contains(where: { $0.name == name }), !isLoopVariable(index) else {
        return nil
      }
      return Name(text: name, range: token.range)
    }
  }

  /// Whether a name follows a dot, or the sign of an optional field.
  private func isMember(_ index: Int) -> Bool {
    guard index > 0 else { return false }
    if tokens[index - 1].kind == .dot { return true }
    return index > 1 && tokens[index - 1].kind == .question && tokens[index - 2].kind == .dot
  }

  /// Whether a name declares the variable of a loop, which a comma follows.
  private func isLoopVariable(_ index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index + 1].kind == .comma else { return false }
    return loopVariables(Array(tokens[...(index + 1)])).contains { $0.place == tokens[index].range }
  }

  private func isCall(_ index: Int) -> Bool {
    index + 1 < tokens.count && tokens[index + 1].kind == .openParenthesis
  }
}
