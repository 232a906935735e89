import StreamCore

// Parses the operands of a format string.

extension FormatParser {
  mutating func operand() throws(Diagnostic) -> FormatNode.Located {
    let range = token.range
    let node: FormatNode
    switch token.kind {
    case .integer(let value): node = .integer(value)
    case .real(let text): node = .real(text)
    case .text(let text): node = .text(text)
    case .argument(let specifier): node = .argument(nextArgument(), specifier)
    case .name(let name): return try refusedName(name)
    case .symbol(let symbol): return try operand(symbol)
    case .modifiers, .end: throw unexpected("a value")
    }
    advance()
    return FormatNode.Located(node: node, range: range)
  }

  private mutating func operand(_ symbol: FormatSymbol) throws(Diagnostic) -> FormatNode.Located {
    let start = token.range
    let node: FormatNode
    switch symbol {
    case .truePredicate, .yes: node = .boolean(true)
    case .falsePredicate, .no: node = .boolean(false)
    case .null: node = .null
    case .itself: node = .itself
    case .not:
      advance()
      let inner = try expression(above: .not)
      return FormatNode.Located(node: .not(inner), range: start.lowerBound..<inner.range.upperBound)
    case .minus, .plus:
      advance()
      let inner = try expression(above: .sign)
      let node = symbol == .minus ? FormatNode.negation(inner) : inner.node
      return FormatNode.Located(node: node, range: start.lowerBound..<inner.range.upperBound)
    case .openParenthesis:
      advance()
      let inner = try expression(above: .none)
      let end = token.range.upperBound
      try expect(.closeParenthesis)
      return FormatNode.Located(node: inner.node, range: start.lowerBound..<end)
    case .openBrace:
      return try list()
    default: throw unexpected("a value")
    }
    advance()
    return FormatNode.Located(node: node, range: start)
  }

  private mutating func list() throws(Diagnostic) -> FormatNode.Located {
    let start = token.range.lowerBound
    try expect(.openBrace)
    var elements: [FormatNode.Located] = []
    while token.kind != .symbol(.closeBrace) {
      if !elements.isEmpty { try expect(.comma) }
      elements.append(try expression(above: .comparison))
    }
    let end = token.range.upperBound
    try expect(.closeBrace)
    return FormatNode.Located(node: .list(elements), range: start..<end)
  }

  /// The place of the next argument. NSPredicate read beyond its arguments; here the last one serves again.
  private mutating func nextArgument() -> Int {
    defer { argumentsTaken += 1 }
    guard argumentsTaken >= argumentCount else { return argumentsTaken }
    diagnostics.append(
      Diagnostic(
        .assumption,
        "the playground gave only \(argumentCount == 1 ? "1 argument" : "\(argumentCount) arguments"); "
          + "this one is assumed to be the value",
        part: .text(token.range), severity: .warning))
    return argumentCount - 1
  }

  /// Refuses a name: a key path, a variable, or a function with its arguments.
  private mutating func refusedName(_ name: String) throws(Diagnostic) -> FormatNode.Located {
    let start = token.range
    advance()
    var end = start.upperBound
    let message: String
    if ["ANY", "ALL", "SOME", "NONE"].contains(name.uppercased()) {
      message = "'\(name)' applies to the elements of a collection, but the playground's values are strings"
      let before = diagnostics
      end = try expression(above: .and).range.upperBound
      diagnostics = before  // one reason is enough
    } else if token.kind == .symbol(.openParenthesis) {
      message = "the function '\(name)' cannot be imported"
      end = try skipParentheses()
      if case .name(let path) = token.kind, path.hasPrefix(".") {
        end = token.range.upperBound
        advance()
      }
    } else if name.hasPrefix("$") {
      message = "'\(name)' is a variable, which the playground never set"
    } else {
      message = "'\(name)' is a key path, but the playground's values have no keys"
    }
    diagnostics.append(
      Diagnostic(
        .unsupportedImport, message, part: .text(start.lowerBound..<end),
        help: "write the CEL expression by hand; the value is 'value', or 'int(value)' as a number"))
    return FormatNode.Located(node: .refused, range: start.lowerBound..<end)
  }

  private mutating func skipParentheses() throws(Diagnostic) -> Int {
    var open = 0
    repeat {
      let end = token.range.upperBound
      switch token.kind {
      case .symbol(.openParenthesis): open += 1
      case .symbol(.closeParenthesis): open -= 1
      case .argument: _ = nextArgument()
      case .end: throw unexpected("')'")
      default: break
      }
      advance()
      if open == 0 { return end }
    } while true
  }
}
