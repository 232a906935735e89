import StreamCore

/// Answers an editor's queries about an expression, which may be incomplete.
package struct ExpressionHelp: Sendable {
  package let expression: CELExpression
  package let environment: ExpressionEnvironment
  let bytes: [UInt8]
  let tokens: [Token]

  package init(_ expression: CELExpression, in environment: ExpressionEnvironment) {
    self.expression = expression
    self.environment = environment
    bytes = Array(expression.text.utf8.prefix(environment.limits.bytes))
    tokens = Lexer.leadingTokens(of: bytes).tokens
  }

  /// Information about a word or a sign.
  package struct Part: Hashable, Sendable {
    /// Range in the expression, in UTF-8 bytes.
    package let range: Range<Int>
    package let text: String
    /// The type of its value or of a call's result; nil if it is unknown or the expression cannot be parsed.
    package let type: CELType?
    /// The signatures of a function or an operator, or the forms of a macro.
    package let forms: [String]
    /// A description of a function, an operator or a macro.
    package let summary: String?
  }

  /// Returns information about the word or sign that contains the byte at `offset`; nil if there is none.
  package func part(at offset: Int) -> Part? {
    guard let index = tokens.firstIndex(where: { $0.range.contains(offset) }) else { return nil }
    let token = tokens[index]
    let text = text(token.range)
    let tree = Self.tree(expression, environment)
    func part(_ range: Range<Int>, _ type: CELType?, _ function: Described? = nil) -> Part {
      Part(
        range: range, text: self.text(range), type: type, forms: function?.forms ?? [],
        summary: function?.summary)
    }
    switch token.kind {
    case .identifier, .quotedIdentifier:
      guard kind(after: index) == .openParenthesis else {
        return part(token.range, tree?.type(ofName: text, at: token.range))
      }
      let path = path(endingAt: index)
      let type = tree?.type(ofCallAt: token.range)
      // A variable's name does not begin a function's name.
      let isVariable = environment.variables.contains { $0.name == self.text(path).prefix { $0 != "." } }
      if !isVariable, let function = self.function(named: self.text(path)) { return part(path, type, function) }
      guard let function = described(text, isMember: kind(before: index) == .dot) else { return nil }
      return part(token.range, type, function)
    case .integer, .unsigned, .double, .string, .bytes, .true, .false, .null:
      return part(token.range, tree?.type(ofWhatStandsAt: token.range))
    default:
      guard let name = Operators.binary(token.kind)?.function ?? Self.signs[token.kind] else { return nil }
      return part(token.range, tree?.type(ofCallAt: token.range), self.function(named: name))
    }
  }

  private static let signs: [Token.Kind: String] = [
    .exclamation: Operators.not, .question: Operators.conditional, .openBracket: Operators.index,
  ]

  // MARK: Functions

  struct Described {
    let summary: String
    let forms: [String]
  }

  /// Returns the function with this full name; functions of the host take precedence over those of the library.
  func function(named name: String) -> Described? {
    if let declared = environment.declaredFunctions.first(where: { $0.name == name }) {
      return Described(summary: "A function of the host program", forms: declared.overloads.map(\.description))
    }
    return FunctionCatalogue.functions[name].map {
      Described(summary: $0.summary, forms: $0.signatures(.strict).map(\.description))
    }
  }

  /// Returns the macro with this name and form of call, or else the function with this name.
  private func described(_ name: String, isMember: Bool) -> Described? {
    let macros = Macro.all.filter { $0.name == name && $0.isMember == isMember }
    guard let macro = macros.first else { return function(named: name) }
    return Described(summary: macro.sentence, forms: macros.map(\.form))
  }

  // MARK: Tokens

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self) }

  private func kind(before index: Int) -> Token.Kind? { index > 0 ? tokens[index - 1].kind : nil }

  private func kind(after index: Int) -> Token.Kind? { index + 1 < tokens.count ? tokens[index + 1].kind : nil }

  /// Returns the range of the dotted names that end with the token at `index`.
  private func path(endingAt index: Int) -> Range<Int> {
    var first = index
    while first >= 2, tokens[first - 1].kind == .dot, tokens[first - 2].kind == .identifier { first -= 2 }
    return tokens[first].range.lowerBound..<tokens[index].range.upperBound
  }

  /// Returns the typed tree of an expression, even if it is ill-typed; nil if it cannot be parsed.
  static func tree(_ expression: CELExpression, _ environment: ExpressionEnvironment) -> TypedTree? {
    guard let syntax = try? expression.parse(in: environment) else { return nil }
    return DeepStack.run(levels: syntax.depth) {
      var checker = Checker(syntax, in: environment)
      checker.check(syntax.root)
      return TypedTree(syntax: syntax, types: checker.types)
    }
  }
}

