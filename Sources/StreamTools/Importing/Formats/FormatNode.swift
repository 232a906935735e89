/// A part of a format string once its structure is known.
indirect enum FormatNode {
  case integer(Int64)
  /// A number with a fraction, as CEL writes it.
  case real(String)
  case text(String)
  case boolean(Bool)
  case null
  /// The argument at this index of the argument list.
  case argument(Int, FormatSpecifier)
  /// `SELF`.
  case itself
  /// `{a, b}`.
  case list([Located])
  case negation(Located)
  /// `+ - * /`.
  case arithmetic(FormatSymbol, Located, Located)
  /// A base and a constant exponent.
  case power(Located, Int)
  case not(Located)
  /// `AND`, `OR`.
  case logic(FormatSymbol, Located, Located)
  /// A comparison operator with the options in brackets after it.
  case comparison(FormatSymbol, FormatModifiers, Located, Located)
  /// A part that cannot be imported and has already been reported.
  case refused

  /// A node and its place, in UTF-8 bytes of the format string.
  struct Located {
    var node: FormatNode
    var range: Range<Int>
  }
}

/// The options of a comparison, `[cd]`.
struct FormatModifiers: Hashable {
  /// `c`: capitals and small letters are the same.
  var ignoresCase = false
}
