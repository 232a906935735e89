import StreamCore

/// Reads the structure of a format string: precedence as NSPredicate has it, the argument of each `%` by its turn.
struct FormatParser {
  private let tokens: [FormatToken]
  private var position = 0
  private var depth = 0
  private let argumentCount: Int
  private var argumentsTaken = 0
  /// What is refused, and what was assumed.
  private(set) var diagnostics = Diagnostics()

  /// Deeper than this, nested parentheses are refused instead of exhausting the stack.
  private static let depthLimit = 100
  /// `x ** n` is written as a product of this many factors at most.
  private static let exponentLimit: Int64 = 16

  init(_ tokens: [FormatToken], argumentCount: Int) {
    self.tokens = tokens
    self.argumentCount = argumentCount
  }

  /// The whole format string. Throws where its structure is broken; what is only refused is in `diagnostics`.
  mutating func parse() throws(Diagnostic) -> FormatNode.Located {
    let whole = try expression(above: .none)
    guard token.kind == .end else { throw unexpected("the end, or an operator") }
    return whole
  }

  private var token: FormatToken {
    position < tokens.count ? tokens[position] : FormatToken(kind: .end, range: 0..<0)
  }

  private mutating func advance() { position = min(position + 1, tokens.count) }

  private func unexpected(_ expected: String) -> Diagnostic {
    let found =
      token.kind == .end ? "the format string ends where \(expected) is missing" : "\(expected) is missing here"
    return Diagnostic(.expressionSyntax, found, part: .text(token.range))
  }

  private mutating func expect(_ symbol: FormatSymbol) throws(Diagnostic) {
    guard token.kind == .symbol(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
    advance()
  }
}

/// How tightly the operators of format strings bind, loosest first.
private enum Precedence: Int, Comparable {
  case none, or, and, not, comparison, sum, product, sign, power

  static func < (lhs: Precedence, rhs: Precedence) -> Bool { lhs.rawValue < rhs.rawValue }

  init?(_ symbol: FormatSymbol) {
    switch symbol {
    case .or: self = .or
    case .and: self = .and
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .among, .beginsWith, .contains,
      .endsWith, .like, .matches:
      self = .comparison
    case .plus, .minus: self = .sum
    case .times, .divide: self = .product
    case .power: self = .power
    default: return nil
    }
  }
}

// MARK: - Operators

extension FormatParser {
  private mutating func expression(above floor: Precedence) throws(Diagnostic) -> FormatNode.Located {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw Diagnostic(.tooDeep, "more than \(Self.depthLimit) levels are nested here", part: .text(token.range))
    }
    var left = try operand()
    while case .symbol(let symbol) = token.kind, let precedence = Precedence(symbol), precedence > floor {
      let sign = token.range
      advance()
      let modifiers = precedence == .comparison ? try modifiers() : FormatModifiers()
      let right = try expression(above: precedence)
      let range = left.range.lowerBound..<right.range.upperBound
      left = FormatNode.Located(
        node: try joined(symbol, precedence, modifiers, left, right, at: sign), range: range)
      // Neither comparisons nor powers stand in a row: what that means differs from build to build.
      if precedence == .comparison || precedence == .power, case .symbol(let next) = token.kind,
        Precedence(next) == precedence
      {
        throw Diagnostic(
          .expressionSyntax, "'\(next.rawValue)' follows '\(symbol.rawValue)' without parentheses",
          part: .text(token.range))
      }
    }
    return left
  }

  private mutating func joined(
    _ symbol: FormatSymbol, _ precedence: Precedence, _ modifiers: FormatModifiers, _ left: FormatNode.Located,
    _ right: FormatNode.Located, at sign: Range<Int>
  ) throws(Diagnostic) -> FormatNode {
    switch precedence {
    case .or, .and: return .logic(symbol, left, right)
    case .comparison: return .comparison(symbol, modifiers, left, right)
    case .power:
      guard case .integer(let exponent) = right.node, (0...Self.exponentLimit).contains(exponent) else {
        diagnostics.append(
          Diagnostic(
            .unsupportedImport, "'**' takes only a whole number from 0 to \(Self.exponentLimit) as its exponent",
            part: .text(right.range), notes: ["CEL has no power; it is written out as a product"]))
        return .refused
      }
      return .power(left, Int(exponent))
    default: return .arithmetic(symbol, left, right)
    }
  }

  private mutating func modifiers() throws(Diagnostic) -> FormatModifiers {
    var modifiers = FormatModifiers()
    guard case .modifiers(let letters) = token.kind else { return modifiers }
    for letter in letters.lowercased() {
      switch letter {
      case "c": modifiers.ignoresCase = true
      case "d":
        diagnostics.append(
          Diagnostic(
            .assumption, "'[d]' ignores accents, which CEL cannot: 'é' and 'e' differ now", part: .text(token.range),
            severity: .warning))
      case "n": break
      case "l":
        diagnostics.append(
          Diagnostic(
            .assumption, "'[l]' compares in the order of a language, which CEL cannot: texts are compared as they are",
            part: .text(token.range), severity: .warning))
      default:
        throw Diagnostic(
          .expressionSyntax, "'\(letter)' is no option of a comparison; 'c', 'd', 'n' and 'l' are",
          part: .text(token.range))
      }
    }
    advance()
    return modifiers
  }
}

// MARK: - Operands

extension FormatParser {
  private mutating func operand() throws(Diagnostic) -> FormatNode.Located {
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
          + "this one is taken to be the value again",
        part: .text(token.range), severity: .warning))
    return argumentCount - 1
  }

  /// A name is a key path, a variable, or a function with what it is called with: none can be imported.
  private mutating func refusedName(_ name: String) throws(Diagnostic) -> FormatNode.Located {
    let start = token.range
    advance()
    var end = start.upperBound
    let message: String
    if ["ANY", "ALL", "SOME", "NONE"].contains(name.uppercased()) {
      message = "'\(name)' asks about the elements of a collection, and the playground's values are texts"
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
      message = "'\(name)' is a key path, and the playground's values have no keys"
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
