@_spi(Engine) internal import StreamCore
internal import StreamKit

/// The event times of rows, which are read before the stream takes the rows.
struct RowTimes {
  /// The number of rows that the stream has taken.
  fileprivate(set) var count = 0
  /// The times of the rows read last, all of them valid.
  fileprivate var times: [Timestamp] = []
  /// The maximum number of rows to read next: fewer if not all of the rows were taken.
  fileprivate(set) var limit = 64
  /// The fields that the stream reads, and with them the clock's.
  fileprivate var streamFields: [String] = []
  fileprivate var fields: [String] = []
  /// The number of the clock's field in a row.
  fileprivate var cell = 0

  fileprivate static let longest = 512
}

extension RecordQueue {
  /// Returns the fields to read of rows for a stream that reads `fields`, in their order; nil if the time of a record
  /// does not depend on one field alone.
  func rowFields(with fields: [String]) -> [String]? {
    guard let field = order.clock?.reader.field else { return nil }
    if rowTimes.fields.isEmpty || rowTimes.streamFields != fields {
      rowTimes.streamFields = fields
      rowTimes.fields = fields.contains(field) ? fields : fields + [field]
      rowTimes.cell = rowTimes.fields.firstIndex(of: field) ?? 0
    }
    return rowTimes.fields
  }

  /// Reads the times of rows, and drops the rows from the first on whose time is invalid.
  func readTimes(of rows: LineRows) {
    rowTimes.times.removeAll(keepingCapacity: true)
    for row in 0..<rows.count {
      rows.current = row
      guard let time = order.clock?.reader.time(of: rows, cell: rowTimes.cell), order.isInRange(time) else { break }
      rowTimes.times.append(time)
    }
    rows.current = 0
    rows.keep(first: rowTimes.times.count)
  }

  /// Notes the times of the rows that the stream has taken.
  ///
  /// - Parameter count: The number of rows before those with invalid times were dropped.
  func noteTimes(ofFirst taken: Int, of count: Int) {
    for time in rowTimes.times.prefix(taken) { order.note(time) }
    rowTimes.count += taken
    rowTimes.limit = taken < count ? max(rowTimes.limit / 4, 1) : min(rowTimes.limit * 2, RowTimes.longest)
  }
}
