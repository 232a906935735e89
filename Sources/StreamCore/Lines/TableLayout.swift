/// How the lines of a table look: plain fields between commas, one of each column.
///
/// A field is plain that is a number or word as JSON writes it, or a text that JSON writes as it is; a text may be in
/// quotation marks.
package final class TableLayout: RowLayout {
  package struct Column: Sendable {
    /// What is done with its fields. A field of which that cannot be done leaves the line to somebody else.
    fileprivate enum Step: UInt8 {
      case passText, passInt, passDouble, passBool
      case readText, readInt, readDouble, readBool
    }

    fileprivate let step: Step
    /// The cell of a row that a field is read into.
    fileprivate let cell: Int

    /// - Parameters:
    ///   - kind: what its fields are: a text, an int, a double or a bool.
    ///   - cell: where they are read into; nil where nobody looks at them.
    package init?(_ kind: FieldCell.Kind, cell: Int?) {
      switch kind {
      case .text: step = cell == nil ? .passText : .readText
      case .int: step = cell == nil ? .passInt : .readInt
      case .double: step = cell == nil ? .passDouble : .readDouble
      case .bool: step = cell == nil ? .passBool : .readBool
      case .null, .missing: return nil
      }
      self.cell = cell ?? -1
    }
  }

  private let columns: [Column]
  /// The cells of rows for which there is no column.
  private let missingCells: [Int]

  /// - Parameters:
  ///   - columns: at least one.
  ///   - missing: the cells of rows for which there is no column.
  package init(_ columns: [Column], missing: [Int]) {
    self.columns = columns
    missingCells = missing
  }

  package func read(
    _ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int
  ) -> Int {
    columns.withUnsafeBufferPointer { columns in
      guard let base = columns.baseAddress else { return 0 }
      let last = base + (columns.count - 1)
      return batch.read(text, longest: longest, from: first, atMost: limit) { line, cells in
        // NB: an empty line is no row.
        guard !JSONLineScanner.isBreak(line.base), Self.readRow(line, base, last, into: cells) else { return false }
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
      guard let end = take(place, of: line.base, column.pointee, cells) else { return false }
      if column == last { return JSONLineScanner.isBreak(end) }
      guard end[0] == UInt8(ascii: ",") else { return false }
      place = end + 1
      column += 1
    }
  }

  /// Reads or passes a field; gives where it ends, or nil where it is not plain.
  @inline(__always)
  private static func take(
    _ place: JSONLineScanner.Place, of line: JSONLineScanner.Place, _ column: Column,
    _ cells: UnsafeMutablePointer<FieldCell>
  ) -> JSONLineScanner.Place? {
    let cell = cells + column.cell
    switch column.step {
    case .passText:
      return place[0] == UInt8(ascii: "\"") ? JSONLineScanner.passString(place + 1) : JSONLineScanner.passField(place)
    case .passInt:
      guard let number = JSONLineScanner.Number(place), number.isInt else { return nil }
      return number.end
    case .passDouble: return JSONLineScanner.Number(place)?.end
    case .passBool:
      var unseen = FieldCell(.null, 0)
      return readBool(place, into: &unseen)
    case .readText:
      if place[0] == UInt8(ascii: "\"") {
        guard let end = JSONLineScanner.passString(place + 1) else { return nil }
        cell.pointee = FieldCell(textAt: place + 1 - line, count: end - place - 2)
        return end
      }
      guard let end = JSONLineScanner.passField(place) else { return nil }
      cell.pointee = FieldCell(textAt: place - line, count: end - place)
      return end
    case .readInt:
      guard let end = JSONLineScanner.readNumber(place, place[0], into: cell), case .int = cell.pointee.kind else {
        return nil
      }
      return end
    case .readDouble:
      guard let end = JSONLineScanner.readNumber(place, place[0], into: cell) else { return nil }
      if case .int = cell.pointee.kind { cell.pointee = FieldCell(Double(cell.pointee.bits)) }
      return end
    case .readBool: return readBool(place, into: cell)
    }
  }

  @inline(never)
  private static func readBool(
    _ place: JSONLineScanner.Place, into cell: UnsafeMutablePointer<FieldCell>
  ) -> JSONLineScanner.Place? {
    guard let end = JSONLineScanner.readWord(place, cell), case .bool = cell.pointee.kind else { return nil }
    return end
  }

  /// Notes in a row which columns there are not.
  @inline(never)
  private func markMissing(in cells: UnsafeMutablePointer<FieldCell>) {
    for cell in missingCells { cells[cell] = FieldCell(.missing, 0) }
  }

  package func isCanonical(_ line: PaddedBytes) -> Bool {
    var place = line.base
    for (number, column) in columns.enumerated() {
      guard let end = Self.passCanonical(place, column.step) else { return false }
      if number == columns.count - 1 { return end == line.base + line.count }
      guard end[0] == UInt8(ascii: ",") else { return false }
      place = end + 1
    }
    return false
  }

  /// Passes a field that is written as it stands there; nil where that is not so.
  private static func passCanonical(_ place: JSONLineScanner.Place, _ step: Column.Step) -> JSONLineScanner.Place? {
    switch step {
    case .passText, .readText:
      guard place[0] == UInt8(ascii: "\"") else { return JSONLineScanner.passField(place) }
      guard let end = JSONLineScanner.passString(place + 1) else { return nil }
      // It is quoted for a comma alone, where it is plain.
      return UnsafeBufferPointer(start: place, count: end - place).contains(UInt8(ascii: ",")) ? end : nil
    case .passBool, .readBool:
      var unseen = FieldCell(.null, 0)
      return readBool(place, into: &unseen)
    case .passInt, .readInt:
      guard let number = JSONLineScanner.Number(place), number.isInt else { return nil }
      return number.end
    case .passDouble, .readDouble:
      guard let number = JSONLineScanner.Number(place), !number.isInt, number.isCanonical else { return nil }
      return number.end
    }
  }
}
