/// Help for the syntax of SQL, Python, JavaScript and other languages, at the place where an expression cannot be read.
enum ForeignSyntax {
  /// Returns help for the text at an offset, or directly before it; nil if the text resembles no other language.
  static func help(in bytes: [UInt8], at offset: Int) -> String? {
    if bindingWords.contains(word(in: bytes, startingAt: 0)) { return binding }
    for (sign, help) in signs {
      guard let start = start(of: sign, bytes, offset) else { continue }
      if sign == spread, let joining = joining(in: bytes, at: start) { return joining }
      if sign == power, let merging = merging(in: bytes, at: start) { return merging }
      if sign == scope, let cast = cast(in: bytes, at: start) { return cast }
      return help
    }
    if word(in: bytes, startingAt: offset) == "not", isFollowedByIn(bytes, offset) {
      return "write !(element in [1, 2])"
    }
    let before = word(in: bytes, endingBefore: offset)
    return words[word(in: bytes, startingAt: offset)] ?? words[before] ?? prefixWords[before]
  }

  /// The words that end an operand, in lowercase, with what CEL writes.
  private static let words: [String: String] = [
    "and": "write '&&'", "or": "write '||'", "xor": "write '!=' between two bools",
    "not": "write '!'", "is": "write '==' or '!='", "isnt": "write '!='",
    "between": "write low <= value && value <= high",
    "like": "write text.matches(pattern), or contains, startsWith or endsWith",
    "rlike": "write text.matches(pattern)", "ilike": "write text.lowerAscii().contains(part)",
    "contains": "write text.contains(part)", "includes": "write text.contains(part), or element in list",
    "matches": "write text.matches(pattern)", "starts": "write text.startsWith(part)",
    "startswith": "write text.startsWith(part)", "ends": "write text.endsWith(part)",
    "endswith": "write text.endsWith(part)", "mod": "write '%'", "div": "write '/': int / int is truncated",
    "if": conditional, "then": conditional, "else": conditional, "when": conditional, "case": conditional,
    "unless": conditional,
    "instanceof": "write type(value) == int, for example", "eq": "write '=='", "ne": "write '!='", "lt": "write '<'",
    "gt": "write '>'", "le": "write '<='", "ge": "write '>='", "for": "write list.map(x, …) or list.filter(x, …)",
    "from": "an expression is one value, without clauses", "as": "an expression is one value, without clauses",
    "within": "write element in list", "in": "write element in [1, 2]",
  ]

  /// Words before an operand.
  private static let prefixWords: [String: String] = [
    "typeof": "write type(value)", "new": "CEL has no objects with methods; write a map, {'name': value}",
    "return": "write the value alone", "lambda": element, "function": element, "fn": element, "func": element,
    "await": "write the value alone", "select": "write {'name': value.name}", "f": template,
  ]

  /// Words that begin a definition.
  private static let bindingWords: Set<String> = ["let", "const", "var", "def"]

  private static let conditional = "write condition ? one : other"
  private static let binding = "write cel.bind(name, value, expression)"
  private static let element = "a macro names its element: list.map(x, x * 2)"
  private static let arrow = "\(element); before a member's name write '.'"
  private static let template = "write 'text ' + string(value), or 'text %s'.format([value])"
  private static let member = "write value.?name for a member that may be missing"
  private static let assignment = "an expression assigns nothing; write the new value, as in value + 1"

  /// Signs that CEL does not have, each before those that it begins with.
  private static let signs: [(sign: [UInt8], help: String)] = [
    ("!==", "write '!='"), ("===", "write '=='"), ("=>", element), ("=~", "write text.matches(pattern)"),
    ("<>", "write '!='"), ("<<", "write math.bitShiftLeft(a, b)"), (">>", "write math.bitShiftRight(a, b)"),
    ("->", arrow), ("::", "write '.' before a member's name"),
    ("...", "write map.merge({'name': value}) to copy a map's members"),
    ("??", "write value.?name.orValue(other)"), ("?.", member), ("!.", member), ("${", template),
    ("**", "write math.pow(x, 2), or x * x"), ("++", assignment), ("--", assignment), ("+=", assignment),
    ("-=", assignment), ("*=", assignment), ("/=", assignment), (":=", binding),
    ("`", "write strings in quotation marks; \(template)"), ("=", "write '==' to compare"),
    ("&", "write '&&' for 'and', or math.bitAnd(a, b)"), ("|", "write '||' for 'or', or math.bitOr(a, b)"),
    ("^", "write math.bitXor(a, b), or math.pow(a, b) for a power"), ("~", "write math.bitNot(value)"),
    ("$", "the received value is 'value', and its member 'value.name'"),
    ("@", "the received value is 'value', and its member 'value.name'"), ("#", "a comment begins with '//'"),
    (";", "an expression is one value; name parts of it with cel.bind(name, value, expression)"),
    ("‘", "write straight quotes, ' or \""), ("’", "write straight quotes, ' or \""),
    ("“", "write straight quotes, ' or \""), ("”", "write straight quotes, ' or \""),
  ].map { (Array($0.utf8), $1) }

