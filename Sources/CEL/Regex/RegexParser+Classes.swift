extension RegexParser {
  /// Parses the escape after a backslash outside of a character class.
  mutating func escape() throws(RegexError) -> RegexNode {
    guard let scalar = next else { throw RegexError(message: "it ends with a backslash") }
    let assertion: RegexAssertion? =
      switch scalar {
      case "A": .textStart
      case "z": .textEnd
      case "b": .wordBoundary
      case "B": .noWordBoundary
      default: nil
      }
    if let assertion {
      position += 1
      return .assertion(assertion)
    }
    if let members = try classEscape() { return .set(ScalarSet(members: members, ignoresCase: flags.ignoresCase)) }
    return literal(try scalarEscape())
  }

  /// Parses `\d`, `\pL` and similar escapes after the backslash; nil for any other escape.
  private mutating func classEscape() throws(RegexError) -> [ScalarSet.Member]? {
    let members: [ScalarSet.Member]
    guard let scalar = next else { return nil }
    switch scalar {
    case "d", "D": members = ScalarSet.Member.digits
    case "s", "S": members = ScalarSet.Member.blanks
    case "w", "W": members = ScalarSet.Member.word
    case "p", "P": return try propertyEscape()
    default: return nil
    }
    position += 1
    return scalar.properties.isUppercase ? [.complement(members)] : members
  }

  private mutating func propertyEscape() throws(RegexError) -> [ScalarSet.Member] {
    var isNegated = take("P")
    if !isNegated { position += 1 }
    var name = ""
    if take("{") {
      if take("^") { isNegated.toggle() }
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      if !take("}") { throw RegexError(message: "'\\p{' is not closed") }
    } else if let scalar = next {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard let members = ScalarSet.Member.property(name) else {
      throw RegexError(message: "'\(name)' is not a known character property")
    }
    return isNegated ? [.complement(members)] : members
  }

  /// Parses an escaped scalar after the backslash.
  private mutating func scalarEscape() throws(RegexError) -> Unicode.Scalar {
    guard let scalar = next else { throw RegexError(message: "it ends with a backslash") }
    position += 1
    switch scalar {
    case "a": return "\u{07}"
    case "f": return "\u{0C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{0B}"
    case "x": return try hexEscape()
    case "0": return try octalEscape()
    case "1"..."7":
      // As in RE2, a single digit would be a backreference, which is not supported.
      guard let digit = next, ("0"..."7").contains(digit) else {
        throw RegexError(message: "backreferences such as '\\\(scalar)' are not supported")
      }
      position -= 1
      return try octalEscape()
    default:
      if scalar.isASCII, !UInt8(ascii: scalar).isNamePart || scalar == "_" { return scalar }
      throw RegexError(message: "'\\\(scalar)' is not an escape")
    }
  }

  private mutating func octalEscape() throws(RegexError) -> Unicode.Scalar {
    var value: UInt32 = 0
    var count = 0
    while count < 3, let digit = next, ("0"..."7").contains(digit) {
      value = value * 8 + (digit.value - 48)
      position += 1
      count += 1
    }
    guard let scalar = Unicode.Scalar(value) else { throw RegexError(message: "an escape is not a Unicode scalar") }
    return scalar
  }

  private mutating func hexEscape() throws(RegexError) -> Unicode.Scalar {
    let isBraced = take("{")
    var value: UInt32 = 0
    var count = 0
    while let scalar = next, scalar.isASCII, let digit = UInt8(ascii: scalar).hexValue, count < (isBraced ? 8 : 2) {
      value = value &* 16 &+ digit
      position += 1
      count += 1
    }
    guard count > 0, isBraced ? take("}") : count == 2, let scalar = Unicode.Scalar(value) else {
      throw RegexError(message: "'\\x' needs two hexadecimal digits, or hexadecimal digits in braces")
    }
    return scalar
  }

  /// Parses a character class after its `[`.
  mutating func characterClass() throws(RegexError) -> ScalarSet {
    let start = position - 1
    var members: [ScalarSet.Member] = []
    let isNegated = take("^")
    var isFirst = true
    while true {
      guard let scalar = next else { throw RegexError(message: "a '[' is not closed", place: start) }
      if scalar == "]" && !isFirst {
        position += 1
        return ScalarSet(members: members, isNegated: isNegated, ignoresCase: flags.ignoresCase)
      }
      isFirst = false
      if let others = try posixClass() {
        members += others
        continue
      }
      if scalar == "\\" {
        position += 1
        if let others = try classEscape() {
          members += others
          continue
        }
        position -= 1
      }
      let first = try classScalar()
      var last = first
      if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        last = try classScalar()
      }
      if last < first { throw RegexError(message: "the range '\(first)-\(last)' is reversed") }
      members.append(.range(first, last))
    }
  }

  private mutating func classScalar() throws(RegexError) -> Unicode.Scalar {
    guard let scalar = next else { throw RegexError(message: "a '[' is not closed") }
    position += 1
    return scalar == "\\" ? try scalarEscape() : scalar
  }

  /// Parses a POSIX class such as `[:alpha:]` within a character class; nil if there is none.
  private mutating func posixClass() throws(RegexError) -> [ScalarSet.Member]? {
    let start = position
    guard take("[:") else { return nil }
    let isNegated = take("^")
    var name = ""
    while let scalar = next, scalar.properties.isAlphabetic {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard take(":]") else {
      position = start
      return nil
    }
    guard let members = ScalarSet.Member.posix[name] else {
      throw RegexError(message: "'[:\(name):]' is not a known character class")
    }
    return isNegated ? [.complement(members)] : members
  }
}
