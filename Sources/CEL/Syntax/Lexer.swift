import StreamCore

/// Splits an expression into tokens. Literals are only delimited here; `Literals.swift` reads their values.
struct Lexer {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns all tokens; the last one is `end`.
  static func tokens(of bytes: [UInt8]) throws(Diagnostic) -> [Token] {
    var tokens: [Token] = []
    try addTokens(of: bytes, to: &tokens)
    return tokens
  }

  /// Appends all tokens to an array; the last one is `end`.
  static func addTokens(of bytes: [UInt8], to tokens: inout [Token]) throws(Diagnostic) {
    var lexer = Lexer(bytes)
    tokens.reserveCapacity(min(bytes.count / 2 + 2, 64))
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return }
    }
  }

  /// Returns the tokens up to the first mistake and whether there is none; in that case the last token is `end`.
  static func leadingTokens(of bytes: [UInt8]) -> (tokens: [Token], isWhole: Bool) {
    var lexer = Lexer(bytes)
    var tokens: [Token] = []
    while let token = try? lexer.next() {
      tokens.append(token)
      if token.kind == .end { return (tokens, true) }
    }
    return (tokens, false)
  }

  func byte(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < bytes.count ? bytes[index] : 0
  }

  private var isAtEnd: Bool { position >= bytes.count }

  mutating func next() throws(Diagnostic) -> Token {
    skipBlanksAndComments()
    let start = position
    if isAtEnd { return Token(kind: .end, range: start..<start) }
    let first = byte()
    if first.isDigit || (first == UInt8(ascii: ".") && byte(1).isDigit) { return try number() }
    if let prefix = stringPrefixLength() { return try quoted(prefixLength: prefix) }
    if first.isNameStart { return name() }
    if first == UInt8(ascii: "`") { return try quotedName() }
    if let (kind, length) = sign() {
      position += length
      return Token(kind: kind, range: start..<position)
    }
    throw unknownCharacter()
  }

  mutating func skipBlanksAndComments() {
    while !isAtEnd {
      switch byte() {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while !isAtEnd && byte() != 0x0A { position += 1 }
      default: return
      }
    }
  }

  private mutating func name() -> Token {
    let start = position
    while byte().isNamePart { position += 1 }
    return Token(kind: wordKind(start..<position), range: start..<position)
  }

  private func wordKind(_ range: Range<Int>) -> Token.Kind {
    switch (bytes[range.lowerBound], range.count) {
    case (UInt8(ascii: "t"), 4) where bytes[range].elementsEqual("true".utf8): .true
    case (UInt8(ascii: "f"), 5) where bytes[range].elementsEqual("false".utf8): .false
    case (UInt8(ascii: "n"), 4) where bytes[range].elementsEqual("null".utf8): .null
    case (UInt8(ascii: "i"), 2) where bytes[range.lowerBound + 1] == UInt8(ascii: "n"): .in
    default: .identifier
    }
  }

  private mutating func quotedName() throws(Diagnostic) -> Token {
    let start = position
    position += 1
    while !isAtEnd && byte() != UInt8(ascii: "`") && byte() != 0x0A { position += 1 }
    guard byte() == UInt8(ascii: "`"), position > start + 1 else {
      throw Diagnostic(.expressionSyntax, "a quoted name is not closed by '`'", part: .text(start..<position))
    }
    position += 1
    return Token(kind: .quotedIdentifier, range: start..<position)
  }

  private mutating func number() throws(Diagnostic) -> Token {
    let start = position
    var kind = Token.Kind.integer
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x"), byte(2).isHexDigit {
      position += 2
      while byte().isHexDigit { position += 1 }
    } else {
      while byte().isDigit { position += 1 }
      if byte() == UInt8(ascii: "."), byte(1).isDigit {
        kind = .double
        position += 1
        while byte().isDigit { position += 1 }
      }
      if byte() | 0x20 == UInt8(ascii: "e") {
        let signLength = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-") ? 1 : 0
        if byte(1 + signLength).isDigit {
          kind = .double
          position += 1 + signLength
          while byte().isDigit { position += 1 }
        }
      }
    }
    if kind == .integer, byte() | 0x20 == UInt8(ascii: "u") {
      kind = .unsigned
      position += 1
    }
    if byte().isNamePart {
      while byte().isNamePart { position += 1 }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      throw Diagnostic(
        .invalidLiteral, "'\(text)' is neither a number nor a name", part: .text(start..<position),
        help: MemberNames.help(in: bytes, at: start + 1))
    }
    return Token(kind: kind, range: start..<position)
  }

  /// Returns the number of letters before the quote of a string or bytes literal; nil if none begins here.
  private func stringPrefixLength() -> Int? {
    if byte().isQuote { return 0 }
    let first = byte() | 0x20
    guard first == UInt8(ascii: "r") || first == UInt8(ascii: "b") else { return nil }
    if byte(1).isQuote { return 1 }
    let second = byte(1) | 0x20
    guard second != first, second == UInt8(ascii: "r") || second == UInt8(ascii: "b"), byte(2).isQuote else {
      return nil
    }
    return 2
  }

  private mutating func quoted(prefixLength: Int) throws(Diagnostic) -> Token {
    let start = position
    let prefix = bytes[start..<start + prefixLength].map { $0 | 0x20 }
    let isRaw = prefix.contains(UInt8(ascii: "r"))
    position += prefixLength
    let quote = byte()
    let isTriple = byte(1) == quote && byte(2) == quote
    position += isTriple ? 3 : 1
    while true {
      let current = byte()
      if isAtEnd || (!isTriple && (current == 0x0A || current == 0x0D)) {
        let what = isTriple ? "a string in triple quotes" : "a string"
        throw Diagnostic(.expressionSyntax, "\(what) is not closed", part: .text(start..<position))
      }
      if current == quote && (!isTriple || (byte(1) == quote && byte(2) == quote)) { break }
      // An escaped quote does not close the string; in raw strings, a backslash is an ordinary character.
      position += current == UInt8(ascii: "\\") && !isRaw && position + 1 < bytes.count ? 2 : 1
    }
    position += isTriple ? 3 : 1
    let kind: Token.Kind = prefix.contains(UInt8(ascii: "b")) ? .bytes : .string
    return Token(kind: kind, range: start..<position)
  }

  private func sign() -> (Token.Kind, length: Int)? {
    let second = byte(1)
    switch byte() {
    case UInt8(ascii: "."): return (.dot, 1)
    case UInt8(ascii: ","): return (.comma, 1)
    case UInt8(ascii: ":"): return (.colon, 1)
    case UInt8(ascii: "?"): return (.question, 1)
    case UInt8(ascii: "("): return (.openParenthesis, 1)
    case UInt8(ascii: ")"): return (.closeParenthesis, 1)
    case UInt8(ascii: "["): return (.openBracket, 1)
    case UInt8(ascii: "]"): return (.closeBracket, 1)
    case UInt8(ascii: "{"): return (.openBrace, 1)
    case UInt8(ascii: "}"): return (.closeBrace, 1)
    case UInt8(ascii: "+"): return (.plus, 1)
    case UInt8(ascii: "-"): return (.minus, 1)
    case UInt8(ascii: "*"): return (.star, 1)
    case UInt8(ascii: "/"): return (.slash, 1)
    case UInt8(ascii: "%"): return (.percent, 1)
    case UInt8(ascii: "!"): return second == UInt8(ascii: "=") ? (.notEqual, 2) : (.exclamation, 1)
    case UInt8(ascii: "<"): return second == UInt8(ascii: "=") ? (.lessOrEqual, 2) : (.less, 1)
    case UInt8(ascii: ">"): return second == UInt8(ascii: "=") ? (.greaterOrEqual, 2) : (.greater, 1)
    case UInt8(ascii: "="): return second == UInt8(ascii: "=") ? (.equal, 2) : nil
    case UInt8(ascii: "&"): return second == UInt8(ascii: "&") ? (.and, 2) : nil
    case UInt8(ascii: "|"): return second == UInt8(ascii: "|") ? (.or, 2) : nil
    default: return nil
    }
  }

  private func unknownCharacter() -> Diagnostic {
    var end = position + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    return Diagnostic(
      .expressionSyntax, "unexpected '\(text)' in an expression", part: .text(position..<end),
      help: MemberNames.help(in: bytes, at: position) ?? ForeignSyntax.help(in: bytes, at: position))
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isHexDigit: Bool { hexValue != nil }
  var isNameStart: Bool { (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) || self == 0x5F }
  var isNamePart: Bool { isNameStart || isDigit }
  var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
  var hexValue: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
