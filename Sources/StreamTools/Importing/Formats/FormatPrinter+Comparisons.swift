extension FormatPrinter {
  /// The kind of an operand, as far as the format string reveals it.
  private enum Side: Hashable {
    case number, text, object, boolean, null, list, condition, refused

    init(_ node: FormatNode) {
      switch node {
      case .integer, .real, .argument(_, .integer), .argument(_, .real), .negation, .arithmetic, .power: self = .number
      case .text: self = .text
      case .argument(_, .object), .itself: self = .object
      case .boolean: self = .boolean
      case .null: self = .null
      case .list: self = .list
      case .not, .logic, .comparison: self = .condition
      case .refused: self = .refused
      }
    }
  }

  mutating func comparison(
    _ symbol: FormatSymbol, _ modifiers: FormatModifiers, _ left: FormatNode.Located, _ right: FormatNode.Located,
    whole: FormatNode.Located
  ) -> CELFragment {
    guard Side(left.node) != .refused, Side(right.node) != .refused else { return CELFragment("false") }
    switch symbol {
    case .between: return between(modifiers, left, right)
    case .among: return membership(modifiers, left, right)
    case .beginsWith, .contains, .endsWith, .like, .matches: return textTest(symbol, modifiers, left, right)
    default: return relation(symbol, modifiers, left, right, whole: whole)
    }
  }

  /// `==`, `!=`, `<` and their like.
  private mutating func relation(
    _ symbol: FormatSymbol, _ modifiers: FormatModifiers, _ left: FormatNode.Located, _ right: FormatNode.Located,
    whole: FormatNode.Located
  ) -> CELFragment {
    let sides: Set<Side> = [Side(left.node), Side(right.node)]
    let (first, second): (CELFragment, CELFragment)
    if sides.contains(.list) {
      return refuse(whole, "lists cannot be compared here", help: "write 'IN {…}' or 'BETWEEN {…}'")
    } else if sides.contains(.condition) {
      (first, second) = (condition(left), condition(right))
    } else if sides.contains(.null) {
      (first, second) = (plain(left), plain(right))
    } else if sides == [.boolean] {
      (first, second) = (condition(left), condition(right))
    } else if sides.contains(.text) || sides == [.object] {
      (first, second) = (
        text(left, ignoringCase: modifiers.ignoresCase), text(right, ignoringCase: modifiers.ignoresCase)
      )
    } else {
      (first, second) = (number(left), number(right))
    }
    return .infix(first, symbol.rawValue, second, .relation)
  }

  /// Prints an operand that is compared with null, which may have any type.
  private mutating func plain(_ part: FormatNode.Located) -> CELFragment {
    switch Side(part.node) {
    case .null: CELFragment("null")
    case .text, .object: text(part, ignoringCase: false)
    default: number(part)
    }
  }

  private mutating func between(
    _ modifiers: FormatModifiers, _ left: FormatNode.Located, _ right: FormatNode.Located
  ) -> CELFragment {
    guard case .list(let bounds) = right.node, bounds.count == 2, let lower = bounds.first, let upper = bounds.last
    else { return refuse(right, "'BETWEEN' needs two bounds, such as '{1, 5}'") }
    let isText = [left, lower, upper].contains { Side($0.node) == .text }
    let ignoresCase = modifiers.ignoresCase
    let middle = isText ? text(left, ignoringCase: ignoresCase) : number(left)
    let low = isText ? text(lower, ignoringCase: ignoresCase) : number(lower)
    let high = isText ? text(upper, ignoringCase: ignoresCase) : number(upper)
    return .infix(.infix(low, "<=", middle, .relation), "&&", .infix(middle, "<=", high, .relation), .both)
  }

  /// Prints `IN`: an element of a list, or a substring.
  private mutating func membership(
    _ modifiers: FormatModifiers, _ left: FormatNode.Located, _ right: FormatNode.Located
  ) -> CELFragment {
    guard case .list(let elements) = right.node else {
      return Side(right.node) == .text || Side(right.node) == .object
        ? textTest(.contains, modifiers, right, left)
        : refuse(right, "'IN' needs a list, such as '{1, 2, 3}'")
    }
    let isText = ([left] + elements).contains { Side($0.node) == .text }
    var printed: [String] = []
    for element in elements {
      printed.append((isText ? text(element, ignoringCase: modifiers.ignoresCase) : number(element)).text)
    }
    let wanted = isText ? text(left, ignoringCase: modifiers.ignoresCase) : number(left)
    return .infix(wanted, "in", CELFragment("[\(printed.joined(separator: ", "))]"), .relation)
  }
}
