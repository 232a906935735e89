/// The patterns of `LIKE` and `MATCHES` as regular expressions of CEL, which are RE2's.
enum TextPattern {
  /// Converts a pattern of `LIKE` to a regular expression: `*` matches any characters, `?` matches one, and a backslash
  /// escapes them.
  static func wildcards(_ pattern: String) -> String {
    var expression = "^"
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: expression += ".*"
      case "?" where !isEscaped: expression += "."
      default:
        if #"\.+*?()|[]{}^$"#.unicodeScalars.contains(scalar) { expression += "\\" }
        expression.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    return expression + (isEscaped ? #"\\$"# : "$")
  }

  /// A pattern of `MATCHES`, which always means the whole text.
  static func whole(_ pattern: String, ignoringCase: Bool) -> String {
    "^(?\(ignoringCase ? "i" : ""):\(pattern))$"
  }

  /// Returns the reason why an ICU regular expression is not supported by RE2; nil if it is supported.
  static func reasonAgainst(_ pattern: String) -> String? {
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let escaped = rest.popFirst() {
        if ("1"..."9").contains(escaped) || escaped == "k" {
          return "the pattern has a backreference, which CEL's patterns do not support"
        }
      } else if scalar == "(", ["?=", "?!", "?<=", "?<!"].contains(where: { rest.starts(with: $0.unicodeScalars) }) {
        return "the pattern has a lookahead or lookbehind, which CEL's patterns do not support"
      } else if scalar == "(", rest.starts(with: "?>".unicodeScalars) {
        return "the pattern has an atomic group, which CEL's patterns do not support"
      } else if "*+?}".unicodeScalars.contains(scalar), rest.first == "+" {
        return "the pattern has a possessive quantifier, which CEL's patterns do not support"
      }
    }
    return nil
  }
}
