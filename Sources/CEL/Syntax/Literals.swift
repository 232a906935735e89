import StreamCore

/// Reads the values of literals that the lexer has delimited.
struct Literals {
  let bytes: [UInt8]

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the value of an int literal, negated if a minus sign directly precedes it.
  func integer(_ range: Range<Int>, isNegative: Bool) throws(Diagnostic) -> Value {
    if let number = shortInteger(range) { return .int(isNegative ? -number : number) }
    let digits = text(range)
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let magnitude = isHex ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
    let limit: UInt64 = isNegative ? 1 << 63 : (1 << 63) - 1
    guard let magnitude, magnitude <= limit else {
      let sign = isNegative ? "-" : ""
      throw Diagnostic(
        .invalidLiteral, "\(sign)\(digits) does not fit into an int", part: .text(range),
        help: isNegative ? nil : "write \(digits)u for an unsigned integer, or \(digits).0 for a double")
    }
    return .int(isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude))
  }

  /// Returns the value of at most 18 decimal digits, which always fits; nil for other literals.
  private func shortInteger(_ range: Range<Int>) -> Int64? {
    guard range.count <= 18 else { return nil }
    var number: Int64 = 0
    for byte in bytes[range] {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }

  func unsigned(_ range: Range<Int>) throws(Diagnostic) -> Value {
    let digits = String(text(range).dropLast())
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let value = isHex ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits) else {
      throw Diagnostic(.invalidLiteral, "\(digits)u does not fit into a uint", part: .text(range))
    }
    return .uint(value)
  }

  func double(_ range: Range<Int>, isNegative: Bool) throws(Diagnostic) -> Value {
    var digits = text(range)
    if digits.hasPrefix(".") { digits = "0" + digits }
    guard let value = Double(digits), value.isFinite else {
      throw Diagnostic(.invalidLiteral, "\(digits) does not fit into a double", part: .text(range))
    }
    return .double(isNegative ? -value : value)
  }

  /// Returns the value of a string or bytes literal.
  func quoted(_ range: Range<Int>, isBytes: Bool) throws(Diagnostic) -> Value {
    var start = range.lowerBound
    var isRaw = false
    while !bytes[start].isQuote {
      if bytes[start] | 0x20 == UInt8(ascii: "r") { isRaw = true }
      start += 1
    }
    let quote = bytes[start]
    let isTriple = range.upperBound - start >= 6 && bytes[start + 1] == quote && bytes[start + 2] == quote
    let content = start + (isTriple ? 3 : 1)..<range.upperBound - (isTriple ? 3 : 1)
    let decoded = isRaw ? Array(bytes[content]) : try unescaped(content, isBytes: isBytes)
    return isBytes ? .bytes(decoded) : .string(String(decoding: decoded, as: UTF8.self))
  }

  /// Returns the name between backticks.
  func quotedName(_ range: Range<Int>) -> String { text(range.lowerBound + 1..<range.upperBound - 1) }

  private func unescaped(_ content: Range<Int>, isBytes: Bool) throws(Diagnostic) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.lowerBound
    while index < content.upperBound {
      if bytes[index] != UInt8(ascii: "\\") {
        result.append(bytes[index])
        index += 1
      } else {
        index = try appendEscape(at: index, before: content.upperBound, isBytes: isBytes, to: &result)
      }
    }
    return result
  }

  private func appendEscape(
    at start: Int, before end: Int, isBytes: Bool, to result: inout [UInt8]
  ) throws(Diagnostic) -> Int {
    let letter = start + 1 < end ? bytes[start + 1] : 0
    if let plain = Self.plainEscapes[letter] {
      result.append(plain)
      return start + 2
    }
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      return try append(digits: 3, radix: 8, from: start + 1, start: start, before: end, asByte: isBytes, to: &result)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return try append(digits: 2, radix: 16, from: start + 2, start: start, before: end, asByte: isBytes, to: &result)
    case UInt8(ascii: "u") where !isBytes:
      return try append(digits: 4, radix: 16, from: start + 2, start: start, before: end, asByte: false, to: &result)
    case UInt8(ascii: "U") where !isBytes:
      return try append(digits: 8, radix: 16, from: start + 2, start: start, before: end, asByte: false, to: &result)
    default:
      var stop = min(start + 2, end)
      while stop < end, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
      throw Diagnostic(
        .invalidLiteral, "'\(text(start..<stop))' is not an escape\(isBytes ? " in bytes" : "")",
        part: .text(start..<stop), help: "write '\\\\' for a backslash, or a raw string: r'…'")
    }
  }

  private func append(
    digits count: Int, radix: UInt32, from first: Int, start: Int, before end: Int, asByte: Bool,
    to result: inout [UInt8]
  ) throws(Diagnostic) -> Int {
    var value: UInt32 = 0
    for index in first..<first + count {
      guard index < end, let digit = bytes[index].hexValue, digit < radix else {
        let stop = min(index + 1, end)
        throw Diagnostic(
          .invalidLiteral, "the escape '\(text(start..<first))' needs \(count) digits of base \(radix)",
          part: .text(start..<max(stop, start + 1)))
      }
      value = value &* radix &+ digit
    }
    if asByte {
      guard let byte = UInt8(exactly: value) else {
        throw Diagnostic(.invalidLiteral, "an escaped byte must be at most 255", part: .text(start..<first + count))
      }
      result.append(byte)
    } else {
      guard let scalar = Unicode.Scalar(value) else {
        throw Diagnostic(
          .invalidLiteral, "'\(text(start..<first + count))' is not a Unicode scalar value",
          part: .text(start..<first + count))
      }
      result.append(contentsOf: Array(String(scalar).utf8))
    }
    return first + count
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
    UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "'"): 0x27,
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "`"): 0x60, UInt8(ascii: "?"): 0x3F,
  ]
}
