extension Timestamp {
  /// Creates a timestamp from RFC 3339 text, such as `2024-02-29T12:30:00.5+02:00`; nil if the text has another form.
  ///
  /// Years 0001 to 9999, no leap seconds; `t` and `z` may be lowercase. Digits beyond nanoseconds are cut off.
  public init?(rfc3339 text: String) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), scanner.skip("T") || scanner.skip("t"),
      let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
      let second = scanner.number(2),
      year >= 1, 1...12 ~= month, day >= 1, day <= Calendar.days(in: month, of: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var nanoseconds: Int64 = 0
    if scanner.skip(".") {
      guard let fraction = scanner.fraction(9) else { return nil }
      nanoseconds = fraction
    }
    var offset: Int64 = 0
    if !scanner.skip("Z") && !scanner.skip("z") {
      let isEast = scanner.skip("+")
      guard isEast || scanner.skip("-"), let hours = scanner.number(2), scanner.skip(":"),
        let minutes = scanner.number(2), hours < 24, minutes < 60
      else { return nil }
      offset = (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
    let clock = hour * 3600 + minute * 60 + second
    let seconds = Calendar.day(year, month, day) * 86_400 + clock - offset
    guard scanner.isAtEnd, Self.secondsRange.contains(seconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Whether a text names a second that was inserted into a minute, as RFC 3339 allows: no timestamp has it.
  package static func isLeapSecond(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    let digits = 17..<19
    guard bytes.count > digits.upperBound, bytes[digits].elementsEqual("60".utf8) else { return false }
    bytes.replaceSubrange(digits, with: "59".utf8)
    return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)) != nil
  }

  /// The timestamp in UTC in RFC 3339 form, with 0, 3, 6 or 9 fraction digits.
  public var rfc3339: String {
    let rest = seconds % 86_400
    let days = seconds / 86_400 - (rest < 0 ? 1 : 0)
    let clock = rest < 0 ? rest + 86_400 : rest
    let (year, month, day) = Calendar.date(ofDay: days)
    var text = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T"
    text += "\(Self.padded(clock / 3600, 2)):\(Self.padded(clock / 60 % 60, 2)):\(Self.padded(clock % 60, 2))"
    let nanoseconds = Int64(nanoseconds)
    if nanoseconds % 1_000_000 == 0 {
      if nanoseconds != 0 { text += "." + Self.padded(nanoseconds / 1_000_000, 3) }
    } else if nanoseconds % 1000 == 0 {
      text += "." + Self.padded(nanoseconds / 1000, 6)
    } else {
      text += "." + Self.padded(nanoseconds, 9)
    }
    return text + "Z"
  }

  private static func padded(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

extension Timestamp: CustomStringConvertible {
  /// The timestamp in RFC 3339 form.
  public var description: String { rfc3339 }
}

/// The proleptic Gregorian calendar.
enum Calendar {
  /// Returns the number of days in a month.
  static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days from 1970-01-01 to a date. Years begin in March here, so that the leap day is a year's
  /// last.
  static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let month = month <= 2 ? month + 9 : month - 3
    let leapDays = floor(year, 4) - floor(year, 100) + floor(year, 400)
    return year * 365 + leapDays + (153 * month + 2) / 5 + day - 1 - 719_468
  }

  /// Returns the date that is `day` days after 1970-01-01.
  static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let sinceEpoch = day + 719_468
    let era = floor(sinceEpoch, 146_097)
    let dayOfEra = sinceEpoch - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }
}
