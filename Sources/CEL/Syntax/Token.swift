/// A token of an expression and its location.
struct Token {
  var kind: Kind
  /// The range of UTF-8 bytes in the expression.
  var range: Range<Int>

  enum Kind: UInt8 {
    case end
    case integer, unsigned, double, string, bytes
    case identifier, quotedIdentifier
    case `true`, `false`, null, `in`
    case dot, comma, colon, question, exclamation
    case openParenthesis, closeParenthesis, openBracket, closeBracket, openBrace, closeBrace
    case plus, minus, star, slash, percent
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case and, or
  }
}

extension Token.Kind {
  /// The token's name in messages.
  var name: String {
    switch self {
    case .end: "the end of the expression"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .bytes: "bytes"
    case .identifier: "a name"
    case .quotedIdentifier: "a quoted name"
    case .true: "'true'"
    case .false: "'false'"
    case .null: "'null'"
    case .in: "'in'"
    case .dot: "'.'"
    case .comma: "','"
    case .colon: "':'"
    case .question: "'?'"
    case .exclamation: "'!'"
    case .openParenthesis: "'('"
    case .closeParenthesis: "')'"
    case .openBracket: "'['"
    case .closeBracket: "']'"
    case .openBrace: "'{'"
    case .closeBrace: "'}'"
    case .plus: "'+'"
    case .minus: "'-'"
    case .star: "'*'"
    case .slash: "'/'"
    case .percent: "'%'"
    case .equal: "'=='"
    case .notEqual: "'!='"
    case .less: "'<'"
    case .lessOrEqual: "'<='"
    case .greater: "'>'"
    case .greaterOrEqual: "'>='"
    case .and: "'&&'"
    case .or: "'||'"
    }
  }
}

/// Whether a word is reserved: it cannot name a variable, but can name a field or a method.
func isReserved(_ word: String) -> Bool {
  // NB: Switching on the length leaves only a few comparisons for most names.
  switch word.utf8.count {
  case 2: word == "as" || word == "if"
  case 3: word == "for" || word == "let" || word == "var"
  case 4: word == "else" || word == "loop" || word == "void"
  case 5: word == "break" || word == "const" || word == "while"
  case 6: word == "import" || word == "return"
  case 7: word == "package"
  case 8: word == "continue" || word == "function"
  case 9: word == "namespace"
  default: false
  }
}
