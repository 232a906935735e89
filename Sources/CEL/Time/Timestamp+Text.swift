import StreamCore

extension Timestamp {
  /// The RFC 3339 form in UTC, with as many digits of the fraction as are needed.
  var text: String {
    let civil = CivilTime(seconds: seconds)
    let date = "\(civil.year.padded(4))-\(Int64(civil.month).padded(2))-\(Int64(civil.day).padded(2))"
    let time =
      "\(Int64(civil.hour).padded(2)):\(Int64(civil.minute).padded(2)):\(Int64(civil.second).padded(2))"
    return "\(date)T\(time)\(fractionText(Int64(nanoseconds)))Z"
  }

  /// Returns the instant later by a duration; throws outside the years 1 to 9999.
  func adding(_ duration: Duration) throws(EvaluationError) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
    let result = Timestamp(seconds: sum, nanoseconds: Int64(nanoseconds) + attoseconds / 1_000_000_000)
    guard !overflow, Self.secondsRange.contains(result.seconds) else {
      throw .overflow("the result is outside the years 1 to 9999")
    }
    return result
  }

  func duration(since other: Timestamp) throws(EvaluationError) -> Duration {
    let (seconds, overflow) = self.seconds.subtractingReportingOverflow(other.seconds)
    if overflow { throw .overflow("the difference does not fit into a duration") }
    let nanoseconds = Int64(nanoseconds) - Int64(other.nanoseconds)
    return try (Duration.seconds(seconds) + .nanoseconds(nanoseconds)).checked()
  }
}

/// Returns nanoseconds as a decimal fraction: `.5` for half a billion, an empty string for zero.
func fractionText(_ nanoseconds: Int64) -> String {
  if nanoseconds == 0 { return "" }
  var digits = nanoseconds.padded(9)
  while digits.hasSuffix("0") { digits.removeLast() }
  return "." + digits
}

extension Int64 {
  /// Returns the number in decimal, with leading zeros.
  func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

/// Reads numbers of fixed length.
struct DigitReader {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }

  mutating func number(_ digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var result = 0
    for byte in bytes[position..<position + digits] {
      guard byte.isDigit else { return nil }
      result = result * 10 + Int(byte - UInt8(ascii: "0"))
    }
    position += digits
    return result
  }

  /// Reads an offset, `Z` or `+01:00`, in seconds.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
  }
}