extension Macro {
  /// The summary without a full stop.
  var sentence: String { summary.hasSuffix(".") ? String(summary.dropLast()) : summary }

  /// Descriptive names of the arguments.
  var argumentNames: [String] {
    if name == "bind" { return ["name", "value", "expression"] }
    if name == "fold" { return ["acc", "x", "start", "expression"] }
    guard isMember else { return ["field"] }
    let count = argumentCount - 1
    let variables = name == "map" ? ["x", "condition"] : ["x", "y", "condition"]
    return (count == 1 ? ["x"] : Array(variables.prefix(count))) + ["expression"]
  }

  /// The form of a call, such as `list.map(x, expression)`.
  var form: String {
    let target = name == "bind" ? "cel." : name.hasPrefix("opt") ? "optional." : isMember ? "list." : ""
    return "\(target)\(name)(\(argumentNames.joined(separator: ", ")))"
  }
}

/// The syntax tree of an expression with the types of its nodes.
struct TypedTree: Sendable {
  let syntax: Syntax
  let types: [CELType]

  /// Returns the type of the variable or field whose name ends at the end of `range`.
  func type(ofName name: String, at range: Range<Int>) -> CELType? {
    smallest { node, place in
      guard place.upperBound == range.upperBound, place.lowerBound <= range.lowerBound else { return false }
      switch node {
      case .name(name, _), .select(_, name, isTest: false): return true
      default: return false
      }
    }
  }

  /// Returns the result type of the call or loop whose sign or name is at `range`.
  func type(ofCallAt range: Range<Int>) -> CELType? {
    smallest { node, place in
      guard place.lowerBound <= range.lowerBound, place.upperBound >= range.upperBound else { return false }
      switch node {
      case .call, .comprehension, .select(_, _, isTest: true): return true
      default: return false
      }
    }
  }

  func type(ofWhatStandsAt range: Range<Int>) -> CELType? { smallest { _, place in place == range } }

  /// Returns the type of the largest part within the range; the outermost of several equally large ones.
  func type(ofLargestIn range: Range<Int>) -> CELType? {
    var best: (id: Syntax.ID, count: Int)?
    for (id, place) in syntax.ranges.enumerated()
    where place.lowerBound >= range.lowerBound && place.upperBound <= range.upperBound && isWritten(id) {
      if place.count >= best?.count ?? 0 { best = (id, place.count) }
    }
    return best.map { types[$0.id].settled }
  }

  /// Whether a node was written by the author and not generated by a macro as a step around it.
  private func isWritten(_ id: Syntax.ID) -> Bool {
    guard case .call(_, nil, let arguments) = syntax.nodes[id] else { return true }
    return !arguments.contains { argument in
      if case .name(Parser.accumulator, _) = syntax.nodes[argument] { true } else { false }
    }
  }

  /// Returns the type of the smallest matching node; the outermost of several equally small ones, because a macro's
  /// parts have the range of the whole.
  private func smallest(_ isMeant: (Syntax.Node, Range<Int>) -> Bool) -> CELType? {
    var best: (id: Syntax.ID, count: Int)?
    for (id, place) in syntax.ranges.enumerated() where isMeant(syntax.nodes[id], place) && isWritten(id) {
      if place.count <= best?.count ?? .max { best = (id, place.count) }
    }
    return best.map { types[$0.id].settled }
  }
}
