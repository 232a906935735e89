import StreamCore

/// Parses an expression by recursive descent, with one level of recursion for each level of nesting.
///
/// Chains of binary operators, of members and of prefixes are read in loops. The first mistake ends the parse; it is
/// kept in `failure` and thrown as the empty `Stop`, which keeps the frames of the recursion small.
struct Parser {
  struct Stop: Error {}

  let literals: Literals
  let tokens: [Token]
  let limits: ExpressionLimits
  /// The macros by name; nil if their names denote plain functions.
  let macros: MacroTable?
  var position = 0
  var nesting = 0
  var syntax: Syntax
  var failure: Diagnostic?

  /// - Parameter bytes: The UTF-8 bytes of `text`.
  static func parse(
    _ text: String, _ bytes: [UInt8], in environment: ExpressionEnvironment, using memory: ExpressionMemory
  ) throws(Diagnostic) -> Syntax {
    let limits = environment.limits
    if bytes.count > limits.bytes {
      throw Diagnostic(
        .expressionTooLarge, "the expression has \(bytes.count) bytes; at most \(limits.bytes) are allowed",
        part: .text(0..<bytes.count))
    }
    var tokens = ExpressionMemory.emptied(&memory.tokens)
    defer { memory.tokens = tokens }
    try Lexer.addTokens(of: bytes, to: &tokens)
    var parser = Parser(
      literals: Literals(bytes: bytes), tokens: tokens, limits: limits,
      macros: environment.macrosEnabled ? environment.macros : nil,
      syntax: Syntax(text: text, count: min(tokens.count, 64), using: memory))
    do {
      parser.syntax.root = try parser.expression()
      if parser.kind != .end { throw parser.unexpected("an operator or the end of the expression") }
    } catch {
      throw parser.failure ?? Diagnostic(.expressionSyntax, "the expression cannot be parsed")
    }
    return parser.syntax
  }

  var kind: Token.Kind { tokens[position].kind }
  var range: Range<Int> { tokens[position].range }
  var start: Int { tokens[position].range.lowerBound }
  /// The offset of the end of the previous token.
  var end: Int { position > 0 ? tokens[position - 1].range.upperBound : 0 }

  mutating func advance() {
    if position + 1 < tokens.count { position += 1 }
  }

  mutating func take(_ wanted: Token.Kind) -> Bool {
    guard kind == wanted else { return false }
    advance()
    return true
  }

  mutating func expect(_ wanted: Token.Kind, _ expectation: String? = nil, help: String? = nil) throws(Stop) {
    if !take(wanted) { throw unexpected(expectation ?? wanted.name, help: help) }
  }

  /// Expression = Or [ "?" Or ":" Expression ]
  mutating func expression() throws(Stop) -> Syntax.ID {
    try enter()
    let first = start
    var result = try operation()
    if take(.question) {
      let isMember = kind == .dot && literals.bytes[start - 1] == UInt8(ascii: "?")
      let positive = try operation()
      try expect(
        .colon, "':' and the value for when the condition is false",
        help: isMember ? "write value.?name for a member that may be missing" : nil)
      let negative = try expression()
      result = try add(
        .call(function: Operators.conditional, target: nil, arguments: [result, positive, negative]), first..<end)
    }
    nesting -= 1
    return result
  }

  private mutating func enter() throws(Stop) {
    nesting += 1
    if nesting > limits.depth { throw tooDeep(range) }
  }

  /// Parses a chain of binary operators of any precedence with an operand stack and an operator stack.
  private mutating func operation() throws(Stop) -> Syntax.ID {
    let first = try operand()
    guard let (precedence, function) = Operators.binary(kind) else { return first }
    advance()
    let second = try operand()
    var next = Operators.binary(kind)
    if next == nil { return try join(function, first, second) }
    var chain = OperatorChain(operands: [first, second], operators: [(precedence, function)])
    while let (precedence, function) = next {
      try reduce(&chain, downTo: precedence, joining: function)
      chain.operators.append((precedence, function))
      advance()
      chain.operands.append(try operand())
      next = Operators.binary(kind)
    }
    try reduce(&chain, downTo: 0, joining: "")
    return chain.operands[0]
  }

