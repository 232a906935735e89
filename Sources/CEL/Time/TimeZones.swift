import StreamCore
import Synchronization

/// Finds the offset of a time zone at an instant.
enum TimeZones {
  private static let known = Mutex<[String: TimeZoneTable]>([:])
  /// Maximum number of cached zones; names may come from data.
  private static let maximumKept = 700

  /// Steps charged for the search for a zone's file, which opens at most three files.
  private static let searchSteps = 2_000

  /// Returns the seconds to add to UTC in the zone of this name (`Europe/Berlin`, `UTC`) or offset (`+02:00`, `02:00`).
  static func offset(
    _ zone: String, at seconds: Int64, _ activation: Activation
  ) throws(EvaluationError) -> Int64 {
    guard zone.utf8.count <= 64 else { throw unknown(zone) }
    if zone == "UTC" || zone == "Z" { return 0 }
    var reader = DigitReader(Array((zone.utf8.first?.isDigit == true ? "+" + zone : zone).utf8))
    if let offset = reader.offset(), reader.isAtEnd { return Int64(offset) }
    if let table = known.withLock({ $0[zone] }) { return table.offset(at: seconds) }
    guard isName(zone) else { throw unknown(zone) }
    try activation.charge(searchSteps)
    guard let bytes = ZoneFile.read(zone), let table = TimeZoneTable(bytes) else {
      throw unknown(zone)
    }
    known.withLock { tables in
      if tables.count < maximumKept { tables[zone] = table }
    }
    return table.offset(at: seconds)
  }

  /// Returns the instant at which the clocks of a zone show a time. A time that a clock change skips is later by the
  /// change; of a time that occurs twice, the earlier instant counts.
  ///
  /// - Parameter local: The time shown, in seconds after 1970.
  static func instant(ofLocal local: Int64, _ zone: String, _ activation: Activation) throws(EvaluationError) -> Int64 {
    let before = try offset(zone, at: local - 86_400, activation)
    let after = try offset(zone, at: local + 86_400, activation)
    for candidate in [before, after] where try offset(zone, at: local - candidate, activation) == candidate {
      return local - candidate
    }
    return local - before
  }

  private static func unknown(_ zone: String) -> EvaluationError {
    let shown = String(String.UnicodeScalarView(zone.unicodeScalars.prefix(60)))
    return EvaluationError(.invalidConversion, "there is no time zone '\(shown)'")
  }

  /// Whether a string may be a zone's name: a relative path without `..`.
  private static func isName(_ zone: String) -> Bool {
    guard !zone.isEmpty else { return false }
    let parts = zone.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      guard let first = part.first, first.isNameStart else { return false }
      return part.allSatisfy { $0.isNamePart || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    }
  }
}
