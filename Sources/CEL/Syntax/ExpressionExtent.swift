package import StreamCore

/// The extent of an expression within a longer text, in which a comma, a closing bracket or a single `|` ends it.
package enum ExpressionExtent {
  /// Returns the bytes of the expression that begins at an offset, without the white space and comments around it;
  /// empty if there is none.
  ///
  /// Only tokens and brackets are read: the expression may have errors.
  ///
  /// - Throws: The first text that is not a token, or unbalanced bracket, with its range in `bytes` as the diagnostic's part.
  package static func range(in bytes: [UInt8], from start: Int) throws(Diagnostic) -> Range<Int> {
    var lexer = Lexer(bytes, at: start)
    var open: [Token] = []
    var range: Range<Int>?
    while true {
      if open.isEmpty, lexer.isAtSeparator { break }
      let token = try lexer.next()
      switch token.kind {
      case .end:
        guard let bracket = open.last else { return range ?? start..<start }
        throw Diagnostic(
          .expressionSyntax, "a bracket is not closed", part: .text(bracket.range))
      case .comma where open.isEmpty: return range ?? start..<start
      case .openParenthesis, .openBracket, .openBrace: open.append(token)
      case .closeParenthesis, .closeBracket, .closeBrace:
        guard let bracket = open.popLast() else { return range ?? start..<start }
        if token.kind.rawValue != bracket.kind.rawValue + 1 {
          throw Diagnostic(
            .expressionSyntax, "\(token.kind.name) does not close \(bracket.kind.name)", part: .text(token.range))
        }
      default: break
      }
      range = (range?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
    }
    return range ?? start..<start
  }
}

extension Lexer {
  /// Creates a lexer that begins within a text.
  init(_ bytes: [UInt8], at start: Int) {
    self.init(bytes)
    position = start
  }

  /// Whether the next token is a single `|`.
  var isAtSeparator: Bool {
    mutating get {
      skipBlanksAndComments()
      return byte() == UInt8(ascii: "|") && byte(1) != UInt8(ascii: "|")
    }
  }
}
