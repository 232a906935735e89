/// A scanner of a text of digits and signs.
struct DigitScanner {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { offset == bytes.count }

  /// Skips a sign if it is next; returns whether it was.
  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, UInt32(bytes[offset]) == sign.value else { return false }
    offset += 1
    return true
  }

  /// Reads a number of exactly `count` digits, at most 18; nil if there are fewer.
  mutating func number(_ count: Int) -> Int64? {
    var result: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      result = result * 10 + digit
    }
    return result
  }

  /// Reads a number of one or more digits; nil if there is none or it does not fit in 64 bits.
  mutating func number() -> Int64? {
    guard var result = digit() else { return nil }
    while let digit = digit() {
      let (tens, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(digit)
      guard !overflow && !carry else { return nil }
      result = sum
    }
    return result
  }

  /// Reads the digits after a point: at least one. Returns the first `count`, padded with zeros: `5` of
  /// nine is 500,000,000. Further digits are cut off, as in Go.
  mutating func fraction(_ count: Int) -> Int64? {
    guard var result = digit() else { return nil }
    var written = 1
    while let digit = digit() {
      if written == count { continue }
      result = result * 10 + digit
      written += 1
    }
    for _ in written..<count { result *= 10 }
    return result
  }

  private mutating func digit() -> Int64? {
    guard offset < bytes.count, bytes[offset] &- 0x30 < 10 else { return nil }
    defer { offset += 1 }
    return Int64(bytes[offset] - 0x30)
  }
}
