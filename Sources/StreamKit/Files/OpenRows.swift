internal import CEL
internal import StreamCore

/// The lines of an open file that are read into rows.
final class OpenRows {
  private let reader: any RowReader
  private let type: CELType
  /// The requested fields, and the rows that hold them.
  private var fields: [String]?
  private var rows: LineRows?
  /// Number of consumed rows.
  private var passed = 0
  /// Number of lines to read as values before trying rows again; nil if rows are useless.
  private(set) var missLimit: Int?

  private static let longestMiss = 512

  init(_ reader: any RowReader, _ type: CELType) {
    self.reader = reader
    self.type = type
  }

  /// The rows of these fields that come next.
  func next(of fields: [String]) -> LineRows? {
    if fields != self.fields { look(at: fields) }
    guard let rows else { return nil }
    rows.current = passed
    if passed < rows.count { return rows }
    passed = 0
    reader.readRows(rows)
    if rows.count > 0 {
      missLimit = 1
      return rows
    }
    // If lines cannot be read as rows, attempts become less frequent.
    missLimit = min(2 * (missLimit ?? 1), Self.longestMiss)
    return nil
  }

  private func look(at fields: [String]) {
    self.fields = fields
    rows = RowFields(fields, of: type).flatMap(reader.rows)
    (passed, missLimit) = (0, rows == nil ? nil : 1)
  }

  /// Consumes rows and updates the position. The rows stay valid until the next request.
  func pass(_ count: Int, _ place: inout FilePlace) {
    guard let rows else { return }
    passed += count
    reader.passRows(count, endingWith: rows.line(of: passed - 1), &place)
  }

  /// Returns the remaining rows to the reader, which reads them as values.
  func forget() {
    passed = 0
    rows?.forget()
  }
}
