/// Base64 (RFC 4648, section 4) with padding.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends the Base64 text of bytes.
  static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var offset = 0
    while offset < bytes.count {
      let count = min(3, bytes.count - offset)
      var group: UInt32 = 0
      for place in 0..<3 { group = group << 8 | (place < count ? UInt32(bytes[offset + place]) : 0) }
      for place in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * place)) & 0x3F
        text.append(place <= count ? alphabet[digit] : UInt8(ascii: "="))
      }
      offset += 3
    }
  }

  /// Returns the Base64 text of bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of Base64 text, standard or URL-safe, with or without padding; nil for other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    let isPadded = digits.count % 4 == 0
    if isPadded, digits.last == UInt8(ascii: "=") { digits.removeLast() }
    if isPadded, digits.count % 4 == 3, digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    // Unused bits must be zero; otherwise several texts would represent the same bytes.
    return bits == 0 ? result : nil
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
