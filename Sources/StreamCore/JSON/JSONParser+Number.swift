extension JSONParser {
  /// Reads a number: an int if it has neither fraction nor exponent, otherwise a double. An int that fits only an unsigned
  /// integer is a uint. `-0` is the int 0, as in CEL and in canonical JSON (RFC 8785).
  @inline(__always)
  mutating func readNumber(_ workspace: JSONWorkspace) throws(JSONError) -> Value {
    let start = position
    var offset = start
    let isNegative = base[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let firstDigit = offset
    var mantissa: UInt64 = 0
    while offset < end, base[offset] &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(base[offset] &- 0x30)
      offset += 1
    }
    let digits = offset - firstDigit
    if digits == 0 || (digits > 1 && base[firstDigit] == 0x30) { throw malformedNumber(start, workspace) }
    if offset < end {
      let byte = base[offset]
      if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
        return try readDouble(start, offset, mantissa, digits, workspace)
      }
      // NB: `1x` and `0x10` would otherwise be reported as a missing comma.
      if byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") {
        throw malformedNumber(start, workspace)
      }
    }
    position = offset
    // Up to 19 digits cannot have overflowed 64 bits.
    if digits <= 18 || (digits == 19 && mantissa <= UInt64(Int64.max) + (isNegative ? 1 : 0)) {
      let magnitude = Int64(bitPattern: mantissa)
      return .int(isNegative ? 0 &- magnitude : magnitude)
    }
    // A number of 20 digits fits if it begins with 1 and its value did not wrap around.
    let isUInt =
      !isNegative
      && (digits == 19 || digits == 20 && base[firstDigit] == 0x31 && mantissa >= 10_000_000_000_000_000_000)
    if isUInt { return .uint(mantissa) }
    throw intOutOfRange(start..<offset, workspace)
  }

  /// Reads the rest of a double from its decimal point or exponent on.
  @inline(__always)
  private mutating func readDouble(
    _ start: Int, _ point: Int, _ whole: UInt64, _ wholeDigits: Int, _ workspace: JSONWorkspace
  ) throws(JSONError) -> Value {
    var offset = point
    var mantissa = whole
    var digits = wholeDigits
    var exponent = 0
    if base[offset] == UInt8(ascii: ".") {
      offset += 1
      let first = offset
      while offset < end, base[offset] &- 0x30 < 10 {
        mantissa = mantissa &* 10 &+ UInt64(base[offset] &- 0x30)
        offset += 1
      }
      if offset == first { throw malformedNumber(start, workspace) }
      digits += offset - first
      exponent = first - offset
    }
    if offset < end, base[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      var isNegative = false
      if offset < end, base[offset] == UInt8(ascii: "-") || base[offset] == UInt8(ascii: "+") {
        isNegative = base[offset] == UInt8(ascii: "-")
        offset += 1
      }
      let first = offset
      var written = 0
      while offset < end, base[offset] &- 0x30 < 10 {
        if written < 100_000 { written = written * 10 + Int(base[offset] &- 0x30) }
        offset += 1
      }
      if offset == first { throw malformedNumber(start, workspace) }
      exponent += isNegative ? -written : written
    }
    if offset < end {
      let byte = base[offset]
      if byte == UInt8(ascii: ".") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) {
        throw malformedNumber(start, workspace)
      }
    }
    position = offset
    // Both operands are exact, so the single rounding is correct (Clinger's fast path).
    if digits <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let power = DecimalPower.exact(abs(exponent))
      let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return .double(base[start] == UInt8(ascii: "-") ? -magnitude : magnitude)
    }
    return .double(try slowDouble(start..<offset, workspace))
  }

  /// Parses a number that is unsuitable for the fast path, with the standard library.
  @inline(never)
  private func slowDouble(_ range: Range<Int>, _ workspace: JSONWorkspace) throws(JSONError) -> Double {
    let text = String(decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count), as: UTF8.self)
    guard let number = Double(text), number.isFinite else { throw doubleOutOfRange(range, workspace) }
    return number
  }
}

/// Powers of ten that a double holds exactly.
enum DecimalPower {
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Returns 10 to the power of `exponent`, 0 to 22.
  @inline(__always)
  static func exact(_ exponent: Int) -> Double { powers[exponent] }
}
