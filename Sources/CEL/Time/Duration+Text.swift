internal import StreamCore

extension Duration {
  /// Number of nanoseconds; nil if it does not fit into 64 bits: about ±292 years, which is CEL's range here.
  var wholeNanoseconds: Int64? {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? nil : sum
  }

  /// Returns the duration; throws if it is outside CEL's range.
  func checked() throws(EvaluationError) -> Duration {
    if wholeNanoseconds == nil { throw .tooLongDuration }
    return self
  }

  /// Parses numbers with units, such as `1h30m`, `-1.5s`, `2d`; nil if the string is not a duration. Fractions of a
  /// nanosecond are cut off.
  ///
  /// - Throws: `overflow` if the duration is outside CEL's range.
  package init?(goText text: String) throws(EvaluationError) {
    var reader = UnitReader(bytes: Array(text.utf8))
    guard let attoseconds = reader.duration() else { return nil }
    if reader.isTooLong { throw .tooLongDuration }
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: UnitReader.second)
    self = Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest)).inNanoseconds
  }
}

extension EvaluationError {
  static var tooLongDuration: EvaluationError { .overflow("the duration is longer than about 292 years") }
}

/// Reads numbers with units.
private struct UnitReader {
  let bytes: [UInt8]
  var position = 0
  /// Whether a number, or the sum of all, is outside CEL's range.
  private(set) var isTooLong = false

  /// The units, in attoseconds.
  private static let units: [String: Int128] = [
    "d": 86_400 * second, "h": 3_600 * second, "m": 60 * second, "s": second, "ms": second / 1_000,
    "us": second / 1_000_000,
    "µs": second / 1_000_000, "μs": second / 1_000_000, "ns": nanosecond,
  ]
  static let second: Int128 = 1_000_000_000_000_000_000
  private static let nanosecond: Int128 = 1_000_000_000

  /// Returns the duration in attoseconds.
  mutating func duration() -> Int128? {
    var isNegative = false
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      position = 1
    }
    if bytes.count - position == 1, bytes[position] == UInt8(ascii: "0") { return 0 }
    guard position < bytes.count else { return nil }
    var total: Int128 = 0
    while position < bytes.count {
      guard let part = part() else { return nil }
      total = isTooLong ? 0 : total + part
      if total / Self.nanosecond > Int128(Int64.max) { isTooLong = true }
    }
    return isNegative ? -total : total
  }

  private mutating func part() -> Int128? {
    var whole: Int128 = 0
    var fraction: Int128 = 0
    var scale: Int128 = 1
    var digits = 0
    var hasPoint = false
    while position < bytes.count, bytes[position].isDigit || (bytes[position] == UInt8(ascii: ".") && !hasPoint) {
      if bytes[position] == UInt8(ascii: ".") {
        hasPoint = true
      } else {
        let digit = Int128(bytes[position] - UInt8(ascii: "0"))
        digits += 1
        if !hasPoint {
          whole = isTooLong ? 0 : whole * 10 + digit
          if whole > Int128(Int64.max) { isTooLong = true }
        } else if scale < Self.second {
          fraction = fraction * 10 + digit
          scale *= 10
        }
      }
      position += 1
    }
    let start = position
    while position < bytes.count, !bytes[position].isDigit, bytes[position] != UInt8(ascii: ".") { position += 1 }
    guard digits > 0, let unit = Self.units[String(decoding: bytes[start..<position], as: UTF8.self)] else {
      return nil
    }
    if isTooLong || whole > Int128(Int64.max) * Self.nanosecond / unit {
      isTooLong = true
      return 0
    }
    // NB: In this order nothing overflows: the scale divides a second.
    let rest =
      unit < Self.second ? fraction * unit / scale : fraction * (Self.second / scale) * (unit / Self.second)
    return whole * unit + rest
  }
}
