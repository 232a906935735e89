import StreamCore

extension Parser {
  /// "(" [ Expression { "," Expression } ] ")"
  mutating func arguments() throws(Stop) -> [Syntax.ID] {
    advance()
    return try elements(until: .closeParenthesis, allowsTrailingComma: false)
  }

  mutating func list() throws(Stop) -> Syntax.ID {
    let first = start
    advance()
    let elements = try self.elements(until: .closeBracket, allowsTrailingComma: true)
    return try add(.list(elements), first..<end)
  }

  private mutating func elements(until close: Token.Kind, allowsTrailingComma: Bool) throws(Stop) -> [Syntax.ID] {
    var result: [Syntax.ID] = []
    while kind != close {
      if kind == .question { throw unsupportedOptional() }
      result.append(try expression())
      guard take(.comma) else { break }
      if kind == close && !allowsTrailingComma { throw unexpected("a value after the comma") }
    }
    try expect(close, "',' or \(close.name)")
    return result
  }

  mutating func map() throws(Stop) -> Syntax.ID {
    let first = start
    advance()
    var keys: [Syntax.ID] = []
    var values: [Syntax.ID] = []
    while kind != .closeBrace {
      if kind == .question { throw unsupportedOptional() }
      keys.append(try expression())
      try expect(.colon, "':' and the key's value")
      values.append(try expression())
      guard take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try add(.map(keys: keys, values: values), first..<end)
  }

  /// How many tokens after this one belong to a message's name, if `{` follows it.
  func messageNameLength() -> Int? {
    var place = position
    while place + 1 < tokens.count, tokens[place].kind == .dot, tokens[place + 1].kind == .identifier { place += 2 }
    return tokens[place].kind == .openBrace ? place - position : nil
  }

  /// `Name{field: value, …}`, the first part of the name already read.
  mutating func message(_ first: Int, tokenCount: Int) throws(Stop) -> Syntax.ID {
    for _ in 0..<tokenCount { advance() }
    let name = text(first..<end)
    advance()
    while kind != .closeBrace {
      if kind == .question { throw unsupportedOptional() }
      guard kind == .identifier || kind == .quotedIdentifier else { throw unexpected("a field's name or '}'") }
      advance()
      try expect(.colon, "':' and the field's value")
      _ = try expression()
      guard take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try add(.message(name: name), first..<end)
  }

  /// A call, or what the macro of its name makes of it.
  mutating func call(
    _ function: String, target: Syntax.ID?, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID {
    if macrosEnabled, let macro = Macro.named(function, argumentCount: arguments.count, isMember: target != nil) {
      if let result = try macro.expand(&self, target, arguments, range) { return result }
    }
    return try add(.call(function: function, target: target, arguments: arguments), range)
  }
}
