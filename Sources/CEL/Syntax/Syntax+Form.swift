internal import StreamCore

extension CELExpression {
  /// A canonical form, equal for expressions with equal syntax trees: white space, quotation marks, redundant
  /// parentheses and the spelling of literals make no difference. An expression that cannot be parsed is its own form.
  package var form: String {
    guard let syntax = try? parse() else { return text }
    return DeepStack.run(levels: syntax.depth) {
      var writer = FormWriter(syntax: syntax)
      writer.add(syntax.root)
      return writer.text
    }
  }

  /// Whether a name occurs in the expression, as a variable or shadowed by a loop variable.
  ///
  /// A call of `random()` reads the index.
  package func mentions(_ name: String) -> Bool {
    guard let syntax = try? parse() else { return false }
    return syntax.nodes.contains { node in
      switch node {
      case .name(name, _): true
      case .call("random", nil, _): name == "index"
      default: false
      }
    }
  }
}

/// Writes a tree as `(call +  (name value) (literal int 1))`.
private struct FormWriter {
  let syntax: Syntax
  var text = ""

  mutating func add(_ id: Syntax.ID) {
    text += "("
    switch syntax.nodes[id] {
    case .literal(let value): text += "literal \(value.typeName) \(JSONWriter.compact(value))"
    case .name(let name, let isAbsolute): text += "\(isAbsolute ? "absolute" : "name") \(name)"
    case .select(_, let field, let isTest): text += "\(isTest ? "has" : "select") \(field)"
    case .call(let function, let target, _): text += "\(target == nil ? "call" : "method") \(function)"
    case .list: text += "list"
    case .map: text += "map"
    case .message(let name): text += "message \(name)"
    case .comprehension(let loop):
      text += "loop \(loop.variable) \(loop.secondVariable ?? "-") \(loop.accumulator)"
    }
    for child in syntax.nodes[id].children { add(child) }
    text += ")"
  }
}

extension CELExpression {
  /// Whether the text is an expression with an operator or an access to a member, or begins with the received value. Other
  /// expressions, such as names and calls, may be something else where a name or a call is expected.
  package var isCompound: Bool {
    guard let syntax = try? parse() else { return false }
    var current = syntax.root
    while true {
      switch syntax.nodes[current] {
      case .select: return true
      case .name(let name, _): return name == ForeignWords.value && current != syntax.root
      case .call(let name, _, _) where Operators.isOperator(name): return true
      case .call(_, let target?, _): current = target
      default: return false
      }
    }
  }
}
