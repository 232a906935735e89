import StreamCore

extension FormatPrinter {
  /// Prints the part as a string, in lowercase if the comparison ignores case.
  mutating func text(_ part: FormatNode.Located, ignoringCase: Bool) -> CELFragment {
    switch part.node {
    case .text(let literal): return .literal(ignoringCase ? folded(literal, at: part) : literal)
    case .integer(let value): return .literal(String(value))
    case .real(let text): return .literal(text)
    case .argument(let place, let specifier):
      let fragment = text(of: argument(place))
      if specifier != .object {
        assume(part, "the number is compared as a string, because the other operand is a string")
      }
      return ignoringCase ? fragment.calling("lowerAscii") : fragment
    case .itself:
      let fragment = text(of: itself(part))
      return ignoringCase ? fragment.calling("lowerAscii") : fragment
    case .negation, .arithmetic, .power: return CELFragment("string(\(number(part).text))")
    case .refused: return CELFragment("''")
    case .boolean, .null, .list, .not, .logic, .comparison: return refuse(part, "expected a string")
    }
  }

  private func text(of argument: FormatTranslator.Argument) -> CELFragment {
    CELFragment(argument.isText ? argument.name : "string(\(argument.name))")
  }

  /// The literal in small letters, as `lowerAscii()` makes them.
  private mutating func folded(_ literal: String, at part: FormatNode.Located) -> String {
    if !literal.utf8.allSatisfy({ $0 < 0x80 }) {
      diagnostics.append(
        Diagnostic(
          .assumption, "'[c]' now ignores case only for the letters A to Z", part: .text(part.range),
          severity: .warning))
    }
    return String(
      String.UnicodeScalarView(
        literal.unicodeScalars.map { scalar in
          ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(ascii: scalar) + 32) : scalar
        }))
  }

  /// `BEGINSWITH`, `CONTAINS`, `ENDSWITH`, `LIKE`, `MATCHES`.
  mutating func textTest(
    _ symbol: FormatSymbol, _ modifiers: FormatModifiers, _ left: FormatNode.Located, _ right: FormatNode.Located
  ) -> CELFragment {
    let ignoringCase = modifiers.ignoresCase
    switch symbol {
    case .like, .matches:
      guard case .text(let pattern) = right.node else {
        return refuse(right, "'\(symbol.rawValue)' needs its pattern as a string in quotes")
      }
      if symbol == .like {
        let expression = TextPattern.wildcards(ignoringCase ? folded(pattern, at: right) : pattern)
        return text(left, ignoringCase: ignoringCase).calling("matches", CELFragment.literal(expression).text)
      }
      if let reason = TextPattern.reasonAgainst(pattern) { return refuse(right, reason) }
      // Small letters would turn `\D` into `\d`: here the pattern itself says that case does not matter.
      let expression = TextPattern.whole(pattern, ignoringCase: ignoringCase)
      return text(left, ignoringCase: false).calling("matches", CELFragment.literal(expression).text)
    default:
      let method = [FormatSymbol.beginsWith: "startsWith", .endsWith: "endsWith"][symbol] ?? "contains"
      let receiver = text(left, ignoringCase: ignoringCase)
      return receiver.calling(method, text(right, ignoringCase: ignoringCase).text)
    }
  }
}
