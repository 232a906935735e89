/// A word or sign of an expression and where it stands.
struct Token {
  var kind: Kind
  /// UTF-8 bytes of the text.
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
  /// What a reader calls it, for what was expected.
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

/// Whether a word is one that no variable may be called, though a field or a method may.
func isReserved(_ word: String) -> Bool {
  // NB: by length, for most names are compared with a few then.
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
