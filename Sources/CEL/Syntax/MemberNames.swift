import StreamCore

/// Help for names of members that are not valid names in an expression, such as `@timestamp`, `user-agent`, `größe` and
/// `order id`: they are written in backticks.
enum MemberNames {
  /// Returns a name as it is written after a point.
  static func written(_ name: String) -> String {
    let isName = name.utf8.first?.isNameStart == true && name.utf8.allSatisfy(\.isNamePart)
    return isName && !["in", "true", "false", "null"].contains(name) ? name : "`\(name)`"
  }

  /// Returns help for a name that contains an offset, or begins there; nil if no such name does.
  static func help(in bytes: [UInt8], at offset: Int) -> String? {
    guard let (name, start) = name(in: bytes, at: offset) else { return nil }
    if let operand = operand(in: bytes, before: start) { return "write \(operand)\(written(name))" }
    // A minus between two operands belongs to no name, and other languages have `$` and `#`.
    guard name.first == "@" || !name.allSatisfy(\.isASCII), !name.contains(where: "-$#".contains) else { return nil }
    return "a member of the value is value.\(written(name))"
  }

  /// Returns the member of a path whose name contains an offset, in backticks; nil if there is none.
  static func member(in bytes: [UInt8], at offset: Int) -> String? {
    guard let (name, start) = name(in: bytes, at: offset) else { return nil }
    return operand(in: bytes, before: start).map { $0 + written(name) }
  }

  private static func name(in bytes: [UInt8], at offset: Int) -> (name: String, start: Int)? {
    guard offset <= bytes.count else { return nil }
    let start = bytes[..<offset].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
    let name = String(decoding: bytes[start...].prefix(while: isPart), as: UTF8.self)
    let isText = name.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
    guard isText, written(name) != name, name.contains(where: \.isLetter), !name.hasSuffix("-"), !name.contains("--")
    else { return nil }
    return (name, start)
  }

  /// Returns help for a name with spaces, which two words after a point show; nil for other places.
  ///
  /// - Parameter second: The offset of the second word.
  static func help(in bytes: [UInt8], beforeWordAt second: Int) -> String? {
    guard second > 1, bytes[second - 1] == 0x20, bytes[second - 2].isNamePart else { return nil }
    let start = bytes[..<(second - 1)].lastIndex { !$0.isNamePart }.map { $0 + 1 } ?? 0
    guard let operand = operand(in: bytes, before: start) else { return nil }
    var end = second
    while end < bytes.count,
      bytes[end].isNamePart || bytes[end] == 0x20 && end + 1 < bytes.count && bytes[end + 1].isNamePart
    {
      end += 1
    }
    return "write \(operand)`\(String(decoding: bytes[start..<end], as: UTF8.self))`"
  }

  /// Returns the text up to the point or `.?` before a member's name; nil if there is none.
  private static func operand(in bytes: [UInt8], before start: Int) -> String? {
    var end = start
    if end > 0, bytes[end - 1] == UInt8(ascii: "?") { end -= 1 }
    guard end > 1, bytes[end - 1] == UInt8(ascii: ".") else { return nil }
    let last = bytes[end - 2]
    guard last.isNamePart || [UInt8]("])`".utf8).contains(last) else { return nil }
    let path = bytes[..<(end - 1)].reversed().prefix { $0.isNamePart || $0 == UInt8(ascii: ".") }
    let operand = path.isEmpty ? "value" : String(decoding: path.reversed(), as: UTF8.self)
    return operand + String(decoding: bytes[(end - 1)..<start], as: UTF8.self)
  }

  /// Whether a byte may be part of a name in data. A minus is also an operator.
  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isNamePart || byte >= 0x80 || [UInt8]("-@#$".utf8).contains(byte)
  }
}
