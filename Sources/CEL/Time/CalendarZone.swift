/// A time zone whose name has been looked up: `Europe/Berlin`, `UTC`, or an offset such as `+02:00`.
package struct CalendarZone: Sendable {
  package let name: String
  /// The rules of the zone; nil for a constant offset.
  private let table: TimeZoneTable?
  private let constantOffset: Int64

  /// - Throws: An error of code `invalidConversion` if there is no zone of this name.
  package init(_ name: String) throws(EvaluationError) {
    self.name = name
    switch try TimeZones.find(name) {
    case .constant(let offset): (table, constantOffset) = (nil, offset)
    case .table(let found): (table, constantOffset) = (found, 0)
    }
  }

  /// Returns the seconds to add to UTC at an instant.
  package func offset(at seconds: Int64) -> Int64 { table?.offset(at: seconds) ?? constantOffset }

  /// Returns the instant at which the clocks of the zone show a time. A time that a clock change skips is later by the
  /// change; of a time that occurs twice, the earlier instant counts.
  ///
  /// - Parameter local: The time shown, in seconds after 1970.
  package func instant(ofLocal local: Int64) -> Int64 {
    let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
    for candidate in [before, after] where offset(at: local - candidate) == candidate { return local - candidate }
    return local - before
  }
}
