import StreamCore
import Synchronization

/// Finds the offset of a time zone at an instant.
enum TimeZones {
  private static let known = Mutex<[String: TimeZoneTable]>([:])
  /// Maximum number of cached zones; names may come from data.
  private static let maximumKept = 700

  /// Steps charged for the search for a zone's file, which opens at most three files.
  private static let searchSteps = 2_000

  /// A zone that has been found.
  enum Found {
    case constant(Int64)
    case table(TimeZoneTable)
  }

  /// Returns the zone of this name (`Europe/Berlin`, `UTC`) or offset (`+02:00`, `02:00`).
  ///
  /// - Parameter search: Called before files are searched.
  static func find(_ zone: String, _ search: () throws(EvaluationError) -> Void = {}) throws(EvaluationError) -> Found {
    guard zone.utf8.count <= 64 else { throw unknown(zone) }
    if zone == "UTC" || zone == "Z" { return .constant(0) }
    var reader = DigitReader(Array((zone.utf8.first?.isDigit == true ? "+" + zone : zone).utf8))
    if let offset = reader.offset(), reader.isAtEnd { return .constant(Int64(offset)) }
    if let table = known.withLock({ $0[zone] }) { return .table(table) }
    guard isName(zone) else { throw unknown(zone) }
    try search()
    guard let bytes = ZoneFile.read(zone), let table = TimeZoneTable(bytes) else {
      throw unknown(zone)
    }
    known.withLock { tables in
      if tables.count < maximumKept { tables[zone] = table }
    }
    return .table(table)
  }

  /// Returns the seconds to add to UTC in a zone.
  static func offset(
    _ zone: String, at seconds: Int64, _ activation: Activation
  ) throws(EvaluationError) -> Int64 {
    let found = try find(zone) { () throws(EvaluationError) in try activation.charge(searchSteps) }
    switch found {
    case .constant(let offset): return offset
    case .table(let table): return table.offset(at: seconds)
    }
  }

  /// Returns the instant at which the clocks of a zone show a time.
  ///
  /// - Parameter local: The time shown, in seconds after 1970.
  static func instant(ofLocal local: Int64, _ zone: String, _ activation: Activation) throws(EvaluationError) -> Int64 {
    _ = try offset(zone, at: local, activation)
    return try CalendarZone(zone).instant(ofLocal: local)
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
