import StreamCore

/// Cuts a format string into its words.
struct FormatTokenizer {
  private let bytes: [UInt8]
  private var position = 0

  init(_ format: String) { bytes = Array(format.utf8) }

  /// All words, the last one `.end`; throws at the first that is none.
  mutating func tokens() throws(Diagnostic) -> [FormatToken] {
    var tokens: [FormatToken] = []
    repeat {
      tokens.append(try next())
    } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(Diagnostic) -> FormatToken {
    while let byte = peek(), Self.isSpace(byte) { position += 1 }
    let start = position
    guard let byte = peek() else { return FormatToken(kind: .end, range: start..<start) }
    let kind: FormatToken.Kind
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = try number()
    case UInt8(ascii: ".") where Self.isDigit(peek(1)): kind = try number()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): kind = try text(closedBy: byte)
    case UInt8(ascii: "%"): kind = try argument()
    case UInt8(ascii: "["): kind = try modifiers()
    default: kind = try nameOrSign()
    }
    return FormatToken(kind: kind, range: start..<position)
  }

  private func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private func slice(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = peek(), condition(byte) { position += 1 }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  /// Whether a byte can be part of a name; every byte of a non-ASCII character can.
  static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: isDigit(byte)
    }
  }
}

extension FormatTokenizer {
  private mutating func number() throws(Diagnostic) -> FormatToken.Kind {
    let start = position
    if peek() == UInt8(ascii: "0"), peek(1) == UInt8(ascii: "x") || peek(1) == UInt8(ascii: "X") {
      position += 2
      skip(while: Self.isName)
      guard let value = Int64(slice(from: start + 2), radix: 16) else { throw badNumber(from: start) }
      return .integer(value)
    }
    skip(while: Self.isDigit)
    var text = slice(from: start)
    var isWhole = true
    if peek() == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      skip(while: Self.isDigit)
      text = (text.isEmpty ? "0" : text) + "." + (position == fraction ? "0" : slice(from: fraction))
      isWhole = false
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      let exponent = position
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      guard Self.isDigit(peek()) else { throw badNumber(from: start) }
      skip(while: Self.isDigit)
      text += slice(from: exponent)
      isWhole = false
    }
    if let byte = peek(), Self.isName(byte) {
      skip(while: Self.isName)
      throw badNumber(from: start)
    }
    guard isWhole else { return .real(text) }
    guard let value = Int64(text) else { throw badNumber(from: start) }
    return .integer(value)
  }

  private func badNumber(from start: Int) -> Diagnostic {
    Diagnostic(.expressionSyntax, "'\(slice(from: start))' is not a 64-bit number", part: .text(start..<position))
  }

  private mutating func text(closedBy quote: UInt8) throws(Diagnostic) -> FormatToken.Kind {
    let start = position
    var content: [UInt8] = []
    position += 1
    while let byte = peek() {
      position += 1
      if byte == quote { return .text(String(decoding: content, as: UTF8.self)) }
      guard byte == UInt8(ascii: "\\"), let escaped = peek() else {
        content.append(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): content.append(0x0A)
      case UInt8(ascii: "r"): content.append(0x0D)
      case UInt8(ascii: "t"): content.append(0x09)
      case quote, UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): content.append(escaped)
      default: content += [byte, escaped]  // a pattern's own escape: `\d`, `\*`
      }
    }
    throw Diagnostic(.expressionSyntax, "the string is not closed", part: .text(start..<position))
  }

  private mutating func argument() throws(Diagnostic) -> FormatToken.Kind {
    let start = position
    position += 1
    skip { "hlqzjt".utf8.contains($0) }
    let letter = peek()
    position = min(position + 1, bytes.count)
    switch letter {
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "D"), UInt8(ascii: "U"):
      return .argument(.integer)
    case UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "e"), UInt8(ascii: "F"), UInt8(ascii: "G"):
      return .argument(.real)
    case UInt8(ascii: "@"): return .argument(.object)
    case UInt8(ascii: "K"):
      throw Diagnostic(
        .unsupportedImport, "'%K' inserts a key path, but the playground's values have no keys",
        part: .text(start..<position), help: "write '%@' for the value as a string, '%d' for it as a number")
    default:
      skip { $0 & 0xC0 == 0x80 }  // the rest of a character beyond ASCII
      throw Diagnostic(
        .unsupportedImport, "the argument '\(slice(from: start))' cannot be imported",
        part: .text(start..<position), help: "use '%d', '%ld', '%u', '%f' or '%@'")
    }
  }

  private mutating func modifiers() throws(Diagnostic) -> FormatToken.Kind {
    let start = position
    position += 1
    skip { $0 != UInt8(ascii: "]") }
    let letters = slice(from: start + 1)
    guard peek() != nil else {
      throw Diagnostic(.expressionSyntax, "'[' is not closed", part: .text(start..<position))
    }
    position += 1
    return .modifiers(letters)
  }

  private mutating func nameOrSign() throws(Diagnostic) -> FormatToken.Kind {
    let start = position
    let rest = bytes[start...]
    for (text, symbol) in FormatSymbol.signs where rest.starts(with: text.utf8) {
      position += text.utf8.count
      return .symbol(symbol)
    }
    // `$name`, `@count` and `#name` are names too, and so is a path `a.b`: refused as a whole, by the parser.
    if let byte = peek(), "$@#".utf8.contains(byte) { position += 1 }
    skip { Self.isName($0) || ".:@".utf8.contains($0) }
    guard position > start else {
      position += 1
      throw Diagnostic(
        .expressionSyntax, "'\(slice(from: start))' has no meaning in a format string", part: .text(start..<position))
    }
    let name = slice(from: start)
    return FormatSymbol(keyword: name).map { .symbol($0) } ?? .name(name)
  }
}
