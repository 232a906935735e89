/// A piece of CEL text and how tightly its outermost operator binds.
struct CELFragment {
  var text: String
  var binding: Binding

  /// The levels of CEL's grammar, loosest first.
  enum Binding: Int, Comparable {
    case either, both, relation, sum, product, unary, primary

    static func < (lhs: Binding, rhs: Binding) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  init(_ text: String, _ binding: Binding = .primary) {
    self.text = text
    self.binding = binding
  }

  /// The text, in parentheses where its operator would come apart in an operand that binds like `binding`.
  func text(within binding: Binding) -> String { self.binding < binding ? "(\(text))" : text }

  /// Both sides of a left-associative operator.
  static func infix(_ left: CELFragment, _ sign: String, _ right: CELFragment, _ binding: Binding) -> CELFragment {
    // `a && (b && c)` means what `a && b && c` means; `a - (b - c)` does not mean `a - b - c`.
    let associates = binding == .either || binding == .both
    let tighter = Binding(rawValue: binding.rawValue + 1) ?? .primary
    let other = right.text(within: associates ? binding : tighter)
    return CELFragment("\(left.text(within: binding == .relation ? tighter : binding)) \(sign) \(other)", binding)
  }

  /// A method of this: `value.contains('a')`.
  func calling(_ method: String, _ arguments: String = "") -> CELFragment {
    CELFragment("\(text(within: .primary)).\(method)(\(arguments))")
  }

  /// A text literal.
  static func literal(_ text: String) -> CELFragment {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return CELFragment(quoted + "'")
  }
}
