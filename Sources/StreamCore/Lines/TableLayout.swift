/// The layout of a table's lines: plain fields between separators, one for each column.
///
/// A plain field is a number or word in JSON's form, or a string that needs no escapes in JSON, also in quotation marks.
package final class TableLayout: RowLayout {
  package struct Column: Sendable {
    /// The type of its fields. The general reader reads lines with a field of another form.
    fileprivate let kind: FieldCell.Kind
    /// The cell of a row for the field; -1 if it is not kept.
    fileprivate let cell: Int

    /// - Parameters:
    ///   - kind: The type of its fields: a string, an int, a double or a bool.
    ///   - cell: The cell of a row for the field; nil if it is not read.
    package init?(_ kind: FieldCell.Kind, cell: Int?) {
      if kind == .null || kind == .missing { return nil }
      self.kind = kind
      self.cell = cell ?? -1
    }
  }

  private let columns: [Column]
  /// The cells of rows for fields without a column.
  private let missingCells: [Int]
  /// The byte between two fields.
  private let separator: UInt8

  /// - Parameters:
  ///   - columns: At least one column.
  ///   - missing: The cells of rows for fields without a column.
  ///   - separator: The byte between two fields. Default a comma.
  package init(_ columns: [Column], missing: [Int], separator: UInt8 = UInt8(ascii: ",")) {
    self.columns = columns
    self.separator = separator
    missingCells = missing
  }

  package func read(
    _ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int
  ) -> Int {
    columns.withUnsafeBufferPointer { columns in
      guard let base = columns.baseAddress else { return 0 }
      let last = base + (columns.count - 1)
      return batch.read(text, longest: longest, from: first, atMost: limit) { line, cells in
        // NB: An empty line is not a row.
        guard !JSONLineScanner.isBreak(line.base), Self.readRow(line, base, last, separator, into: cells) else {
          return nil
        }
        if !missingCells.isEmpty { markMissing(in: cells) }
        return line
      }
    }
  }

  @inline(__always)
  private static func readRow(
    _ line: PaddedBytes, _ first: UnsafePointer<Column>, _ last: UnsafePointer<Column>, _ separator: UInt8,
    into cells: UnsafeMutablePointer<FieldCell>
  ) -> Bool {
    // NB: A field that is not kept is read all the same, so that every field of a row can be read later.
    var unkept = FieldCell(.null, 0)
    return withUnsafeMutablePointer(to: &unkept) { unkept in
      var place = line.base
      var column = first
      while true {
        let cell = column.pointee.cell < 0 ? unkept : cells + column.pointee.cell
        guard let end = read(place, of: line.base, column.pointee.kind, separator, into: cell) else { return false }
        if column == last { return JSONLineScanner.isBreak(end) }
        guard end[0] == separator else { return false }
        place = end + 1
        column += 1
      }
    }
  }

  /// Reads a field. Returns the place after it, or nil if it is not plain.
  @inline(__always)
  private static func read(
    _ place: JSONLineScanner.Place, of line: JSONLineScanner.Place, _ kind: FieldCell.Kind, _ separator: UInt8,
    into cell: UnsafeMutablePointer<FieldCell>
  ) -> JSONLineScanner.Place? {
    switch kind {
    case .text:
      if place[0] == UInt8(ascii: "\"") {
        guard let end = JSONLineScanner.passString(place + 1) else { return nil }
        cell.pointee = FieldCell(textAt: place + 1 - line, count: end - place - 2)
        return end
      }
      guard let end = JSONLineScanner.passField(place, separator) else { return nil }
      cell.pointee = FieldCell(textAt: place - line, count: end - place)
      return end
    case .int:
      guard let end = JSONLineScanner.readNumber(place, place[0], into: cell), case .int = cell.pointee.kind else {
        return nil
      }
      return end
    case .double:
      guard let end = JSONLineScanner.readNumber(place, place[0], into: cell) else { return nil }
      if case .int = cell.pointee.kind {
        let magnitude = Double(cell.pointee.bits)
        cell.pointee = FieldCell(magnitude == 0 && place[0] == UInt8(ascii: "-") ? -magnitude : magnitude)
      }
      return end
    case .bool: return readBool(place, into: cell)
    case .null, .missing: return nil
    }
  }

  @inline(never)
  private static func readBool(
    _ place: JSONLineScanner.Place, into cell: UnsafeMutablePointer<FieldCell>
  ) -> JSONLineScanner.Place? {
    guard let end = JSONLineScanner.readWord(place, cell), case .bool = cell.pointee.kind else { return nil }
    return end
  }

  /// Marks the fields without a column as missing in a row.
  @inline(never)
  private func markMissing(in cells: UnsafeMutablePointer<FieldCell>) {
    for cell in missingCells { cells[cell] = FieldCell(.missing, 0) }
  }

  package func isCanonical(_ line: PaddedBytes) -> Bool {
    guard separator == UInt8(ascii: ",") else { return false }
    var place = line.base
    for (number, column) in columns.enumerated() {
      guard let end = Self.passCanonical(place, column.kind) else { return false }
      if number == columns.count - 1 { return end == line.base + line.count }
      guard end[0] == UInt8(ascii: ",") else { return false }
      place = end + 1
    }
    return false
  }

  /// Passes a field that `CSVWriter` writes with the same bytes; nil for another field.
  private static func passCanonical(_ place: JSONLineScanner.Place, _ kind: FieldCell.Kind) -> JSONLineScanner.Place? {
    switch kind {
    case .text:
      guard place[0] == UInt8(ascii: "\"") else { return JSONLineScanner.passField(place, UInt8(ascii: ",")) }
      guard let end = JSONLineScanner.passString(place + 1) else { return nil }
      // Only a comma requires quotation marks around plain text.
      return UnsafeBufferPointer(start: place, count: end - place).contains(UInt8(ascii: ",")) ? end : nil
    case .bool:
      var unseen = FieldCell(.null, 0)
      return readBool(place, into: &unseen)
    case .int:
      guard let number = JSONLineScanner.Number(place), number.isInt, number.isCanonical else { return nil }
      return number.end
    case .double:
      guard let number = JSONLineScanner.Number(place), !number.isInt, number.isCanonical else { return nil }
      return number.end
    case .null, .missing: return nil
    }
  }
}
