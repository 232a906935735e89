/// Writes numbers as text, directly into memory.
package enum NumberText {
  /// Maximum length of a number, in bytes.
  static let capacity = 32

  /// Writes an int and returns the number of bytes written.
  @inline(__always)
  static func write(_ value: Int64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    guard value < 0 else { return write(magnitude: UInt64(bitPattern: value), to: target) }
    target[0] = UInt8(ascii: "-")
    return 1 + write(magnitude: value.magnitude, to: target + 1)
  }

  @inline(__always)
  static func write(magnitude: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let count = digitCount(of: magnitude)
    fill(target, count, magnitude)
    return count
  }

  /// Writes a double with the fewest digits that read back as the same double; NaN and the infinities as strings.
  static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
    // A decimal of at most 15 digits that reads back as the value is the shortest one: no two such decimals share a
    // double. So a multiple of a millionth that gives the value when divided again needs no further search.
    let magnitude = value.magnitude
    if magnitude >= 0.001, magnitude < 1e9 {
      let millionths = UInt64(magnitude * 1e6 + 0.5)
      if Double(millionths) / 1e6 == magnitude {
        guard value < 0 else { return write(millionths: millionths, to: target) }
        target[0] = UInt8(ascii: "-")
        return 1 + write(millionths: millionths, to: target + 1)
      }
    }
    return writeDescription(of: value, to: target)
  }

  /// Writes whole part and fraction, the latter without trailing zeros but with at least one digit.
  private static func write(millionths: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    var (whole, fraction) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
    let count = write(magnitude: whole, to: target)
    target[count] = UInt8(ascii: ".")
    var digits = 6
    if fraction % 1_000 == 0 { (fraction, digits) = (fraction / 1_000, 3) }
    while digits > 1, fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
    fill(target + count + 1, digits, fraction)
    return count + 1 + digits
  }

  @inline(never)
  private static func writeDescription(of value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
    var text =
      if value.isFinite { value.description } else if value.isNaN { "\"NaN\"" } else if value < 0 {
        "\"-Infinity\""
      } else {
        "\"Infinity\""
      }
    return text.withUTF8 { letters in
      precondition(letters.count <= capacity, "a number takes 32 bytes at most")
      for (place, letter) in letters.enumerated() { target[place] = letter }
      return letters.count
    }
  }

  /// Writes the last `count` digits of a number.
  @inline(__always)
  private static func fill(_ target: UnsafeMutablePointer<UInt8>, _ count: Int, _ number: UInt64) {
    var rest = number
    var place = count
    while place > 0 {
      place -= 1
      let tens = rest / 10
      target[place] = 0x30 + UInt8(truncatingIfNeeded: rest &- tens &* 10)
      rest = tens
    }
  }

  @inline(__always)
  private static func digitCount(of number: UInt64) -> Int {
    var count = 1
    var limit: UInt64 = 10
    // 64 bits need at most 20 digits.
    while count < 20, number >= limit {
      count += 1
      limit = limit &* 10
    }
    return count
  }

  /// Appends the bytes that a closure writes.
  @inline(__always)
  static func append(to bytes: inout [UInt8], _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
      guard let base = memory.baseAddress else { return }
      let count = write(base)
      bytes.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
    }
  }
}
