// The context of a position in an incomplete expression: operands, open brackets, loops.

extension ExpressionHelp {
  /// Returns the index of the first token of the operand that ends the tokens; nil if they do not end with an operand.
  static func operandStart(_ tokens: [Token]) -> Int? {
    var index = tokens.count - 1
    while index >= 0 {
      let kind = tokens[index].kind
      switch kind {
      case .closeParenthesis, .closeBracket, .closeBrace:
        guard let open = opening(of: index, in: tokens) else { return nil }
        // An operand directly before brackets is called or indexed.
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

  /// Returns the variables of the loops that are open at the end of the tokens, and the ranges of their names; the
  /// outermost first.
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
      // A loop has one variable, or two in successive arguments.
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

  /// Returns the type of an operand that precedes the end of the tokens, as far as it can be determined.
  ///
  /// The source after the tokens is ignored, and open brackets are closed.
  ///
  /// - Parameter name: The name of an open loop's variable, which is appended and whose type is returned instead.
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

  /// Returns the brackets that close the open ones.
  private static func closing(_ tokens: [Token]) -> String {
    var open: [String] = []
    for token in tokens {
      if let closing = token.kind.closing { open.append(closing) } else if token.kind.closes { _ = open.popLast() }
    }
    return open.reversed().joined()
  }
}

extension Token.Kind {
  /// The closing bracket for an opening bracket; nil for other kinds.
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
