internal import StreamCore

/// An expression in exported Swift.
struct SwiftExpression {
  var code: String
  var type: SwiftType
  /// Whether it needs a `try` somewhere to its left.
  var isThrowing = false
  /// The precedence of its outermost operator; `Precedence.primary` if it has none.
  var precedence = Precedence.primary

  enum Precedence {
    static let ternary = 1
    static let or = 2
    static let and = 3
    static let comparison = 4
    static let sum = 5
    static let product = 6
    static let prefix = 7
    static let primary = 8
  }

  /// The code, in parentheses unless it binds at least as strongly.
  func code(in precedence: Int) -> String { self.precedence < precedence ? "(\(code))" : code }

  /// The code as the target of a member.
  var target: String { code(in: Precedence.primary) }

  /// The code as a whole, with its `try`.
  var whole: String { isThrowing ? "try \(code)" : code }
}

/// A variable that an expression sees.
struct ExportVariable {
  /// The name in expressions.
  let name: String
  /// The name in the exported code.
  let code: String
  let type: SwiftType
}

/// Why something cannot be exported.
struct ExportRefusal: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// Literals of Swift.
enum SwiftLiteral {
  static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  /// Returns the code of a value in a context that expects `JSON`.
  static func json(_ value: Value) throws(ExportRefusal) -> String {
    switch value {
    case .null: return ".null"
    case .bool(let truth): return truth ? "true" : "false"
    case .int(let number): return String(number)
    case .double(let number) where number.isFinite: return "\(number)"
    case .string(let text): return string(text)
    case .list(let elements):
      var parts: [String] = []
      for element in elements { parts.append(try json(element)) }
      return "[\(parts.joined(separator: ", "))]"
    case .map(let map):
      var parts: [String] = []
      for (key, value) in map.pairs {
        guard case .string(let name) = key else { throw ExportRefusal("a map with keys that are not strings") }
        parts.append("\(string(name)): \(try json(value))")
      }
      return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    default: throw ExportRefusal("a value of type \(value.typeName)")
    }
  }
}
