/// How tightly the operators of format strings bind, loosest first.
enum FormatPrecedence: Int, Comparable {
  case none, or, and, not, comparison, sum, product, sign, power

  static func < (lhs: FormatPrecedence, rhs: FormatPrecedence) -> Bool { lhs.rawValue < rhs.rawValue }

  init?(_ symbol: FormatSymbol) {
    switch symbol {
    case .or: self = .or
    case .and: self = .and
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .among, .beginsWith, .contains,
      .endsWith, .like, .matches:
      self = .comparison
    case .plus, .minus: self = .sum
    case .times, .divide: self = .product
    case .power: self = .power
    default: return nil
    }
  }
}
