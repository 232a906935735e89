package import StreamCore

extension CELExpression {
  /// Warnings about parts of a valid expression that probably mean something else. Their ranges are in the expression.
  ///
  /// A comment after a part of the expression on the same line: `//` divides integers in other languages. A negative
  /// index: it counts from the end in other languages.
  package var remarks: [Diagnostic] {
    let bytes = Array(text.utf8)
    let (tokens, isWhole) = Lexer.leadingTokens(of: bytes)
    guard isWhole else { return [] }
    var remarks: [Diagnostic] = []
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      let gap = bytes[token.range.upperBound..<next.range.lowerBound]
      let line = gap.prefix { $0 != UInt8(ascii: "\n") }
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
      remarks.append(
        Diagnostic(
          .expressionSyntax, "'//' begins a comment, so the rest of the line is not evaluated",
          part: .text(start..<line.endIndex), severity: .warning,
          help: "'/' divides, and truncates integers; put a comment on a line of its own"))
    }
    for index in tokens.indices.dropFirst().dropLast(3) where isNegativeIndex(tokens[index - 1...index + 3]) {
      let range = tokens[index + 1].range.lowerBound..<tokens[index + 2].range.upperBound
      remarks.append(
        Diagnostic(
          .constantFails, "a list has no negative index, so this fails for every list", part: .text(range),
          severity: .warning, help: "'last()' returns the last element of a list as an optional"))
    }
    return remarks
  }

  /// Whether these tokens are the end of an operand and a negative integer in brackets.
  private func isNegativeIndex(_ tokens: ArraySlice<Token>) -> Bool {
    let kinds = tokens.map(\.kind)
    let operandEnds: [Token.Kind] = [.identifier, .quotedIdentifier, .closeParenthesis, .closeBracket]
    return operandEnds.contains(kinds[0]) && kinds[1...] == [.openBracket, .minus, .integer, .closeBracket]
  }
}
