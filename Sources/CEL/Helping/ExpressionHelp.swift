import StreamCore

/// Answers an editor's questions about an expression, also about one that is half written.
package struct ExpressionHelp: Sendable {
  package let expression: CELExpression
  package let environment: Environment
  let bytes: [UInt8]
  let tokens: [Token]

  package init(_ expression: CELExpression, in environment: Environment) {
    self.expression = expression
    self.environment = environment
    bytes = Array(expression.text.utf8.prefix(environment.limits.bytes))
    tokens = Lexer.leadingTokens(of: bytes).tokens
  }

  /// What is known of a word or a sign.
  package struct Part: Hashable, Sendable {
    /// Bytes of the text.
    package let range: Range<Int>
    package let text: String
    /// The type of its value, or of what a call gives; nil where the expression cannot be read.
    package let type: CELType?
    /// How a function, an operator or a macro is written, with what it takes and gives.
    package let forms: [String]
    /// What a function, an operator or a macro does.
    package let summary: String?
  }

  /// The word or sign that has the byte at `offset`; nil where there is none of which something is known.
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
      // What a variable is called begins no function's name.
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

  /// A function of this full name, the host's before the library's.
  func function(named name: String) -> Described? {
    if let declared = environment.declaredFunctions.first(where: { $0.name == name }) {
      return Described(summary: "A function of the host program", forms: declared.overloads.map(\.description))
    }
    return FunctionCatalogue.functions[name].map {
      Described(summary: $0.summary, forms: $0.signatures(.strict).map(\.description))
    }
  }

  /// The macro of this name, or the function that is called this way.
  private func described(_ name: String, isMember: Bool) -> Described? {
    let macros = Macro.all.filter { $0.name == name && $0.isMember == isMember }
    guard let macro = macros.first else { return function(named: name) }
    return Described(summary: macro.sentence, forms: macros.map(\.form))
  }

  // MARK: Tokens

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self) }

  private func kind(before index: Int) -> Token.Kind? { index > 0 ? tokens[index - 1].kind : nil }

  private func kind(after index: Int) -> Token.Kind? { index + 1 < tokens.count ? tokens[index + 1].kind : nil }

  /// The names with dots between them that end with the one at `index`.
  private func path(endingAt index: Int) -> Range<Int> {
    var first = index
    while first >= 2, tokens[first - 1].kind == .dot, tokens[first - 2].kind == .identifier { first -= 2 }
    return tokens[first].range.lowerBound..<tokens[index].range.upperBound
  }

  /// The tree of an expression with the types of its nodes, right or wrong; nil where it cannot be read.
  static func tree(_ expression: CELExpression, _ environment: Environment) -> TypedTree? {
    guard let syntax = try? expression.parse(in: environment) else { return nil }
    return DeepStack.run(levels: syntax.depth) {
      var checker = Checker(syntax, in: environment)
      checker.check(syntax.root)
      return TypedTree(syntax: syntax, types: checker.types)
    }
  }
}

extension Macro {
  /// What it does, without a full stop.
  var sentence: String { summary.hasSuffix(".") ? String(summary.dropLast()) : summary }

  /// What stands between the parentheses, by names that say what it is.
  var argumentNames: [String] {
    if name == "bind" { return ["name", "value", "expression"] }
    guard isMember else { return ["field"] }
    let count = argumentCount - 1
    let variables = name == "map" ? ["x", "condition"] : ["x", "y", "condition"]
    return (count == 1 ? ["x"] : Array(variables.prefix(count))) + ["expression"]
  }

  /// How it is written.
  var form: String {
    let target = name == "bind" ? "cel." : name.hasPrefix("opt") ? "optional." : isMember ? "list." : ""
    return "\(target)\(name)(\(argumentNames.joined(separator: ", ")))"
  }
}

/// An expression's tree with the types of its nodes.
struct TypedTree: Sendable {
  let syntax: Syntax
  let types: [CELType]

  /// The type of the variable or field whose name ends there.
  func type(ofName name: String, at range: Range<Int>) -> CELType? {
    smallest { node, place in
      guard place.upperBound == range.upperBound, place.lowerBound <= range.lowerBound else { return false }
      switch node {
      case .name(name, _), .select(_, name, isTest: false): return true
      default: return false
      }
    }
  }

  /// The type of what the call or the loop gives whose sign or name stands there.
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

  /// The type of the largest part that stands within the range; of several that are as large, of the outermost.
  func type(ofLargestIn range: Range<Int>) -> CELType? {
    var best: (id: Syntax.ID, count: Int)?
    for (id, place) in syntax.ranges.enumerated()
    where place.lowerBound >= range.lowerBound && place.upperBound <= range.upperBound && isWritten(id) {
      if place.count >= best?.count ?? 0 { best = (id, place.count) }
    }
    return best.map { types[$0.id].settled }
  }

  /// Whether a node is the author's and not a step that a macro has made around it.
  private func isWritten(_ id: Syntax.ID) -> Bool {
    guard case .call(_, nil, let arguments) = syntax.nodes[id] else { return true }
    return !arguments.contains { argument in
      if case .name(Parser.accumulator, _) = syntax.nodes[argument] { true } else { false }
    }
  }

  /// Of nodes that are as small, the outermost: a macro's parts have the range of the whole.
  private func smallest(_ isMeant: (Syntax.Node, Range<Int>) -> Bool) -> CELType? {
    var best: (id: Syntax.ID, count: Int)?
    for (id, place) in syntax.ranges.enumerated() where isMeant(syntax.nodes[id], place) && isWritten(id) {
      if place.count <= best?.count ?? .max { best = (id, place.count) }
    }
    return best.map { types[$0.id].settled }
  }
}
