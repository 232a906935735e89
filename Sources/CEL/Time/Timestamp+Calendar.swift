/// A civil date and time of day, without a time zone.
struct CivilTime {
  var year: Int64
  /// 1 … 12
  var month: Int
  /// 1 … 31
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0

  private static let secondsPerDay: Int64 = 86_400

  /// Creates the date and time at a number of seconds after 1970.
  init(seconds: Int64) {
    let days = seconds.flooredQuotient(Self.secondsPerDay)
    let rest = Int(seconds - days * Self.secondsPerDay)
    (year, month, day) = Self.date(days: days)
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
  }

  init(year: Int64, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Returns the number of days from 1970-01-01 to a date. Years are counted from March, so that the leap day comes
  /// last: then the days before a month follow from one linear formula, and the leap days from the number of years.
  static func days(year: Int64, month: Int, day: Int) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let monthFromMarch = Int64((month + 9) % 12)
    let leapDays =
      marchYear.flooredQuotient(4) - marchYear.flooredQuotient(100) + marchYear.flooredQuotient(400)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  /// Returns the date at a number of days after 1970-01-01.
  static func date(days: Int64) -> (year: Int64, month: Int, day: Int) {
    // The year is estimated from its mean length, then corrected by at most one.
    var marchYear = ((days + 719_468) * 400).flooredQuotient(146_097)
    while Self.days(year: marchYear, month: 3, day: 1) > days { marchYear -= 1 }
    while Self.days(year: marchYear + 1, month: 3, day: 1) <= days { marchYear += 1 }
    let dayOfYear = days - Self.days(year: marchYear, month: 3, day: 1)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    return (month <= 2 ? marchYear + 1 : marchYear, month, day)
  }

  static func isLeap(_ year: Int64) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }

  static func daysInMonth(_ month: Int, _ year: Int64) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Day of the week; 0 for Sunday.
  var dayOfWeek: Int {
    let days = Self.days(year: year, month: month, day: day)
    return Int((days + 4) - (days + 4).flooredQuotient(7) * 7)
  }

  /// Day of the year; 0 for January 1.
  var dayOfYear: Int {
    Int(Self.days(year: year, month: month, day: day) - Self.days(year: year, month: 1, day: 1))
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest != 0 && (rest < 0) != (divisor < 0) ? quotient - 1 : quotient
  }
}
