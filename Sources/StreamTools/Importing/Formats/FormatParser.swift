import StreamCore

/// Reads the structure of a format string: precedence as NSPredicate has it, the argument of each `%` by its turn.
struct FormatParser {
  private let tokens: [FormatToken]
  private var position = 0
  private var depth = 0
  let argumentCount: Int
  /// Number of `%` specifiers with an argument so far.
  var argumentsTaken = 0
  /// Refusals and assumptions.
  var diagnostics = Diagnostics()

  /// Deeper than this, nested parentheses are refused instead of exhausting the stack.
  private static let depthLimit = 100
  /// `x ** n` is written as a product of this many factors at most.
  private static let exponentLimit: Int64 = 16

  init(_ tokens: [FormatToken], argumentCount: Int) {
    self.tokens = tokens
    self.argumentCount = argumentCount
  }

  /// Parses the whole format string. Throws if its structure is invalid; `diagnostics` contains the refused parts.
  mutating func parse() throws(Diagnostic) -> FormatNode.Located {
    let whole = try expression(above: .none)
    guard token.kind == .end else { throw unexpected("the end, or an operator") }
    return whole
  }

  /// The word that comes next.
  var token: FormatToken {
    position < tokens.count ? tokens[position] : FormatToken(kind: .end, range: 0..<0)
  }

  mutating func advance() { position = min(position + 1, tokens.count) }

  func unexpected(_ expected: String) -> Diagnostic {
    let found =
      token.kind == .end ? "the format string ends, expected \(expected)" : "expected \(expected)"
    return Diagnostic(.expressionSyntax, found, part: .text(token.range))
  }

  mutating func expect(_ symbol: FormatSymbol) throws(Diagnostic) {
    guard token.kind == .symbol(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
    advance()
  }
}

// MARK: - Operators

extension FormatParser {
  mutating func expression(above floor: FormatPrecedence) throws(Diagnostic) -> FormatNode.Located {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw Diagnostic(.tooDeep, "nested more than \(Self.depthLimit) levels deep", part: .text(token.range))
    }
    var left = try operand()
    while case .symbol(let symbol) = token.kind, let precedence = FormatPrecedence(symbol), precedence > floor {
      advance()
      let modifiers = precedence == .comparison ? try modifiers() : FormatModifiers()
      let right = try expression(above: precedence)
      let range = left.range.lowerBound..<right.range.upperBound
      left = FormatNode.Located(
        node: try joined(symbol, precedence, modifiers, left, right), range: range)
      // Neither comparisons nor powers may be chained: the meaning of a chain differs from build to build.
      if precedence == .comparison || precedence == .power, case .symbol(let next) = token.kind,
        FormatPrecedence(next) == precedence
      {
        throw Diagnostic(
          .expressionSyntax, "'\(next.rawValue)' follows '\(symbol.rawValue)' without parentheses",
          part: .text(token.range))
      }
    }
    return left
  }

  private mutating func joined(
    _ symbol: FormatSymbol, _ precedence: FormatPrecedence, _ modifiers: FormatModifiers, _ left: FormatNode.Located,
    _ right: FormatNode.Located
  ) throws(Diagnostic) -> FormatNode {
    switch precedence {
    case .or, .and: return .logic(symbol, left, right)
    case .comparison: return .comparison(symbol, modifiers, left, right)
    case .power:
      guard case .integer(let exponent) = right.node, (0...Self.exponentLimit).contains(exponent) else {
        diagnostics.append(
          Diagnostic(
            .unsupportedImport, "'**' takes only an integer from 0 to \(Self.exponentLimit) as its exponent",
            part: .text(right.range), notes: ["CEL has no power operator; it is written as a product"]))
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
            .assumption,
            "'[l]' compares in the order of a language, which CEL cannot: strings are compared by their scalars",
            part: .text(token.range), severity: .warning))
      default:
        throw Diagnostic(
          .expressionSyntax, "'\(letter)' is not an option of a comparison; the options are 'c', 'd', 'n' and 'l'",
          part: .text(token.range))
      }
    }
    advance()
    return modifiers
  }
}
