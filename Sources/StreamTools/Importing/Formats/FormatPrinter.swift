import StreamCore

/// Prints the structure of a format string as CEL.
///
/// The playground's values are strings that mostly hold numbers, and a `%@` has no type: its context determines whether
/// `value` or `int(value)` is printed.
struct FormatPrinter {
  let arguments: [FormatTranslator.Argument]
  /// Refusals and assumptions.
  var diagnostics = Diagnostics()
  /// Whether a number with a fraction was written.
  private(set) var usesFractions = false

  /// The longest product that a power is written out as, in bytes: powers of powers would grow without bound.
  private static let productLimit = 2_000

  init(arguments: [FormatTranslator.Argument]) { self.arguments = arguments }

  func argument(_ place: Int) -> FormatTranslator.Argument {
    arguments.indices.contains(place) ? arguments[place] : .value
  }

  /// Reports a part that cannot be imported. The returned placeholder is never used.
  mutating func refuse(_ part: FormatNode.Located, _ message: String, help: String? = nil) -> CELFragment {
    diagnostics.append(Diagnostic(.unsupportedImport, message, part: .text(part.range), help: help))
    return CELFragment("false")
  }

  mutating func assume(_ part: FormatNode.Located, _ message: String) {
    diagnostics.append(Diagnostic(.assumption, message, part: .text(part.range), severity: .note))
  }
}

// MARK: - Conditions

extension FormatPrinter {
  /// The part as something true or false.
  mutating func condition(_ part: FormatNode.Located) -> CELFragment {
    switch part.node {
    case .boolean(let value): return CELFragment(value ? "true" : "false")
    case .not(let inner):
      return CELFragment("!" + condition(inner).text(within: .primary), .unary)
    case .logic(let symbol, let left, let right):
      let left = condition(left)
      let right = condition(right)
      return symbol == .and
        ? .infix(left, "&&", right, .both)
        : .infix(left, "||", right, .either)
    case .comparison(let symbol, let modifiers, let left, let right):
      return comparison(symbol, modifiers, left, right, whole: part)
    case .refused: return CELFragment("false")
    default:
      return refuse(part, "expected a condition, such as a comparison", help: "compare it: '%d != 0'")
    }
  }
}

// MARK: - Numbers

extension FormatPrinter {
  /// The part as a number.
  mutating func number(_ part: FormatNode.Located) -> CELFragment {
    switch part.node {
    case .integer(let value): return CELFragment(String(value))
    case .real(let text):
      usesFractions = true
      return CELFragment(text)
    case .boolean(let value): return CELFragment(value ? "1" : "0")
    case .argument(let place, .real):
      usesFractions = true
      return CELFragment("double(\(argument(place).name))")
    case .argument(let place, _): return number(of: argument(place))
    case .itself: return number(of: itself(part))
    case .negation(let inner): return negation(number(inner))
    case .arithmetic(let sign, let left, let right):
      let binding: CELFragment.Binding = sign == .plus || sign == .minus ? .sum : .product
      return .infix(number(left), sign.rawValue, number(right), binding)
    case .power(let base, let exponent):
      let factor = number(base)
      guard exponent > 1 else { return exponent == 1 ? factor : CELFragment("1") }
      guard factor.text.utf8.count * exponent <= Self.productLimit else {
        return refuse(part, "the product for '**' is too long to be written out")
      }
      return CELFragment(
        Array(repeating: factor.text(within: .unary), count: exponent).joined(separator: " * "), .product)
    case .refused: return CELFragment("0")
    case .text, .null, .list: return refuse(part, "expected a number")
    case .not, .logic, .comparison:
      return refuse(part, "expected a number, found a condition", help: "use a condition in a filter")
    }
  }

  private func number(of argument: FormatTranslator.Argument) -> CELFragment {
    CELFragment(argument.isText ? "int(\(argument.name))" : argument.name)
  }

  private func negation(_ inner: CELFragment) -> CELFragment {
    // `--3` would be read as one sign.
    let operand = inner.text.hasPrefix("-") ? "(\(inner.text))" : inner.text(within: .unary)
    return CELFragment("-" + operand, .unary)
  }

  /// `SELF`, which was nothing in the playground: it evaluated its format strings with nil.
  mutating func itself(_ part: FormatNode.Located) -> FormatTranslator.Argument {
    assume(part, "'SELF' was nil in the playground; it is assumed to be the value")
    return arguments.last ?? .value
  }
}
