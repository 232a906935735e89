internal import StreamEngine

/// A duration in the notation of marble diagrams: `10ms`, `1.5s`, `2m`.
struct MarbleTime {
  /// The duration to the nearest nanosecond; nil if it is more than 292 years.
  let interval: Interval?

  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
  ]
  /// Number of digits of a fraction that are read: further digits are less than a nanosecond.
  private static let fractionDigits = 15

  /// Parses a word; nil if it is not a duration.
  init?(_ word: String) {
    let number = word.prefix { $0.isASCII && ($0.isWholeNumber || $0 == ".") }
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let unit = Self.units.first(where: { $0.name == word.dropFirst(number.count) }),
      let whole = parts.first, !whole.isEmpty, parts.count == 1 || !parts[1].isEmpty,
      !parts.dropFirst().contains(where: { $0.contains(".") })
    else { return nil }
    var numerator: Int128 = 0
    var denominator: Int128 = 1
    if parts.count > 1 {
      for digit in parts[1].prefix(Self.fractionDigits) {
        numerator = numerator * 10 + Int128(digit.wholeNumberValue ?? 0)
        denominator *= 10
      }
    }
    guard whole.count <= 19, let count = Int128(whole) else {
      interval = nil
      return
    }
    let fraction = (numerator * Int128(unit.nanoseconds) * 2 + denominator) / (denominator * 2)
    interval = Int64(exactly: count * Int128(unit.nanoseconds) + fraction).map(Interval.init(nanoseconds:))
  }

  /// Returns the notation of a duration, 0 or more: in whole minutes or seconds if possible, else in milliseconds.
  static func text(of interval: Interval) -> String {
    let nanoseconds = interval.nanoseconds
    if nanoseconds > 0, nanoseconds % 60_000_000_000 == 0 { return "\(nanoseconds / 60_000_000_000)m" }
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
    let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(milliseconds)ms" }
    var digits = String(String(1_000_000 + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(milliseconds).\(digits)ms"
  }
}