  private struct OperatorChain {
    var operands: [Syntax.ID]
    var operators: [(precedence: Int, function: String)]
  }

  /// Reduces the operators that bind at least as strongly as the next one to nodes. A chain of `&&` or of `||` is
  /// reduced when it ends, by halving, which balances its tree.
  private mutating func reduce(
    _ chain: inout OperatorChain, downTo precedence: Int, joining next: String
  ) throws(Stop) {
    while let top = chain.operators.last, top.precedence >= precedence {
      let isLogic = top.precedence <= 2
      if isLogic && top.function == next { return }
      var count = 1
      if isLogic {
        while count < chain.operators.count, chain.operators[chain.operators.count - 1 - count].function == top.function
        {
          count += 1
        }
      }
      let operands = Array(chain.operands.suffix(count + 1))
      chain.operands.removeLast(count + 1)
      chain.operators.removeLast(count)
      chain.operands.append(try balanced(top.function, operands[...]))
    }
  }

  private mutating func balanced(_ function: String, _ operands: ArraySlice<Syntax.ID>) throws(Stop) -> Syntax.ID {
    if operands.count == 1 { return operands[operands.startIndex] }
    let middle = operands.startIndex + (operands.count + 1) / 2
    let left = try balanced(function, operands[..<middle])
    return try join(function, left, try balanced(function, operands[middle...]))
  }

  private mutating func join(_ function: String, _ left: Syntax.ID, _ right: Syntax.ID) throws(Stop) -> Syntax.ID {
    let place = syntax.ranges[left].lowerBound..<syntax.ranges[right].upperBound
    return try add(.call(function: function, target: nil, arguments: [left, right]), place)
  }
}

extension Parser {
  /// Adds a node and returns its id; throws if the tree becomes too deep.
  mutating func add(_ node: Syntax.Node, _ range: Range<Int>) throws(Stop) -> Syntax.ID {
    var depth = 0
    node.forEachChild { depth = max(depth, syntax.depths[$0]) }
    depth += 1
    if depth > limits.depth { throw tooDeep(range) }
    syntax.nodes.append(node)
    syntax.ranges.append(range)
    syntax.depths.append(depth)
    return syntax.nodes.count - 1
  }

  mutating func fail(_ diagnostic: Diagnostic) -> Stop {
    failure = diagnostic
    return Stop()
  }

  private mutating func tooDeep(_ range: Range<Int>) -> Stop {
    fail(
      Diagnostic(
        .expressionTooLarge, "the expression is nested more than \(limits.depth) levels deep", part: .text(range)))
  }

  /// Records that the current token is not the expected one, and returns the error to throw.
  ///
  /// - Parameter help: Advice that the place gives. By default that for the syntax of another language, if it is one.
  mutating func unexpected(_ expectation: String, help: String? = nil) -> Stop {
    let found: String
    switch kind {
    case .end: found = "the expression ends"
    case .integer, .unsigned, .double, .identifier, .quotedIdentifier, .string, .bytes:
      let text = String(decoding: literals.bytes[range].prefix(60), as: UTF8.self)
      found = "found \(kind == .string || kind == .bytes ? text : "'\(text)'")"
    default: found = "found \(kind.name)"
    }
    let place = kind == .end && start > 0 ? end..<start : range
    let message = "\(found), expected \(expectation)"
    let bytes = literals.bytes
    let other =
      help ?? MemberNames.help(in: bytes, at: start) ?? ForeignSyntax.help(in: bytes, at: start)
      ?? (kind == .identifier ? MemberNames.help(in: bytes, beforeWordAt: start) : nil)
    let help = other ?? (kind == .end ? "complete the expression, or remove the incomplete part" : nil)
    return fail(Diagnostic(.expressionSyntax, message, part: .text(place), help: help))
  }
}
