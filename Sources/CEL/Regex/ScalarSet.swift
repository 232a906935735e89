/// A set of Unicode scalars, as given by a character class in a pattern.
struct ScalarSet: Sendable {
  enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case category(Set<Unicode.GeneralCategory>)
    /// Unicode's alphabetic scalars: letters, and signs used as letters.
    case alphabetic
    /// Every scalar outside of these members.
    case complement([Member])

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .range(let range): range.contains(scalar.value)
      case .category(let categories): categories.contains(scalar.properties.generalCategory)
      case .alphabetic: scalar.properties.isAlphabetic
      case .complement(let members): !members.contains { $0.contains(scalar) }
      }
    }

    /// Number of steps for a test of one scalar.
    var cost: Int {
      switch self {
      case .range: 1
      case .category, .alphabetic: 8
      case .complement(let members): members.reduce(1) { $0 + $1.cost }
      }
    }
  }

  let members: [Member]
  let isNegated: Bool
  let ignoresCase: Bool
  /// Number of steps for a test of one scalar, including the case mappings of a letter if case is ignored.
  let cost: Int

  init(members: [Member], isNegated: Bool = false, ignoresCase: Bool = false) {
    self.members = members
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
    // Computed once: a repetition emits thousands of instructions with the same set.
    let once = members.reduce(1) { $0 + $1.cost }
    cost = ignoresCase ? 64 + 4 * once : once
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isIn = members.contains { $0.contains(scalar) }
    if !isIn && ignoresCase {
      isIn = scalar.caseVariants.contains { variant in members.contains { $0.contains(variant) } }
    }
    return isIn != isNegated
  }
}

extension Unicode.Scalar {
  /// The letter in the other cases, if these are single scalars.
  var caseVariants: [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    let lower = properties.lowercaseMapping.unicodeScalars
    let upper = properties.uppercaseMapping.unicodeScalars
    for mapping in [lower, upper] {
      if let only = mapping.first, mapping.count == 1, only != self { result.append(only) }
    }
    // Letters with more than two forms, such as the Greek sigma, share the lowercase form of their uppercase form.
    if let only = upper.first, upper.count == 1 {
      let back = only.properties.lowercaseMapping.unicodeScalars
      if let small = back.first, back.count == 1, small != self { result.append(small) }
    }
    return result
  }
}

extension ScalarSet.Member {
  static func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> ScalarSet.Member {
    .range(first.value...last.value)
  }

  static let digits: [ScalarSet.Member] = [.range("0", "9")]
  static let blanks: [ScalarSet.Member] = [.range("\t", "\n"), .range("\u{0C}", "\r"), .range(" ", " ")]
  static let word: [ScalarSet.Member] = [.range("0", "9"), .range("A", "Z"), .range("a", "z"), .range("_", "_")]

  /// POSIX classes such as `[:alpha:]`, which are ASCII.
  static let posix: [String: [ScalarSet.Member]] = [
    "alnum": [.range("0", "9"), .range("A", "Z"), .range("a", "z")],
    "alpha": [.range("A", "Z"), .range("a", "z")],
    "ascii": [.range("\0", "\u{7F}")],
    "blank": [.range("\t", "\t"), .range(" ", " ")],
    "cntrl": [.range("\0", "\u{1F}"), .range("\u{7F}", "\u{7F}")],
    "digit": digits,
    "graph": [.range("!", "~")],
    "lower": [.range("a", "z")],
    "print": [.range(" ", "~")],
    "punct": [.range("!", "/"), .range(":", "@"), .range("[", "`"), .range("{", "~")],
    "space": [.range("\t", "\r"), .range(" ", " ")],
    "upper": [.range("A", "Z")],
    "word": word,
    "xdigit": [.range("0", "9"), .range("A", "F"), .range("a", "f")],
  ]

  /// Returns the members of `\p{name}`: a general category, or one of the scripts below; nil if the name is unknown.
  static func property(_ name: String) -> [ScalarSet.Member]? {
    if name == "Any" { return [.range(0...0x10FFFF)] }
    if name == "Alphabetic" { return [.alphabetic] }
    if let categories = categories[name] { return [.category(categories)] }
    return scripts[name].map { ranges in ranges.map { .range($0) } }
  }

  private static let categories: [String: Set<Unicode.GeneralCategory>] = [
    "L": [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter],
    "Lu": [.uppercaseLetter], "Ll": [.lowercaseLetter], "Lt": [.titlecaseLetter], "Lm": [.modifierLetter],
    "Lo": [.otherLetter],
    "M": [.nonspacingMark, .spacingMark, .enclosingMark], "Mn": [.nonspacingMark], "Mc": [.spacingMark],
    "Me": [.enclosingMark],
    "N": [.decimalNumber, .letterNumber, .otherNumber], "Nd": [.decimalNumber], "Nl": [.letterNumber],
    "No": [.otherNumber],
    "P": [
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation,
    ],
    "Pc": [.connectorPunctuation], "Pd": [.dashPunctuation], "Ps": [.openPunctuation], "Pe": [.closePunctuation],
    "Pi": [.initialPunctuation], "Pf": [.finalPunctuation], "Po": [.otherPunctuation],
    "S": [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol], "Sm": [.mathSymbol],
    "Sc": [.currencySymbol], "Sk": [.modifierSymbol], "So": [.otherSymbol],
    "Z": [.spaceSeparator, .lineSeparator, .paragraphSeparator], "Zs": [.spaceSeparator], "Zl": [.lineSeparator],
    "Zp": [.paragraphSeparator],
    "C": [.control, .format, .surrogate, .privateUse, .unassigned], "Cc": [.control], "Cf": [.format],
    "Cs": [.surrogate], "Co": [.privateUse],
  ]

  /// The main blocks of common scripts; the standard library has no script property.
  private static let scripts: [String: [ClosedRange<UInt32>]] = [
    "Latin": [
      0x41...0x5A, 0x61...0x7A, 0xAA...0xAA, 0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2B8, 0x1E00...0x1EFF,
      0x2C60...0x2C7F, 0xA722...0xA787, 0xFB00...0xFB06, 0xFF21...0xFF3A, 0xFF41...0xFF5A,
    ],
    "Greek": [
      0x370...0x373, 0x375...0x377, 0x37A...0x37D, 0x37F...0x384, 0x386...0x3E1, 0x3F0...0x3FF, 0x1F00...0x1FFE,
    ],
    "Cyrillic": [0x400...0x52F, 0x1C80...0x1C88, 0x1D2B...0x1D2B, 0x2DE0...0x2DFF, 0xA640...0xA69F],
    "Armenian": [0x531...0x556, 0x559...0x58A],
    "Hebrew": [0x591...0x5F4, 0xFB1D...0xFB4F],
    "Arabic": [0x600...0x604, 0x606...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC],
    "Devanagari": [0x900...0x950, 0x955...0x97F, 0xA8E0...0xA8FF],
    "Thai": [0xE01...0xE3A, 0xE40...0xE5B],
    "Georgian": [0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2D],
    "Hangul": [0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xD7B0...0xD7FB],
    "Hiragana": [0x3041...0x3096, 0x309D...0x309F],
    "Katakana": [0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D],
    "Han": [
      0x2E80...0x2FD5, 0x3005...0x3005, 0x3007...0x3007, 0x3021...0x3029, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xF900...0xFAD9, 0x20000...0x323AF,
    ],
  ]
}
