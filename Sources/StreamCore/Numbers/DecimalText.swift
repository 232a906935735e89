/// Parses numbers in texts that are not JSON.
package enum DecimalText {
  /// Returns a number written with at most 15 digits, a decimal point and a sign; nil for another form.
  package static func plainNumber(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var (digits, count, scale, isNegative, isFirst) = (0 as UInt64, 0, -1, false, true)
    for byte in text {
      defer { isFirst = false }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits &* 10 &+ UInt64(byte &- 0x30)
        count += 1
        if scale >= 0 { scale += 1 }
        guard count <= 15 else { return nil }
      case UInt8(ascii: ".") where scale < 0 && count > 0: scale = 0
      case UInt8(ascii: "-") where isFirst: isNegative = true
      default: return nil
      }
    }
    guard count > 0, scale != 0 else { return nil }
    // Both operands are exact, so the single rounding is correct.
    let magnitude = Double(digits) / DecimalPower.exact(max(scale, 0))
    return isNegative ? -magnitude : magnitude
  }

  /// Returns an integer written with at most 18 digits and a sign; nil for another form.
  package static func plainInt(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    guard (1...18).contains(digits.count) else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
      number = number &* 10 &+ Int64(byte &- 0x30)
    }
    return isNegative ? -number : number
  }

  /// The form of a number in JSON.
  package enum Form {
    /// Digits without a fraction and an exponent.
    case integer
    case decimal
  }

  /// Returns the form of a text that is a number in JSON: without a leading zero or a plus sign, and with digits before
  /// and after the point. Nil for other texts.
  package static func form(of text: Substring.UTF8View) -> Form? {
    var rest = text
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = rest.prefix(while: isDigit)
    guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else { return nil }
    rest = rest[whole.endIndex...]
    if rest.isEmpty { return .integer }
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      if fraction.isEmpty { return nil }
      rest = rest[fraction.endIndex...]
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      let exponent = rest.prefix(while: isDigit)
      if exponent.isEmpty { return nil }
      rest = rest[exponent.endIndex...]
    }
    return rest.isEmpty ? .decimal : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension Double {
  /// Reads a decimal text, or a name of infinity or NaN; nil for hexadecimal digits, a number that is too large, and
  /// other texts.
  package init?(decimalText text: String) {
    guard let number = Double(text), !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
      number.isFinite || !text.utf8.contains(where: { (0x30...0x39).contains($0) })
    else { return nil }
    self = number
  }
}
