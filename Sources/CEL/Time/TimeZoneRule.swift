/// A rule for annual clock changes in POSIX notation: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
  private let standard: Int64
  private var summer: (offset: Int64, start: Change, end: Change)?

  /// A day of the year and the time of day, in seconds, by the clock in effect before the change.
  private struct Change: Sendable {
    enum Day: Sendable {
      /// The weekday in the given week of a month; week 5 is the last one.
      case weekday(month: Int, week: Int, day: Int)
      /// Day of the year, 1 … 365; February 29 is never counted.
      case julian(Int)
      /// Day of the year, 0 … 365.
      case zeroBased(Int)
    }
    var day: Day
    var time: Int64
  }

  init?(_ text: String) {
    var reader = RuleReader(bytes: Array(text.utf8))
    guard reader.name(), let offset = reader.time() else { return nil }
    standard = -offset
    if reader.isAtEnd { return }
    guard reader.name() else { return nil }
    var summerOffset = standard + 3600
    if !reader.isAt(",") {
      guard let offset = reader.time() else { return nil }
      summerOffset = -offset
    }
    guard let start = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { return nil }
    summer = (summerOffset, start, end)
  }

  private static func change(_ reader: inout RuleReader) -> Change? {
    guard reader.take(",") else { return nil }
    let day: Change.Day
    if reader.take("M") {
      guard let month = reader.number(), (1...12).contains(month), reader.take("."), let week = reader.number(),
        (1...5).contains(week), reader.take("."), let weekday = reader.number(), weekday < 7
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else {
      let isJulian = reader.take("J")
      guard let number = reader.number(), number <= 365 else { return nil }
      day = isJulian ? .julian(number) : .zeroBased(number)
    }
    var time: Int64 = 7200
    if reader.take("/") {
      guard let given = reader.time() else { return nil }
      time = given
    }
    return Change(day: day, time: time)
  }

  func offset(at seconds: Int64) -> Int64 {
    guard let summer else { return standard }
    let year = CivilTime(seconds: seconds + standard).year
    let start = Self.instant(of: summer.start, in: year) - standard
    let end = Self.instant(of: summer.end, in: year) - summer.offset
    let isSummer = start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
    return isSummer ? summer.offset : standard
  }

  /// Returns the local time of a change, in seconds after 1970.
  private static func instant(of change: Change, in year: Int64) -> Int64 {
    let days: Int64
    switch change.day {
    case .julian(let number):
      let leapDay = CivilTime.isLeap(year) && number > 59 ? 1 : 0
      days = CivilTime.days(year: year, month: 1, day: 1) + Int64(number - 1 + leapDay)
    case .zeroBased(let number):
      days = CivilTime.days(year: year, month: 1, day: 1) + Int64(number)
    case .weekday(let month, let week, let weekday):
      let firstWeekday = CivilTime(year: year, month: month, day: 1).dayOfWeek
      var day = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      while day > CivilTime.daysInMonth(month, year) { day -= 7 }
      days = CivilTime.days(year: year, month: month, day: day)
    }
    return days * 86_400 + change.time
  }
}

private struct RuleReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  func isAt(_ character: Character) -> Bool { position < bytes.count && bytes[position] == character.asciiValue }

  mutating func take(_ character: Character) -> Bool {
    guard isAt(character) else { return false }
    position += 1
    return true
  }

  mutating func number() -> Int? {
    let start = position
    var value = 0
    while position < bytes.count, bytes[position].isDigit, position - start < 6 {
      value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    return position == start ? nil : value
  }

  /// Skips a zone's abbreviation: at least three letters, or anything in angle brackets.
  mutating func name() -> Bool {
    let start = position
    if take("<") {
      while position < bytes.count, !isAt(">") { position += 1 }
      return take(">")
    }
    while position < bytes.count, bytes[position].isNameStart { position += 1 }
    return position - start >= 3
  }

  /// Parses a time such as `-1` or `+02:30:00`, in seconds.
  mutating func time() -> Int64? {
    let sign: Int64 = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard let hours = number() else { return nil }
    var seconds = Int64(hours) * 3600
    for unit in [Int64(60), 1] where take(":") {
      guard let value = number() else { return nil }
      seconds += Int64(value) * unit
    }
    return sign * seconds
  }
}
