import StreamCore

// What is around a place of a half-written expression: operands, open brackets, loops.

extension ExpressionHelp {
  /// The place among the tokens where the operand begins that they end with; nil where they end with none.
  static func operandStart(_ tokens: [Token]) -> Int? {
    var index = tokens.count - 1
    while index >= 0 {
      let kind = tokens[index].kind
      switch kind {
      case .closeParenthesis, .closeBracket, .closeBrace:
        guard let open = opening(of: index, in: tokens) else { return nil }
        // What stands directly before brackets is called, or has an element taken.
        let continues = kind != .closeBrace && open > 0 && tokens[open - 1].kind.endsOperand
        if continues {
          index = open - 1
          continue
        }
        index = open
      default:
        guard kind.endsOperand else { return nil }
      }
      guard index >= 2, tokens[index - 1].kind == .dot else { return index }
      index -= 2
    }
    return nil
  }

  private static func opening(of index: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for place in (0...index).reversed() {
      if tokens[place].kind.closes { depth += 1 }
      if tokens[place].kind.closing != nil {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return nil
  }

  /// The variables of the loops that are open behind the tokens, and where each is named; the outermost first.
  func loopVariables(_ tokens: [Token]) -> [(name: String, place: Range<Int>)] {
    var open: [(token: Int, arguments: Int)] = []
    for (index, token) in tokens.enumerated() {
      if token.kind.closing != nil {
        open.append((index, 0))
      } else if token.kind.closes {
        _ = open.popLast()
      } else if token.kind == .comma, !open.isEmpty {
        open[open.count - 1].arguments += 1
      }
    }
    var variables: [(name: String, place: Range<Int>)] = []
    for (index, arguments) in open
    where index >= 2 && tokens[index].kind == .openParenthesis && tokens[index - 1].kind == .identifier
      && tokens[index - 2].kind == .dot
    {
      let name = text(tokens[index - 1].range)
      guard let macro = Macro.all.last(where: { $0.name == name && $0.isMember }) else { continue }
      // A loop has one variable, or two that come one after the other.
      let most = macro.argumentCount > 2 && macro.name != "bind" && macro.name != "map" ? 2 : 1
      for number in 0..<min(arguments, most) {
        let place = index + 1 + 2 * number
        guard place + 1 < tokens.count, tokens[place].kind == .identifier, tokens[place + 1].kind == .comma else {
          break
        }
        variables.append((text(tokens[place].range), tokens[place].range))
      }
    }
    return variables
  }

  /// The type of an operand that stands before the end of the tokens, as far as it can be told.
  ///
  /// What is behind the tokens is left out, and what is open is closed.
  ///
  /// - Parameter name: a name to ask for at the end instead: a variable of a loop that is open there.
  func type(of operand: Range<Int>, after tokens: [Token], writing name: String? = nil) -> CELType {
    let end = tokens.last?.range.upperBound ?? 0
    let start = text(0..<end) + (name.map { " " + $0 } ?? "")
    let asked = name.map { end + 1..<end + 1 + $0.utf8.count } ?? operand
    let closing = Self.closing(tokens)
    for attempt in [closing, " : null" + closing] {
      if let tree = Self.tree(CELExpression(start + attempt), environment), let type = tree.type(ofLargestIn: asked) {
        return type
      }
    }
    guard name == nil else { return .dyn }
    var wider = environment
    wider.variables += loopVariables(tokens).map { Variable($0.name) }
    let alone = text(operand)
    return Self.tree(CELExpression(alone), wider)?.type(ofLargestIn: 0..<alone.utf8.count) ?? .dyn
  }

  /// What closes the brackets that are open.
  private static func closing(_ tokens: [Token]) -> String {
    var open: [String] = []
    for token in tokens {
      if let closing = token.kind.closing { open.append(closing) } else if token.kind.closes { _ = open.popLast() }
    }
    return open.reversed().joined()
  }
}

extension Token.Kind {
  /// What closes the bracket that it opens.
  fileprivate var closing: String? {
    switch self {
    case .openParenthesis: ")"
    case .openBracket: "]"
    case .openBrace: "}"
    default: nil
    }
  }

  fileprivate var closes: Bool {
    self == .closeParenthesis || self == .closeBracket || self == .closeBrace
  }
}
