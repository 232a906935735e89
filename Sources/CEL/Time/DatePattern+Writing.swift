import StreamCore

extension DatePattern {
  /// Returns the text of an instant at an offset from UTC, in seconds.
  func format(
    _ time: Timestamp, offset: Int64, _ activation: Activation
  ) throws(EvaluationError) -> String {
    let civil = CivilTime(seconds: time.seconds + offset)
    try activation.charge(pieces.count * 20)
    var result: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let bytes): result += bytes
      case .field(let field, let count): result += Self.text(field, count, civil, time, offset).utf8
      }
    }
    try activation.checkBytes(result.count)
    return String(decoding: result, as: UTF8.self)
  }

  private static func text(
    _ field: Field, _ count: Int, _ civil: CivilTime, _ time: Timestamp, _ offset: Int64
  ) -> String {
    switch field {
    case .year: return count == 2 ? (civil.year % 100).padded(2) : civil.year.padded(count)
    case .month:
      if count < 3 { return Int64(civil.month).padded(count) }
      return name(months[civil.month - 1], count)
    case .day: return Int64(civil.day).padded(count)
    case .dayOfYear: return Int64(civil.dayOfYear + 1).padded(count)
    case .weekday: return name(weekdays[civil.dayOfWeek], count)
    case .hour: return Int64(civil.hour).padded(count)
    case .hourOfHalf: return Int64((civil.hour + 11) % 12 + 1).padded(count)
    case .half: return civil.hour < 12 ? "AM" : "PM"
    case .minute: return Int64(civil.minute).padded(count)
    case .second: return Int64(civil.second).padded(count)
    case .fraction: return String(Int64(time.nanoseconds).padded(9).prefix(count))
    case .offset: return self.offset(offset, count == 5 ? 3 : 2, hasZ: count == 5)
    case .offsetOrZ: return self.offset(offset, count, hasZ: true)
    case .offsetISO: return self.offset(offset, count, hasZ: false)
    }
  }

  private static func name(_ name: String, _ count: Int) -> String { count == 4 ? name : String(name.prefix(3)) }

  /// Returns an offset as `+01` (form 1, with minutes if there are any), `+0100` (2) or `+01:00` (3).
  private static func offset(_ seconds: Int64, _ form: Int, hasZ: Bool) -> String {
    if seconds == 0 && hasZ { return "Z" }
    let minutes = seconds.magnitude / 60
    let hour = (seconds < 0 ? "-" : "+") + Int64(minutes / 60).padded(2)
    if form == 1 && minutes % 60 == 0 { return hour }
    return hour + (form == 3 ? ":" : "") + Int64(minutes % 60).padded(2)
  }
}
