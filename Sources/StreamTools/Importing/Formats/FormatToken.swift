/// A word of a format string of NSPredicate or NSExpression, and where it stands.
struct FormatToken {
  /// The kind of the token.
  var kind: Kind
  /// Its place, in UTF-8 bytes of the format string.
  var range: Range<Int>

  enum Kind: Hashable {
    /// An integer.
    case integer(Int64)
    /// A number with a fraction or an exponent, as CEL writes it.
    case real(String)
    /// A string with its escapes resolved.
    case text(String)
    /// `%d`, `%@` …: the next argument.
    case argument(FormatSpecifier)
    /// A keyword or an operator symbol in its canonical spelling: `AND` for `and` and `&&`.
    case symbol(FormatSymbol)
    /// A name that is not a keyword: a key path, a function, a variable.
    case name(String)
    /// `[cd]`, only after a comparison operator.
    case modifiers(String)
    /// The end of the format string.
    case end
  }
}

/// The type of the argument of a `%` specifier.
enum FormatSpecifier: Hashable {
  /// `%d %i %u`, with any length modifier: an integer.
  case integer
  /// `%f %g %e`: a number with a fraction.
  case real
  /// `%@`: the argument unchanged.
  case object
}

/// The keywords and signs of format strings, each in one spelling.
enum FormatSymbol: String, Hashable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case among = "IN"
  case beginsWith = "BEGINSWITH"
  case contains = "CONTAINS"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case yes = "TRUE"
  case no = "FALSE"
  case null = "NULL"
  case itself = "SELF"
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBrace = "{"
  case closeBrace = "}"
  case comma = ","

  /// Creates the symbol of a keyword in any case; nil for another name.
  init?(keyword: String) {
    switch keyword.uppercased() {
    case "YES": self = .yes
    case "NO": self = .no
    case "NIL": self = .null
    case let word:
      guard let symbol = FormatSymbol(rawValue: word) else { return nil }
      self = symbol
    }
  }

  /// The signs, longest first, so that `<=` is not read as `<` and `=`.
  static let signs: [(text: String, symbol: FormatSymbol)] = [
    ("&&", .and), ("||", .or), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
    ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("**", .power), ("=", .equal),
    ("<", .less), (">", .greater), ("!", .not), ("+", .plus), ("-", .minus), ("*", .times), ("/", .divide),
    ("(", .openParenthesis), (")", .closeParenthesis), ("{", .openBrace), ("}", .closeBrace), (",", .comma),
  ]
}
