/// A reply of a Redis server, in version 3 of its protocol (RESP3).
///
/// Strings are bytes: keys and payloads need not be UTF-8.
package enum RESPValue: Hashable, Sendable {
  /// A short string without line breaks, such as `OK`.
  case simple([UInt8])
  /// A string of up to 512 MB.
  case blob([UInt8])
  /// An error of the server, which begins with its code. Blob errors, too, are read as this case.
  case error([UInt8])
  case number(Int64)
  case double(Double)
  case boolean(Bool)
  /// `_`, and the null strings and arrays of version 2.
  case null
  /// An integer of any length, as decimal digits with an optional sign.
  case bigNumber([UInt8])
  /// A string with a format: three characters and a colon, such as `txt:`, then the string.
  case verbatim([UInt8])
  case array([RESPValue])
  case set([RESPValue])
  /// Keys and values in turn; the count is even.
  case map([RESPValue])
  /// A message of the server that belongs to no command.
  case push([RESPValue])
}

extension RESPValue {
  /// The bytes of a string; nil for other values. A verbatim string is returned without its format.
  package var bytes: [UInt8]? {
    switch self {
    case .simple(let bytes), .blob(let bytes): bytes
    case .verbatim(let bytes): Array(bytes.dropFirst(4))
    default: nil
    }
  }

  /// A string as text; nil for other values. Replaces invalid UTF-8.
  package var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// An integer, or a string of decimal digits that fits into 64 bits; nil for other values.
  package var integer: Int64? {
    switch self {
    case .number(let number): number
    case .simple(let bytes), .blob(let bytes): Decimal.integer(bytes)
    default: nil
    }
  }

  /// The elements of an array, a set or a push; nil for other values.
  package var elements: [RESPValue]? {
    switch self {
    case .array(let elements), .set(let elements), .push(let elements): elements
    default: nil
    }
  }

  /// The keys and values of a map, in turn, or those of an array with an even count, which older commands return.
  package var pairs: [RESPValue]? {
    switch self {
    case .map(let elements): elements
    case .array(let elements) where elements.count.isMultiple(of: 2): elements
    default: nil
    }
  }

  /// The error of the server; nil for other values.
  package var failure: RedisError? {
    guard case .error(let bytes) = self else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let code = text.prefix { $0 != " " }
    return .server(code: String(code), message: String(text.dropFirst(code.count).drop { $0 == " " }))
  }

  /// The value itself, unless it is an error of the server.
  package func checked() throws(RedisError) -> RESPValue {
    if let failure { throw failure }
    return self
  }
}

/// Decimal integers as the protocol writes them.
enum Decimal {
  /// The integer that the digits stand for; nil if another character is among them or it exceeds 64 bits.
  static func integer(_ digits: some Collection<UInt8>) -> Int64? {
    var rest = digits[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var value: Int64 = 0
    for digit in rest {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      // Negative, because the least integer has no positive counterpart.
      let (product, isTooLong) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = product.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      guard !isTooLong, !isTooLarge else { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Appends the digits of an integer.
  static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    guard rest > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(rest)) }
    let start = bytes.count
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  /// The number that the text of a RESP3 double stands for; nil if it is none.
  static func double(_ text: some Collection<UInt8>) -> Double? {
    switch String(decoding: text, as: UTF8.self) {
    case "inf", "+inf": return .infinity
    case "-inf": return -.infinity
    case "nan", "-nan": return .nan
    case let text:
      // `Double` would read hexadecimal digits and more names, too.
      guard text.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) }) else { return nil }
      return Double(text)
    }
  }
}
