/// A parser of patterns in RE2's syntax.
struct RegexParser {
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesNewline = false
    var isUngreedy = false
  }

  var scalars: [Unicode.Scalar]
  var position = 0
  var flags = Flags()
  private var depth = 0
  /// Number of capturing groups so far.
  private(set) var groupCount = 0
  /// The names of groups with their numbers, in order.
  private(set) var names: [(name: String, number: Int)] = []
  private var knownNames: Set<String> = []

  /// Maximum nesting of groups, counting the whole pattern, and maximum count of a repetition, which is that of RE2.
  private static let maximumDepth = 60
  static let maximumCount = 1000

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard position + wanted.count <= scalars.count, Array(scalars[position..<position + wanted.count]) == wanted
    else { return false }
    position += wanted.count
    return true
  }

  mutating func parse() throws(RegexError) -> RegexNode {
    do throws(RegexError) {
      let node = try alternatives()
      if next != nil { throw RegexError(message: "a ')' has no matching '('", place: position) }
      return node
    } catch {
      // Most errors are detected at the character that was read last.
      throw RegexError(message: error.message, place: error.place ?? max(0, min(position, scalars.count) - 1))
    }
  }

  private mutating func alternatives() throws(RegexError) -> RegexNode {
    depth += 1
    if depth > Self.maximumDepth { throw RegexError(message: "its groups are nested too deeply") }
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    depth -= 1
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(RegexError) -> RegexNode {
    var nodes: [RegexNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      if take("\\Q") {
        while next != nil, !take("\\E") { nodes.append(literal(scalars[position])); position += 1 }
        continue
      }
      let atom = try atom()
      nodes.append(try repetition(of: atom))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func repetition(of atom: RegexNode) throws(RegexError) -> RegexNode {
    guard let (minimum, maximum) = try quantifier() else { return atom }
    let isLazy = take("?") != flags.isUngreedy
    let start = position
    if try quantifier() != nil {
      position = start
      throw RegexError(message: "two repetition operators follow each other", place: start)
    }
    return .repetition(atom, minimum: minimum, maximum: maximum, isLazy: isLazy)
  }

  private mutating func quantifier() throws(RegexError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard next == "{" else { return nil }
    let start = position
    position += 1
    guard let minimum = number() else {
      position = start
      return nil
    }
    var maximum: Int? = minimum
    if take(",") { maximum = next == "}" ? nil : number() ?? -1 }
    guard take("}"), maximum != -1 else {
      position = start
      return nil
    }
    if minimum > Self.maximumCount || (maximum ?? 0) > Self.maximumCount || (maximum ?? minimum) < minimum {
      throw RegexError(message: "a repetition's counts are out of range")
    }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    let start = position
    var value = 0
    while let scalar = next, scalar.isASCII, UInt8(ascii: scalar).isDigit {
      value = min(value * 10 + Int(scalar.value - 48), 1_000_000)
      position += 1
    }
    return position == start ? nil : value
  }

  private mutating func atom() throws(RegexError) -> RegexNode {
    guard let scalar = next else { return .empty }
    // NB: A '{' that does not begin a repetition is a literal.
    if scalar == "{", let _ = try quantifierAhead() { throw RegexError(message: "a repetition has nothing to repeat") }
    position += 1
    switch scalar {
    case "(": return try group()
    case "[": return .set(try characterClass())
    case ".":
      return .set(ScalarSet(members: flags.dotMatchesNewline ? [] : [.range("\n", "\n")], isNegated: true))
    case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
    case "*", "+", "?": throw RegexError(message: "'\(scalar)' has nothing to repeat")
    case "\\": return try escape()
    default: return literal(scalar)
    }
  }

  private mutating func quantifierAhead() throws(RegexError) -> (Int, Int?)? {
    let start = position
    defer { position = start }
    return try quantifier()
  }

  func literal(_ scalar: Unicode.Scalar) -> RegexNode {
    guard flags.ignoresCase, !scalar.caseVariants.isEmpty else { return .scalar(scalar) }
    return .set(ScalarSet(members: [.range(scalar, scalar)], ignoresCase: true))
  }

  /// Parses a group after its `(`.
  private mutating func group() throws(RegexError) -> RegexNode {
    let outer = flags
    let start = position - 1
    var number: Int?
    if !take("?") {
      groupCount += 1
      number = groupCount
    } else {
      if take("P<") || take("<") {
        let name = try groupName()
        groupCount += 1
        number = groupCount
        names.append((name, groupCount))
      } else if try setFlags() {
        // `(?i)` applies until the end of the enclosing group.
        return .empty
      }
    }
    let node = try alternatives()
    if !take(")") { throw RegexError(message: "a '(' is not closed", place: start) }
    flags = outer
    return number.map { .group(node, number: $0) } ?? node
  }

  private mutating func groupName() throws(RegexError) -> String {
    let start = position
    while let scalar = next, scalar.isASCII, UInt8(ascii: scalar).isNamePart { position += 1 }
    let name = String(String.UnicodeScalarView(scalars[start..<position]))
    if position == start || !take(">") { throw RegexError(message: "a group's name is not valid") }
    if !knownNames.insert(name).inserted {
      throw RegexError(message: "two groups have the name '\(name)'", place: start)
    }
    return name
  }

  /// Parses flags such as `i` or `-s` up to `)` (returns true) or `:` (returns false).
  private mutating func setFlags() throws(RegexError) -> Bool {
    var value = true
    while let scalar = next {
      position += 1
      switch scalar {
      case "i": flags.ignoresCase = value
      case "m": flags.isMultiline = value
      case "s": flags.dotMatchesNewline = value
      case "U": flags.isUngreedy = value
      case "-" where value: value = false
      case ")": return true
      case ":": return false
      default: throw RegexError(message: "'(?\(scalar)' is not supported")
      }
    }
    throw RegexError(message: "a '(' is not closed")
  }
}
