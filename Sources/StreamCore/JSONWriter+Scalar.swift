// Rounding is a call into the mathematics library, which this links.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension JSONWriter {
  /// Appends what is neither a list nor a map.
  static func appendScalar(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): appendInt(value, to: &bytes)
    case .uint(let value): appendMagnitude(value, to: &bytes)
    case .double(let value): appendDouble(value, to: &bytes)
    case .string(let value): appendString(value, to: &bytes)
    case .bytes(let value):
      bytes.append(UInt8(ascii: "\""))
      Base64.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .timestamp(let value): appendString(value.rfc3339, to: &bytes)
    case .duration(let value): appendString(value.secondsText, to: &bytes)
    case .opaque(let value): appendString(value.description, to: &bytes)
    case .list, .map: preconditionFailure("a list or map is no scalar")
    }
  }

  /// Appends a key as a string; one that is none as its text.
  static func appendKey(_ key: Value, to bytes: inout [UInt8]) {
    appendString(text(ofKey: key), to: &bytes)
  }

  /// The text of a key.
  static func text(ofKey key: Value) -> String {
    if case .string(let name) = key { return name }
    var bytes: [UInt8] = []
    append(key, to: &bytes)
    if bytes.count >= 2, bytes.first == UInt8(ascii: "\"") { bytes = Array(bytes.dropFirst().dropLast()) }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func appendInt(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendMagnitude(value.magnitude, to: &bytes)
  }

  static func appendMagnitude(_ value: UInt64, to bytes: inout [UInt8]) {
    // 20 digits are the most that 64 bits need.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = value
      repeat {
        let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits.initializeElement(at: start, to: 0x30 + UInt8(truncatingIfNeeded: digit))
        rest = tens
      } while rest != 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  static func appendDouble(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else {
      let name = value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\""
      bytes.append(contentsOf: name.utf8)
      return
    }
    // A decimal of at most 15 digits that reads back as the value is the shortest one: no two such decimals share a
    // double. So a multiple of a millionth that gives the value when divided again needs no further search.
    let magnitude = value.magnitude
    if magnitude >= 0.001, magnitude < 1e9 {
      let millionths = (magnitude * 1e6).rounded()
      if millionths / 1e6 == magnitude {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendMillionths(UInt64(millionths), to: &bytes)
        return
      }
    }
    var text = value.description
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Appends whole and fraction, the latter without zeros at its end but with one digit at least.
  private static func appendMillionths(_ millionths: UInt64, to bytes: inout [UInt8]) {
    let (whole, fraction) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    appendMagnitude(whole, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    var rest = fraction
    var unit: UInt64 = 100_000
    repeat {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: rest / unit))
      rest %= unit
      unit /= 10
    } while rest != 0
  }

  /// Appends a string; only what JSON demands is escaped.
  static func appendString(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { letters in
      var start = 0
      while start < letters.count {
        let stop = plainEnd(of: letters, from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: letters[start..<stop]))
        if stop < letters.count { appendEscape(letters[stop], to: &bytes) }
        start = stop + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The first byte from here that has to be escaped, or the end; eight bytes are looked at in one go.
  @inline(__always)
  private static func plainEnd(of letters: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(letters)
    var offset = start
    while offset + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      let controls = (word &- (ones &* 0x20)) & ~word
      // NB: a borrow can only mark bytes above the first one that is truly marked.
      let marks = (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes) | controls) & (ones &* 0x80)
      if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < raw.count, letters[offset] >= 0x20, letters[offset] != 0x22, letters[offset] != 0x5C { offset += 1 }
    return offset
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    let text: StaticString
    switch byte {
    case 0x22: text = "\\\""
    case 0x5C: text = "\\\\"
    case 0x08: text = "\\b"
    case 0x09: text = "\\t"
    case 0x0A: text = "\\n"
    case 0x0C: text = "\\f"
    case 0x0D: text = "\\r"
    default:
      text = byte < 0x10 ? "\\u000" : "\\u001"
      text.withUTF8Buffer { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
      return
    }
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}
