/// A batch of lines read ahead: the required fields of each, without building records.
///
/// Reading ahead stops at a line without the expected layout. The consumer continues with a single-line reader after
/// the lines it has taken.
///
/// - Memory: 64 rows, and 256 short strings.
@_spi(Engine) public final class LineRows {
  /// The fields of a row, in their order.
  package let fields: RowFields
  /// Number of cells from one row to the next.
  package let width: Int
  /// The rows and the current one.
  /// NB: A pointer, so that other modules can access it without exclusivity checks.
  package let progress: UnsafeMutablePointer<Progress>

  package struct Progress {
    /// The cells of the rows.
    package fileprivate(set) var cells: UnsafeMutablePointer<FieldCell>
    /// Number of rows.
    package fileprivate(set) var count = 0
    /// Index of the current row.
    package var current = 0
  }

  /// Recognizes the layouts of lines, and reads lines as records.
  private let format: any LineFormat
  /// The columns of a table, whose strings are not escaped; nil for lines of JSON.
  package let columns: Shape?
  /// The memory for rows that were not read ahead by another thread.
  private let own: RowBatch
  /// The lines of the rows, with their line breaks.
  @exclusivity(unchecked) private var lines: UnsafeMutablePointer<PaddedBytes>
  /// The layout of the current rows.
  @exclusivity(unchecked) private var layout: (any RowLayout)?
  @exclusivity(unchecked) private var texts = ShortTexts()
  /// Number of rows read, and number of reads without a row.
  @exclusivity(unchecked) private var rowCount = 0
  @exclusivity(unchecked) private var missCount = 0

  /// Maximum number of lines read at once. Reduced when rows are read without being used.
  @exclusivity(unchecked) private var ahead = 16

  static let capacity = 64
  /// Number of lines without a known layout before reading ahead stops.
  private static let patience = 64

  package init(_ fields: RowFields, _ format: any LineFormat) {
    self.fields = fields
    self.format = format
    columns = format.columns
    width = max(fields.fields.count, 1)
    own = RowBatch(capacity: Self.capacity, width: width)
    lines = own.lines
    progress = .allocate(capacity: 1)
    progress.initialize(to: Progress(cells: own.cells))
  }

  /// Number of rows.
  package private(set) var count: Int {
    get { progress.pointee.count }
    set { progress.pointee.count = newValue }
  }

  /// Index of the current row.
  package var current: Int {
    get { progress.pointee.current }
    set { progress.pointee.current = newValue }
  }

  // It is trivial: nothing to deinitialize.
  deinit { progress.deallocate() }

  /// The layouts known now, by which another thread may read lines. Valid while `planNumber` does not change.
  package var plan: RowPlan {
    RowPlan(
      number: format.layoutNumber, width: width, layouts: format.rowLayouts, longest: format.longest)
  }

  /// Generation counter. Changes with the known layouts.
  package var planNumber: Int { format.learntNumber }

  /// Replaces the rows by those of the complete lines at the start of a text, up to the first line without a known layout
  /// or without a required field.
  ///
  /// - Parameters:
  ///   - batch: Rows of these lines that were read ahead. Default none.
  ///   - limit: The maximum number of lines.
  /// - Returns: The number of rows. If it is 0, the line reader has to read the first line.
  package func read(_ text: PaddedBytes, from batch: RowBatch? = nil, atMost limit: Int) -> Int {
    if let batch, batch.number == format.layoutNumber, let run = batch.run(at: text.base) {
      use(batch, from: run.first, min(run.count, limit), run.layout)
    } else {
      ahead = current < count ? max(ahead / 4, 1) : min(ahead * 2, Self.capacity)
      let limit = min(limit, ahead)
      use(own, from: 0, 0, layout)
      if let layout { count = layout.read(text, into: own, longest: format.longest, from: 0, atMost: limit) }
      if count == 0 { readOtherwise(text, limit) }
    }
    rowCount &+= count
    return count
  }

  private func use(_ batch: RowBatch, from first: Int, _ count: Int, _ layout: (any RowLayout)?) {
    lines = batch.lines + first
    progress.pointee = Progress(cells: batch.cells + first * width, count: count)
    if layout !== self.layout { self.layout = layout }
  }

  /// Reads lines with another layout than the current rows.
  @inline(never)
  private func readOtherwise(_ text: PaddedBytes, _ limit: Int) {
    guard missCount <= Self.patience + rowCount + format.lineCount / 16 else { return }
    for other in format.rowLayouts where other !== layout {
      count = other.read(text, into: own, longest: format.longest, from: 0, atMost: limit)
      guard count > 0 else { continue }
      layout = other
      return
    }
    missCount &+= 1
  }

  /// Discards the rows after the first ones, whose lines are read again.
  package func keep(first number: Int) { count = min(count, number) }

  /// Discards all rows.
  package func forget() { progress.pointee = Progress(cells: own.cells) }

  /// Discards the rows and their layout.
  func forgetLayout() {
    use(own, from: 0, 0, nil)
  }

  // MARK: The current row

  /// The fields of the current row.
  @inline(__always)
  package var row: UnsafeMutablePointer<FieldCell> { progress.pointee.cells + current * width }

  /// Returns the line of a row with its line break.
  package func line(of row: Int) -> PaddedBytes {
    precondition(row >= 0 && row < count, "a row's index is less than the number of rows read")
    return lines[row]
  }

  /// The line of the current row without its line break.
  package var line: PaddedBytes { line(of: current).withoutBreak }

  /// Whether the record of the current row is written with the same bytes as its line.
  package var isCanonical: Bool { layout?.isCanonical(line) == true }

  /// Returns the record of the current row. Valid until the next line is read.
  package func record() -> UnsafePointer<Value> { format.record(of: line(of: current)) }

  /// The fields of the current row's record, without creating it; nil if that is not faster.
  package var outputRecord: OutputRecord? { format.outputRecord(of: line(of: current)) }

  /// Returns the value of a field of the current row.
  package func value(of cell: Int) -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      place.initialize(repeating: .null)
      if let place = place.baseAddress { put(cell, into: place) }
      return place.moveElement(from: 0)
    }
  }

  /// Puts the value of a field of the current row into a place.
  package func put(_ cell: Int, into target: UnsafeMutablePointer<Value>) {
    row[cell].put(into: target, line(of: current), &texts)
  }
}