  private static let spread = Array("...".utf8)
  private static let scope = Array("::".utf8)
  private static let power = Array("**".utf8)

  /// Returns help for Python's `{**value, "v": 6}`, which copies members into a map; nil after an operand.
  private static func merging(in bytes: [UInt8], at start: Int) -> String? {
    let before = bytes[..<start].last { $0 != 0x20 }
    guard before == UInt8(ascii: "{") || before == UInt8(ascii: ",") else { return nil }
    let operand = bytes[(start + power.count)...].prefix(while: isPathPart)
    let map = path(operand) ?? "map"
    var depth = 0
    let end = bytes[operand.endIndex...].firstIndex { byte in
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      return depth < 0
    }
    let members = bytes[operand.endIndex..<(end ?? operand.endIndex)].drop { $0 == 0x20 || $0 == UInt8(ascii: ",") }
    guard before == UInt8(ascii: "{"), let text = path(members), !text.contains("**") else {
      return "write \(map).merge({'name': value}) to copy a map's members"
    }
    return "write \(map).merge({\(text)})"
  }

  /// Returns help for elements that are copied into a list, as in `[...value.l, 1]`; nil outside of brackets.
  private static func joining(in bytes: [UInt8], at start: Int) -> String? {
    var depth = 0
    for byte in bytes[..<start].reversed() {
      switch byte {
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "[") where depth == 0:
        let list = path(bytes[(start + spread.count)...].prefix(while: isPathPart))
        return "write \(list ?? "list") + [element] to join lists"
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"):
        if depth == 0 { return nil }
        depth -= 1
      default: continue
      }
    }
    return nil
  }

  /// Returns help for SQL's `value.v::text`; nil if no type follows.
  private static func cast(in bytes: [UInt8], at start: Int) -> String? {
    let name = word(in: bytes, startingAt: start + scope.count)
    let types = ["string", "int", "uint", "double", "bool", "bytes", "timestamp", "duration"]
    guard let type = types.first(where: { $0 == name || ForeignNames.equivalent(of: name) == $0 }) else {
      return nil
    }
    let operand = bytes[..<start].reversed().prefix(while: isPathPart)
    return "write \(type)(\(path(ArraySlice(operand.reversed())) ?? "…"))"
  }

  private static func isPathPart(_ byte: UInt8) -> Bool { byte.isNamePart || byte == UInt8(ascii: ".") }

  private static func path(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the word at an offset is followed by `in`, in any case.
  private static func isFollowedByIn(_ bytes: [UInt8], _ offset: Int) -> Bool {
    let rest = bytes[min(offset, bytes.count)...].drop(while: \.isNamePart).drop { $0 == 0x20 }
    return word(in: bytes, startingAt: rest.startIndex) == "in"
  }

  /// Returns the start of the sign that contains the offset or ends at it; nil if there is none.
  private static func start(of sign: [UInt8], _ bytes: [UInt8], _ offset: Int) -> Int? {
    (max(0, offset - sign.count)...offset).first { start in
      start + sign.count <= bytes.count && (start + sign.count > offset || sign.count > 1)
        && bytes[start..<start + sign.count].elementsEqual(sign)
    }
  }

  private static func word(in bytes: [UInt8], startingAt offset: Int) -> String {
    lowercase(bytes[min(offset, bytes.count)...].prefix(while: \.isNamePart))
  }

  private static func word(in bytes: [UInt8], endingBefore offset: Int) -> String {
    let rest = bytes[..<min(offset, bytes.count)].reversed().drop { $0 == 0x20 || $0 == UInt8(ascii: "(") }
    return lowercase(ArraySlice(rest.prefix(while: \.isNamePart).reversed()))
  }

  private static func lowercase(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.count > 16 ? "" : String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

/// Help for names of other languages.
enum ForeignWords {
  /// Returns help for a name that denotes nothing; nil if other languages do not have it either.
  static func help(for name: String) -> String? { table[name.lowercased()] }

  /// Whether other languages, or other libraries, name the received value so.
  static func meansValue(_ name: String) -> Bool { help(for: name) == received }

  /// The name of the received value.
  static let value = "value"

  private static let table: [String: String] = [
    "true": "write true", "false": "write false", "none": "write null", "nil": "write null", "null": "write null",
    "undefined": "write null, or has(value.name) for a member that may be missing",
    "nan": "write double('NaN')", "infinity": "write double('Infinity')", "inf": "write double('Infinity')",
    "this": received, "self": received, "it": received, "_": received, "event": received,
    "record": received, "row": received, "item": received, "data": received, "input": received, "msg": received,
    "payload": received, "root": received, "content": received,
    "accumulator": "the accumulated value of 'scan' and 'reduce' is 'acc'",
    "total": "the accumulated value of 'scan' and 'reduce' is 'acc'",
    "state": "the accumulated value of 'scan' and 'reduce' is 'acc'",
    "current_timestamp": "write now()",
  ]

  static let received = "the received value is '\(value)'"
}
