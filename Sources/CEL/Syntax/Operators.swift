/// The functions of the operators, by their names in cel-spec.
enum Operators {
  static let conditional = "_?_:_"
  static let and = "_&&_"
  static let or = "_||_"
  static let not = "!_"
  static let negate = "-_"
  static let index = "_[_]"
  static let add = "_+_"
  static let equal = "_==_"
  static let greaterOrEqual = "_>=_"
  static let `in` = "@in"
  static let optionalSelect = "_?._"
  static let optionalIndex = "_[?_]"
  /// An element of a list or a value of a map after a question mark.
  static let optionalElement = "@optional"
  /// Adds an entry, or a map's entries, to the map that a loop builds.
  static let mapInsert = "@mapInsert"
  static let notStrictlyFalse = "@not_strictly_false"

  /// Returns the precedence of a binary operator and its function; nil for other tokens.
  static func binary(_ kind: Token.Kind) -> (precedence: Int, function: String)? {
    switch kind {
    case .or: (1, or)
    case .and: (2, and)
    case .equal: (3, equal)
    case .notEqual: (3, "_!=_")
    case .less: (3, "_<_")
    case .lessOrEqual: (3, "_<=_")
    case .greater: (3, "_>_")
    case .greaterOrEqual: (3, greaterOrEqual)
    case .in: (3, `in`)
    case .plus: (4, add)
    case .minus: (4, "_-_")
    case .star: (5, "_*_")
    case .slash: (5, "_/_")
    case .percent: (5, "_%_")
    default: nil
    }
  }

  /// Returns a function's name in messages: `>` rather than `_>_`.
  static func displayName(_ function: String) -> String {
    switch function {
    case conditional: return "? :"
    case index: return "[ ]"
    case optionalIndex: return "[? ]"
    case optionalSelect: return ".?"
    case optionalElement: return "?"
    case `in`: return "in"
    case "@groupByKeys": return "groupBy"
    case "@sortByKeys": return "sortBy"
    case "!_", "-_": return String(function.dropLast())
    default:
      guard function.hasPrefix("_"), function.hasSuffix("_"), function.count > 2 else { return function }
      return String(function.dropFirst().dropLast())
    }
  }

  static func isOperator(_ function: String) -> Bool {
    function.hasPrefix("_") && function.hasSuffix("_") || function == not || function == negate || function == `in`
      || function == index || function == optionalElement
  }
}
