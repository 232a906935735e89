/// A batch of lines read ahead: the required fields of each, without building records.
///
/// Reading ahead stops at a line without the expected layout. The consumer continues with a single-line reader after
/// the lines it has taken.
///
/// - Memory: 64 rows, and 256 short strings.
public final class LineRows {
  /// The fields of a row, in their order.
  package let fields: RowFields
  /// From one row to the next.
  package let width: Int
  /// How far the rows have come.
  /// NB: by pointer, which other modules look at without a check of exclusivity.
  package let progress: UnsafeMutablePointer<Progress>

  package struct Progress {
    /// The rows that have been read, one after the other.
    package fileprivate(set) var cells: UnsafeMutablePointer<FieldCell>
    /// How many rows there are.
    package fileprivate(set) var count = 0
    /// The row at work.
    package var current = 0
  }

  /// What knows how lines look, and reads those as a whole.
  private let format: any LineFormat
  /// The columns of a table, whose texts stand there as they are; nil of lines of JSON.
  package let columns: Shape?
  /// What rows are read into where nobody has read them before.
  private let own: RowBatch
  /// The lines of the rows, with their line breaks.
  @exclusivity(unchecked) private var lines: UnsafeMutablePointer<PaddedBytes>
  /// The layout of the rows that were read last.
  @exclusivity(unchecked) private var layout: (any RowLayout)?
  @exclusivity(unchecked) private var texts = ShortTexts()
  /// How many lines were read, and how often there was none.
  @exclusivity(unchecked) private var rowCount = 0
  @exclusivity(unchecked) private var missCount = 0

  /// How many lines are read at once, at most: fewer where they have been read in vain.
  @exclusivity(unchecked) private var ahead = 16

  private static let capacity = 64
  /// How often lines may be looked at in vain.
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

  /// How many rows there are.
  package private(set) var count: Int {
    get { progress.pointee.count }
    set { progress.pointee.count = newValue }
  }

  /// The row at work.
  package var current: Int {
    get { progress.pointee.current }
    set { progress.pointee.current = newValue }
  }

  // It is trivial: nothing to deinitialize.
  deinit { progress.deallocate() }

  /// What is known of lines now, by which somebody else may read them; it is of use for as long as `planNumber` stays.
  package var plan: RowPlan {
    RowPlan(
      number: format.layoutNumber, width: width, layouts: format.rowLayouts, longest: format.longest)
  }

  /// Changes with what is known of lines.
  package var planNumber: Int { format.learntNumber }

  /// Reads the whole lines that a text begins with, as far as they look like one before them and have all fields that
  /// rows have to have, into rows. Those from before are gone.
  ///
  /// - Parameters:
  ///   - batch: rows of these lines that somebody has read before. Default none.
  ///   - limit: how many lines at most.
  /// - Returns: how many; with 0 the first line has to be read by the line reader.
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

  /// Reads lines of another layout than those before.
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

  /// Forgets the rows behind the first ones: their lines are read again.
  package func keep(first number: Int) { count = min(count, number) }

  /// Forgets the rows.
  package func forget() { progress.pointee = Progress(cells: own.cells) }

  /// Forgets how lines look.
  func forgetLayout() {
    use(own, from: 0, 0, nil)
  }

  // MARK: The row at work

  /// The fields of the row at work.
  @inline(__always)
  package var row: UnsafeMutablePointer<FieldCell> { progress.pointee.cells + current * width }

  /// The line of a row with its line break.
  package func line(of row: Int) -> PaddedBytes {
    precondition(row >= 0 && row < count, "a row's index is less than the number of rows read")
    return lines[row]
  }

  /// The line of the row at work, without its line break.
  package var line: PaddedBytes { line(of: current).withoutBreak }

  /// Whether the line is what its value is written as, in the format that it has.
  package var isCanonical: Bool { layout?.isCanonical(line) == true }

  /// The record that the row is of, as far as its format reads lines.
  package func record() -> UnsafePointer<Value> { format.record(of: line(of: current)) }

  /// The same as a record that has not been made, where that is for less.
  package var outputRecord: OutputRecord? { format.outputRecord(of: line(of: current)) }

  /// The value of a field, which is there.
  package func value(of cell: Int) -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      place.initialize(repeating: .null)
      if let place = place.baseAddress { put(cell, into: place) }
      return place.moveElement(from: 0)
    }
  }

  /// Puts the value of a field, which is there, into a place.
  package func put(_ cell: Int, into target: UnsafeMutablePointer<Value>) {
    row[cell].put(into: target, line(of: current), &texts)
  }
}
