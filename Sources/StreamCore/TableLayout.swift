/// How the lines of a table look: plain fields between commas, one of each column.
///
/// A field is plain that is a number or word as JSON writes it, or a text of ASCII that JSON writes as it is.
package final class TableLayout: RowLayout {
  package struct Column: Sendable {
    /// What its fields are: whatever is another one leaves the line to somebody else.
    let kind: FieldCell.Kind
    /// The cell of a row that a field is read into; -1 where it is passed over.
    let cell: Int

    /// - Parameter cell: nil where a field is passed over, whatever it is.
    package init(_ kind: FieldCell.Kind, cell: Int?) {
      self.kind = cell == nil ? .text : kind
      self.cell = cell ?? -1
    }
  }

  private let columns: [Column]
  /// The cells of rows for which there is no column.
  private let missingCells: [Int]

  /// - Parameters:
  ///   - columns: at least one.
  ///   - width: how many cells a row has.
  package init(_ columns: [Column], width: Int) {
    self.columns = columns
    let read = Set(columns.map(\.cell))
    missingCells = (0..<width).filter { !read.contains($0) }
  }

  package func read(
    _ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int
  ) -> Int {
    columns.withUnsafeBufferPointer { columns in
      guard let base = columns.baseAddress else { return 0 }
      let last = base + (columns.count - 1)
      return batch.read(text, longest: longest, from: first, atMost: limit) { line, cells in
        // NB: an empty line is no row.
        guard !JSONRowScanner.isBreak(line.base), Self.readRow(line, base, last, into: cells) else { return false }
        if !missingCells.isEmpty { markMissing(in: cells) }
        return true
      }
    }
  }

  @inline(__always)
  private static func readRow(
    _ line: PaddedBytes, _ first: UnsafePointer<Column>, _ last: UnsafePointer<Column>,
    into cells: UnsafeMutablePointer<FieldCell>
  ) -> Bool {
    var place = line.base
    var column = first
    while true {
      let found =
        column.pointee.cell < 0
        ? JSONRowScanner.passField(place)
        : readField(place, of: line.base, column.pointee.kind, into: cells + column.pointee.cell)
      guard let end = found else { return false }
      if column == last { return JSONRowScanner.isBreak(end) }
      guard end[0] == UInt8(ascii: ",") else { return false }
      place = end + 1
      column += 1
    }
  }

  /// Reads a field; gives where it ends, or nil where it is not plain.
  @inline(__always)
  private static func readField(
    _ place: JSONRowScanner.Place, of line: JSONRowScanner.Place, _ kind: FieldCell.Kind,
    into cell: UnsafeMutablePointer<FieldCell>
  ) -> JSONRowScanner.Place? {
    switch kind {
    case .double:
      guard let end = JSONRowScanner.readNumber(place, place[0], into: cell) else { return nil }
      if case .int = cell.pointee.kind { cell.pointee = FieldCell(.double, Double(cell.pointee.bits).cellBits) }
      return end
    case .int:
      guard let end = JSONRowScanner.readNumber(place, place[0], into: cell), case .int = cell.pointee.kind else {
        return nil
      }
      return end
    case .bool:
      guard let end = JSONRowScanner.readWord(place, cell), case .bool = cell.pointee.kind else { return nil }
      return end
    case .null, .missing:
      cell.pointee = FieldCell(.null, 0)
      return place
    case .text:
      guard let end = JSONRowScanner.passField(place) else { return nil }
      cell.pointee = FieldCell(textAt: place - line, count: end - place)
      return end
    }
  }

  /// Notes in a row which columns there are not.
  @inline(never)
  private func markMissing(in cells: UnsafeMutablePointer<FieldCell>) {
    for cell in missingCells { cells[cell] = FieldCell(.missing, 0) }
  }

  /// JSON has no such lines.
  package func isCanonical(_ line: PaddedBytes) -> Bool { false }
}

extension Double {
  fileprivate var cellBits: Int64 { Int64(bitPattern: bitPattern) }
}
