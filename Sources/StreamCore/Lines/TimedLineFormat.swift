/// Lines of JSON that have a time and a name beside their value, of which the value is read.
///
/// A row contains the value of its line, and the brace after it instead of the line break.
package final class TimedLineFormat: LineFormat {
  package let opening: TimedLineOpening
  /// Reads the values.
  private let reader = JSONLineReader()
  /// The layouts of the lines, and the reader's layouts that they are made of.
  @exclusivity(unchecked) private var layouts: [TimedLineLayout] = []
  @exclusivity(unchecked) private var learntNumberOfLayouts = -1

  /// - Parameter name: The value of the member `input`.
  package init(input name: String) { opening = TimedLineOpening(input: name) }

  /// The value of the line read last.
  package var value: Value { reader.value.pointee }

  /// Reads the value of a line; false if the line does not have this form, or its value is not valid.
  package func read(_ value: PaddedBytes) -> Bool { (try? reader.read(partOfLine: value)) != nil }

  /// Returns the rows with these fields.
  package func readRows(_ fields: RowFields) -> LineRows { reader.readRows(fields, of: self) }

  package var rowLayouts: [any RowLayout] {
    if learntNumberOfLayouts != reader.learntNumber {
      learntNumberOfLayouts = reader.learntNumber
      // A known layout stays the same object.
      layouts = reader.layoutsOfRows.map { inner in
        layouts.first { $0.inner === inner } ?? TimedLineLayout(inner, opening)
      }
    }
    return layouts
  }

  package var layoutNumber: Int { reader.layoutNumber }
  package var learntNumber: Int { reader.learntNumber }
  package var longest: Int { reader.longest }
  package var lineCount: Int { reader.lineCount }
  package var columns: Shape? { nil }

  package func record(of line: PaddedBytes) -> UnsafePointer<Value> {
    // NB: Never throws, because the value was read into a row.
    try? reader.read(partOfLine: line.withoutBreak)
    return reader.value
  }
}

/// The layout of such lines.
private final class TimedLineLayout: RowLayout {
  /// The layout of the value.
  let inner: JSONLineLayout
  private let opening: TimedLineOpening

  init(_ inner: JSONLineLayout, _ opening: TimedLineOpening) {
    (self.inner, self.opening) = (inner, opening)
  }

  func read(_ text: PaddedBytes, into batch: RowBatch, longest: Int, from first: Int, atMost limit: Int) -> Int {
    opening.beginRows()
    return batch.read(text, longest: longest, from: first, atMost: limit) { line, cells in
      guard let start = opening.pass(line), let end = inner.readRow(at: start, into: cells),
        end[0] == UInt8(ascii: "}"), end[1] == UInt8(ascii: "\n"), opening.noteRow()
      else { return nil }
      return PaddedBytes(unsafe: start, count: end + 1 - start)
    }
  }

  func isCanonical(_ line: PaddedBytes) -> Bool { inner.isCanonical(line) }
}
