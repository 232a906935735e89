/// Dates in headers (RFC 9110), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter seconds: The time, in seconds since 1970; not negative.
  static func text(_ seconds: Int64) -> String {
    let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 2 : monthFromMarch - 10
    let year = yearOfEra + era * 400 + (month <= 1 ? 1 : 0)
    return "\(days[Int(day % 7)]), \(two(dayOfMonth)) \(months[Int(month)]) \(year) "
      + "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}
