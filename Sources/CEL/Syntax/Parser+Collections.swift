extension Parser {
  /// "(" [ Expression { "," Expression } ] ")"
  mutating func arguments() throws(Stop) -> [Syntax.ID] {
    advance()
    var result: [Syntax.ID] = []
    while kind != .closeParenthesis {
      result.append(try expression())
      guard take(.comma) else { break }
      if kind == .closeParenthesis { throw unexpected("a value after the comma") }
    }
    try expect(.closeParenthesis, "',' or ')'")
    return result
  }

  mutating func list() throws(Stop) -> Syntax.ID {
    let first = start
    advance()
    var elements: [Syntax.ID] = []
    while kind != .closeBracket {
      let question = take(.question) ? tokens[position - 1].range : nil
      elements.append(try optional(question, try expression()))
      guard take(.comma) else { break }
    }
    try expect(.closeBracket, "',' or ']'")
    return try add(.list(elements), first..<end)
  }

  /// Marks an element or entry after a question mark, which is omitted if its optional has no value.
  private mutating func optional(_ question: Range<Int>?, _ value: Syntax.ID) throws(Stop) -> Syntax.ID {
    guard let question else { return value }
    return try addCall(Operators.optionalElement, [value], question.lowerBound..<syntax.ranges[value].upperBound)
  }

  mutating func map() throws(Stop) -> Syntax.ID {
    let first = start
    advance()
    var keys: [Syntax.ID] = []
    var values: [Syntax.ID] = []
    while kind != .closeBrace {
      let question = take(.question) ? tokens[position - 1].range : nil
      keys.append(try expression())
      try expect(
        .colon, "':' and the key's value", help: kind == .end ? nil : "write a key and a value, {'name': value}")
      values.append(try optional(question, try expression()))
      guard take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try add(.map(keys: keys, values: values), first..<end)
  }

  /// Returns the number of tokens, from this one on, that continue a message's name; nil if no `{` follows them.
  func messageNameLength() -> Int? {
    var place = position
    while place + 1 < tokens.count, tokens[place].kind == .dot, tokens[place + 1].kind == .identifier { place += 2 }
    return tokens[place].kind == .openBrace ? place - position : nil
  }

  /// `Name{field: value, …}`; the first part of the name is already read.
  mutating func message(_ first: Int, tokenCount: Int) throws(Stop) -> Syntax.ID {
    for _ in 0..<tokenCount { advance() }
    let name = text(first..<end)
    advance()
    while kind != .closeBrace {
      _ = take(.question)
      guard kind == .identifier || kind == .quotedIdentifier else { throw unexpected("a field's name or '}'") }
      advance()
      try expect(.colon, "':' and the field's value")
      _ = try expression()
      guard take(.comma) else { break }
    }
    try expect(.closeBrace, "',' or '}'")
    return try add(.message(name: name), first..<end)
  }

  /// Adds a call, or the expansion of the macro with its name.
  mutating func call(
    _ function: String, target: Syntax.ID?, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID {
    if let macro = macros?.macro(function, argumentCount: arguments.count, isMember: target != nil) {
      if let result = try macro.expand(&self, target, arguments, range) { return result }
    }
    return try add(.call(function: function, target: target, arguments: arguments), range)
  }
}
