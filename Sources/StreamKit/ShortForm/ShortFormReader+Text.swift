internal import StreamCore

/// Characters and names.
extension ShortFormReader {
  struct Name {
    let text: String
    let range: Range<Int>
    var lowerBound: Int { range.lowerBound }
  }

  func byte(_ offset: Int = 0) -> UInt8 {
    let place = position + offset
    return place < bytes.count ? bytes[place] : 0
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Skips white space, and comments up to the end of their lines.
  mutating func skipBlanks() {
    while !isAtEnd {
      if [0x20, 0x09, 0x0A, 0x0D].contains(byte()) {
        position += 1
      } else if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
        while !isAtEnd, byte() != 0x0A { position += 1 }
      } else {
        return
      }
    }
  }

  /// Skips a character, if it comes next.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard !isAtEnd, byte() == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  /// Skips a `|` that is not the first of two.
  mutating func takeSeparator() -> Bool {
    guard byte() == UInt8(ascii: "|"), byte(1) != UInt8(ascii: "|") else { return false }
    position += 1
    return true
  }

  /// Reads a name of letters, digits and underscores; nil if none begins here.
  mutating func readName() -> String? {
    guard byte().isLetterOrUnderscore else { return nil }
    let start = position
    while byte().isLetterOrUnderscore || byte().isDecimalDigit { position += 1 }
    return text(start..<position)
  }

  /// Reads the name of an operator or a source, which may contain dots.
  mutating func readStepName(what: String, at pointer: JSONPointer) throws(Diagnostic) -> Name {
    let start = position
    guard readName() != nil else { throw missingStep(what, at: pointer) }
    while byte() == UInt8(ascii: "."), byte(1).isLetterOrUnderscore {
      position += 1
      _ = readName()
    }
    return Name(text: text(start..<position), range: start..<position)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the name before a colon, and where the value after it begins; nil if the argument has no name.
  func argumentName() -> (name: String, range: Range<Int>, end: Int)? {
    var copy = self
    let start = copy.position
    let name: String
    if copy.byte() == UInt8(ascii: "\""), let text = try? copy.readQuoted(at: JSONPointer()) {
      name = text
    } else if let text = copy.readName() {
      while copy.byte() == UInt8(ascii: "-"), copy.byte(1).isLetterOrUnderscore {
        copy.position += 1
        _ = copy.readName()
      }
      name = text.utf8.count == copy.position - start ? text : copy.text(start..<copy.position)
    } else {
      return nil
    }
    let range = start..<copy.position
    copy.skipBlanks()
    guard copy.byte() == UInt8(ascii: ":"), copy.byte(1) != UInt8(ascii: ":") else { return nil }
    return (name, range, copy.position + 1)
  }
}

extension UInt8 {
  var isLetterOrUnderscore: Bool {
    (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) || self == UInt8(ascii: "_")
  }
  var isDecimalDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Source {
  /// The documentation of a source; nil for an unknown name.
  static func spec(named name: String) -> OperatorSpec? { table.first { $0.spec.name == name }?.spec }
}
