import StreamCore

extension DatePattern {
  /// Returns the instant that a text describes; a part that the pattern lacks is that of 1970-01-01T00:00:00.
  ///
  /// - Parameter zone: The zone of a text without an offset. A time that a clock change skips is later by the change; of
  ///   a time that occurs twice, the earlier instant counts.
  func parse(_ text: String, zone: String, _ activation: Activation) throws(EvaluationError) -> Timestamp {
    try activation.charge(pieces.count * 10 + text.utf8.count)
    var reader = DateReader(bytes: Array(text.utf8))
    for piece in pieces {
      switch piece {
      case .text(let bytes):
        guard reader.take(bytes) else {
          throw misfit(text, reader, "expected '\(String(decoding: bytes, as: UTF8.self))'")
        }
      case .field(let field, let count):
        guard reader.read(field, count) else { throw misfit(text, reader, "expected \(field.phrase(count))") }
      }
    }
    guard reader.isAtEnd else { throw misfit(text, reader, "expected the end") }
    guard let local = reader.localSeconds() else { throw misfit(text, nil, "there is no such date or time") }
    if let weekday = reader.weekday, CivilTime(seconds: local).dayOfWeek != weekday {
      throw misfit(text, nil, "that day is a \(Self.weekdays[CivilTime(seconds: local).dayOfWeek])")
    }
    let seconds: Int64
    if let offset = reader.offset {
      seconds = local - offset
    } else {
      seconds = try TimeZones.instant(ofLocal: local, zone, activation)
    }
    guard Timestamp.secondsRange.contains(seconds) else {
      throw misfit(text, nil, "the time is outside the years 1 to 9999")
    }
    return Timestamp(seconds: seconds, nanoseconds: reader.nanoseconds)
  }

  private func misfit(_ text: String, _ reader: DateReader?, _ reason: String) -> EvaluationError {
    let place = reader.map { " at '\(String(decoding: $0.rest.prefix(12), as: UTF8.self))'" } ?? ""
    return EvaluationError(
      .invalidConversion,
      "\(Value.string(text).shortText) does not fit the date pattern \(Value.string(self.text).shortText): \(reason)"
        + place)
  }
}

extension DatePattern.Field {
  fileprivate func phrase(_ count: Int) -> String {
    switch self {
    case .year: count == 4 ? "a year of four digits" : count == 2 ? "a year of two digits" : "a year"
    case .month: count > 2 ? "an English month" : "a month"
    case .day: "a day"
    case .dayOfYear: "a day of the year"
    case .weekday: "an English weekday"
    case .hour, .hourOfHalf: "an hour"
    case .half: "AM or PM"
    case .minute: "a minute"
    case .second: "a second"
    case .fraction: count.counted("digit") + " of a fraction"
    case .offset, .offsetOrZ, .offsetISO: "an offset such as +01:00"
    }
  }
}

/// Reads the fields of a date from a text.
private struct DateReader {
  let bytes: [UInt8]
  var position = 0
  private var year: Int64 = 1970
  private var month = 1
  private var day = 1
  private var dayOfYear: Int?
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var isAfternoon: Bool?
  private(set) var nanoseconds: Int64 = 0
  private(set) var offset: Int64?
  private(set) var weekday: Int?

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func take(_ text: [UInt8]) -> Bool {
    guard rest.starts(with: text) else { return false }
    position += text.count
    return true
  }

  /// Reads a field with this number of letters.
  mutating func read(_ field: DatePattern.Field, _ count: Int) -> Bool {
    switch field {
    case .year:
      guard let number = count == 1 ? number(1...4) : number(count...count) else { return false }
      // As POSIX reads two digits.
      year = Int64(count == 2 ? number + (number < 69 ? 2000 : 1900) : number)
      return year > 0
    case .month where count > 2: return name(DatePattern.months, count).map { month = $0 + 1 } != nil
    case .month: return number(count).map { month = $0 } != nil && (1...12).contains(month)
    case .day: return number(count).map { day = $0 } != nil
    case .dayOfYear: return number(count == 1 ? 1...3 : 3...3).map { dayOfYear = $0 } != nil
    case .weekday: return name(DatePattern.weekdays, count).map { weekday = $0 } != nil
    case .hour: return number(count).map { hour = $0 } != nil && hour < 24
    case .hourOfHalf: return number(count).map { hour = $0 } != nil && (1...12).contains(hour)
    case .half:
      guard rest.count >= 2, rest[position + 1] | 0x20 == UInt8(ascii: "m") else { return false }
      let letter = rest[position] | 0x20
      isAfternoon = letter == UInt8(ascii: "p")
      position += 2
      return letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p")
    case .minute: return number(count).map { minute = $0 } != nil && minute < 60
    case .second: return number(count).map { second = $0 } != nil && second < 60
    case .fraction:
      guard let number = number(count...count) else { return false }
      nanoseconds = (0..<(9 - count)).reduce(Int64(number)) { result, _ in result * 10 }
      return true
    case .offset, .offsetOrZ, .offsetISO: return readOffset()
    }
  }

  /// Reads one or two digits for a field of one letter, two for a field of two.
  private mutating func number(_ count: Int) -> Int? { number(count == 1 ? 1...2 : 2...2) }

  private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    let run = rest.prefix(digits.upperBound).prefix(while: \.isDigit)
    guard run.count >= digits.lowerBound else { return nil }
    position += run.count
    return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Reads an English name, or its first three letters, in any case; returns its index.
  private mutating func name(_ names: [String], _ count: Int) -> Int? {
    for (index, name) in names.enumerated() {
      let wanted = Array((count == 4 ? name : String(name.prefix(3))).lowercased().utf8)
      if rest.prefix(wanted.count).map({ $0 | 0x20 }) == wanted {
        position += wanted.count
        return index
      }
    }
    return nil
  }

  /// Reads `Z`, `+01`, `+0100` or `+01:00`.
  private mutating func readOffset() -> Bool {
    guard let sign = rest.first else { return false }
    position += 1
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") {
      offset = 0
      return true
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(2...2), hours < 24 else {
      return false
    }
    let start = position
    _ = take([UInt8(ascii: ":")])
    let minutes = number(2...2)
    if minutes == nil { position = start }
    guard minutes ?? 0 < 60 else { return false }
    offset = Int64(hours * 3600 + (minutes ?? 0) * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    return true
  }

  /// Returns the date and time in seconds after 1970 by the local clock; nil if there is no such day or hour.
  func localSeconds() -> Int64? {
    var hour = hour
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    let days: Int64
    if let dayOfYear {
      guard (1...(CivilTime.isLeap(year) ? 366 : 365)).contains(dayOfYear) else { return nil }
      days = CivilTime.days(year: year, month: 1, day: 1) + Int64(dayOfYear - 1)
    } else {
      guard (1...CivilTime.daysInMonth(month, year)).contains(day) else { return nil }
      days = CivilTime.days(year: year, month: month, day: day)
    }
    return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }
}
