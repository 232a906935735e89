package import StreamCore

extension CELExpression {
  /// Warnings about parts of a valid expression that probably mean something else. Their ranges are in the expression.
  ///
  /// A comment after a part of the expression on the same line: `//` divides integers in other languages. A negative
  /// index: it counts from the end in other languages. A percentage below 1. A quotient of integers.
  ///
  /// - Parameters:
  ///   - environment: The environment in which the expression is valid.
  ///   - isKey: Whether the result is a key.
  package func remarks(in environment: ExpressionEnvironment, ofKey isKey: Bool = false) -> [Diagnostic] {
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
    for place in tokens.indices.dropLast(3) where tokens[place + 2].kind == .double {
      if let remark = fraction(tokens[place..<place + 4]) { remarks.append(remark) }
    }
    let indexes = tokens.indices.dropFirst().dropLast(3).filter { isNegativeIndex(tokens[$0 - 1...$0 + 3]) }
    let maps = indexes.isEmpty ? [] : indexesOfMaps(in: environment)
    for index in indexes {
      let range = tokens[index + 1].range.lowerBound..<tokens[index + 2].range.upperBound
      if maps.contains(where: { $0.overlaps(range) }) { continue }
      remarks.append(
        Diagnostic(
          .constantFails, "a list has no negative index, so this fails for every list", part: .text(range),
          severity: .warning, help: "'last()' returns the last element of a list as an optional"))
    }
    if text.contains(".format(") { remarks += surplusValues(in: environment) }
    if tokens.contains(where: { $0.kind == .slash }) { remarks += quotients(in: environment, ofKey: isKey) }
    return remarks
  }

  /// Returns warnings about values that no clause of a literal format writes.
  private func surplusValues(in environment: ExpressionEnvironment) -> [Diagnostic] {
    guard let syntax = try? parse(in: environment) else { return [] }
    return syntax.nodes.indices.compactMap { id in
      guard case .call("format", let target?, let arguments) = syntax.nodes[id], arguments.count == 1,
        case .literal(.string(let format)) = syntax.nodes[target], case .list(let values) = syntax.nodes[arguments[0]]
      else { return nil }
      let clauses = format.replacing("%%", with: "").utf8.count(where: { $0 == UInt8(ascii: "%") })
      guard clauses < values.count else { return nil }
      return Diagnostic(
        .constantFails,
        "the format has \(clauses.counted("clause")), so \(values.count - clauses) of the "
          + "\(values.count) values are not written", part: .text(syntax.ranges[arguments[0]]), severity: .warning,
        help: "write a clause such as %s for each value")
    }
  }

  /// The ranges of the keys in brackets after operands that are certainly no lists.
  private func indexesOfMaps(in environment: ExpressionEnvironment) -> [Range<Int>] {
    guard let syntax = try? parse(in: environment) else { return [] }
    return DeepStack.run(levels: syntax.depth) {
      var checker = Checker(syntax, in: environment)
      checker.check(syntax.root)
      return syntax.nodes.compactMap { node in
        guard case .call(Operators.index, _, let arguments) = node, arguments.count == 2 else { return nil }
        switch checker.types[arguments[0]].settled {
        case .map, .record: return syntax.ranges[arguments[1]]
        default: return nil
        }
      }
    }
  }

  /// Returns a warning if these tokens call `percentile` with a fraction, which is that of a quantile.
  private func fraction(_ tokens: ArraySlice<Token>) -> Diagnostic? {
    let (name, number) = (tokens[tokens.startIndex], tokens[tokens.startIndex + 2])
    guard tokens.map(\.kind) == [.identifier, .openParenthesis, .double, .closeParenthesis],
      String(decoding: Array(text.utf8)[name.range], as: UTF8.self) == "percentile"
    else { return nil }
    let written = String(decoding: Array(text.utf8)[number.range], as: UTF8.self)
    guard let fraction = Double(written), fraction > 0, fraction < 1 else { return nil }
    let percentage = Value.double((fraction * 1e6).rounded() / 1e4).shortText
    let whole = percentage.hasSuffix(".0") ? String(percentage.dropLast(2)) : percentage
    return Diagnostic(
      .invalidLiteral, "'percentile' takes a percentage from 0 to 100, so \(written) is less than one percent",
      part: .text(number.range), severity: .warning, help: "write percentile(\(whole)) for the quantile \(written)")
  }

  /// Whether these tokens are the end of an operand and a negative integer in brackets.
  private func isNegativeIndex(_ tokens: ArraySlice<Token>) -> Bool {
    let kinds = tokens.map(\.kind)
    let operandEnds: [Token.Kind] = [.identifier, .quotedIdentifier, .closeParenthesis, .closeBracket]
    return operandEnds.contains(kinds[0]) && kinds[1...] == [.openBracket, .minus, .integer, .closeBracket]
  }
}
