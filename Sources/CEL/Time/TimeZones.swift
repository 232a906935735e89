import StreamCore

/// Finds the offset of a time zone at an instant.
enum TimeZones {
  /// Seconds to add to UTC, in the zone of this name (`Europe/Berlin`, `UTC`) or offset (`+02:00`, `02:00`).
  static func offset(_ zone: String, at seconds: Int64) throws(EvaluationError) -> Int64 {
    if zone == "UTC" || zone == "Z" { return 0 }
    var reader = DigitReader(Array((zone.utf8.first?.isDigit == true ? "+" + zone : zone).utf8))
    if let offset = reader.offset(), reader.isAtEnd { return Int64(offset) }
    throw EvaluationError(.invalidConversion, "there is no time zone '\(zone.prefix(60))'")
  }
}
