import StreamCore

extension Parser {
  /// { "!" | "-" } Primary { "." name [ "(" … ")" ] | "[" … "]" }
  mutating func operand() throws(Stop) -> Syntax.ID {
    let prefixes = prefixTokens()
    // A minus directly before a number belongs to it: the smallest int has no positive counterpart.
    let isNegative = kind.isSignable && position > prefixes.lowerBound && tokens[position - 1].kind == .minus
    var result = isNegative ? try number(isNegative: true) : try primary()
    while kind == .dot || kind == .openBracket {
      result = kind == .dot ? try member(of: result) : try index(of: result)
    }
    var place = isNegative ? prefixes.upperBound - 1 : prefixes.upperBound
    while place > prefixes.lowerBound {
      place -= 1
      let function = tokens[place].kind == .minus ? Operators.negate : Operators.not
      result = try add(
        .call(function: function, target: nil, arguments: [result]),
        tokens[place].range.lowerBound..<syntax.ranges[result].upperBound)
    }
    return result
  }

  private mutating func prefixTokens() -> Range<Int> {
    let first = position
    while kind == .minus || kind == .exclamation { advance() }
    return first..<position
  }

  private mutating func number(isNegative: Bool) throws(Stop) -> Syntax.ID {
    let place = range
    let whole = (isNegative ? tokens[position - 1].range.lowerBound : place.lowerBound)..<place.upperBound
    let value: Value
    do throws(Diagnostic) {
      switch kind {
      case .integer: value = try literals.integer(place, isNegative: isNegative)
      case .unsigned: value = try literals.unsigned(place)
      default: value = try literals.double(place, isNegative: isNegative)
      }
    } catch {
      throw fail(error)
    }
    advance()
    return try add(.literal(value), whole)
  }

  private mutating func quoted() throws(Stop) -> Syntax.ID {
    let place = range
    let value: Value
    do throws(Diagnostic) {
      value = try literals.quoted(place, isBytes: kind == .bytes)
    } catch {
      throw fail(error)
    }
    advance()
    return try add(.literal(value), place)
  }

  private mutating func constant(_ value: Value) throws(Stop) -> Syntax.ID {
    let place = range
    advance()
    return try add(.literal(value), place)
  }

  private mutating func primary() throws(Stop) -> Syntax.ID {
    switch kind {
    case .integer, .unsigned, .double: return try number(isNegative: false)
    case .string, .bytes: return try quoted()
    case .true: return try constant(.bool(true))
    case .false: return try constant(.bool(false))
    case .null: return try constant(.null)
    case .identifier, .dot: return try name()
    case .openParenthesis: return try parenthesised()
    case .openBracket: return try list()
    case .openBrace: return try map()
    default: throw unexpected("a value")
    }
  }

  private mutating func parenthesised() throws(Stop) -> Syntax.ID {
    advance()
    let result = try expression()
    try expect(.closeParenthesis, help: kind == .comma ? "write a list in brackets, [1, 2]" : nil)
    return result
  }

  /// [ "." ] name [ "(" … ")" ], or an entire message.
  private mutating func name() throws(Stop) -> Syntax.ID {
    let first = start
    let isAbsolute = take(.dot)
    guard kind == .identifier else { throw unexpected("a name") }
    let name = try variableName()
    if kind == .openParenthesis {
      let arguments = try self.arguments()
      return try call(isAbsolute ? "." + name : name, target: nil, arguments, first..<end)
    }
    if let length = messageNameLength() { return try message(first, tokenCount: length) }
    return try add(.name(name, isAbsolute: isAbsolute), first..<end)
  }

  private mutating func variableName() throws(Stop) -> String {
    let name = text(range)
    if isReserved(name), !isMessageAhead {
      throw fail(
        Diagnostic(
          .expressionSyntax, "'\(name)' is a reserved word and cannot be used as a name", part: .text(range),
          help: MemberNames.help(in: literals.bytes, at: start)
            ?? ForeignSyntax.help(in: literals.bytes, at: range.upperBound)))
    }
    advance()
    return name
  }

  private var isMessageAhead: Bool { position + 1 < tokens.count && tokens[position + 1].kind == .openBrace }

  func text(_ range: Range<Int>) -> String { String(decoding: literals.bytes[range], as: UTF8.self) }

  private mutating func member(of operand: Syntax.ID) throws(Stop) -> Syntax.ID {
    advance()
    let isOptional = take(.question)
    let first = syntax.ranges[operand].lowerBound
    let field: String
    switch kind {
    case .identifier: field = text(range)
    case .quotedIdentifier: field = literals.quotedName(range)
    case .true, .false, .null, .in:
      let word = text(range)
      throw fail(
        Diagnostic(
          .expressionSyntax, "\(kind.name) cannot be a field name here", part: .text(range),
          help: "write `\(word)` in backticks"))
    case .string: throw unexpected("a field's name", help: "write \(syntax.text(of: operand))[\(text(range))]")
    case .openBracket: throw unexpected("a field's name", help: "remove the '.' before the bracket")
    default: throw unexpected("a field's name")
    }
    let mayBeCall = kind == .identifier && !isOptional
    let place = range
    advance()
    if isOptional {
      let name = try add(.literal(.string(field)), place)
      return try addCall(Operators.optionalSelect, [operand, name], first..<end)
    }
    if mayBeCall && kind == .openParenthesis {
      let arguments = try self.arguments()
      return try call(field, target: operand, arguments, first..<end)
    }
    return try add(.select(operand: operand, field: field, isTest: false), first..<end)
  }

  private mutating func index(of operand: Syntax.ID) throws(Stop) -> Syntax.ID {
    let first = syntax.ranges[operand].lowerBound
    advance()
    let isOptional = take(.question)
    let key = try expression()
    try expect(
      .closeBracket, help: kind == .colon ? "write text.substring(start, end), or list.slice(start, end)" : nil)
    return try addCall(isOptional ? Operators.optionalIndex : Operators.index, [operand, key], first..<end)
  }
}

extension Token.Kind {
  fileprivate var isSignable: Bool { self == .integer || self == .double }
}
