/// The rows in a buffer whose columns may still grow, since neither they nor their header have been written.
package struct ColumnGrowth: Codable, Equatable, Sendable {
  /// The number of rows whose members become columns.
  static let limit = 100

  /// The names of the columns so far.
  var columns: [String] = []
  /// The place of the header in the buffer, in bytes.
  let headerStart: Int
  let headerEnd: Int
  /// The ends of the rows, and the number of columns that each has.
  private var rows: [Row] = []
  /// The number of rows, also of those after the last that can add columns.
  private var count = 0

  private struct Row: Codable, Equatable {
    let end: Int
    let columnCount: Int
  }

  init(headerStart: Int, headerEnd: Int) { (self.headerStart, self.headerEnd) = (headerStart, headerEnd) }

  /// Whether a row may add columns.
  var mayGrow: Bool { count < Self.limit }

  mutating func note(columnCount: Int, end: Int) {
    count += 1
    // NB: later rows have all columns.
    if count <= Self.limit { rows.append(Row(end: end, columnCount: columnCount)) }
  }

  mutating func takeBack() {
    if count <= Self.limit, !rows.isEmpty { rows.removeLast() }
    count = max(count - 1, 0)
  }

  /// Whether the first rows lack columns.
  func hasGrown(to columnCount: Int) -> Bool { rows.first.map { $0.columnCount < columnCount } ?? false }

  /// Adds the missing fields to the rows, and replaces the header.
  func complete(_ bytes: inout [UInt8], header: [UInt8], columnCount: Int, _ separator: UInt8) {
    var text = Array(bytes[..<headerStart])
    text.append(contentsOf: header)
    var start = headerEnd
    for row in rows {
      // Each row ends with CR LF.
      text.append(contentsOf: bytes[start..<row.end - 2])
      text.append(contentsOf: repeatElement(separator, count: columnCount - row.columnCount))
      text.append(contentsOf: bytes[row.end - 2..<row.end])
      start = row.end
    }
    text.append(contentsOf: bytes[start...])
    bytes = text
  }
}
