import StreamCore

/// The columns of a batch, with a number for each remaining run.
///
/// NB: The memory has room for `ColumnCode.room` numbers, and the indices of columns and cells come from that code.
struct Columns {
  /// Runs a step; the pointer is valid during the call.
  typealias Loop = @Sendable (_ columns: inout Columns, _ step: UnsafePointer<ColumnCode.Step>) -> Void

  /// The maximum number of runs in a batch, small enough that some columns fit into the L1 cache.
  static let limit = 512

  private let memory: UnsafeMutablePointer<Int64>
  let code: ColumnCode
  /// Number of remaining runs.
  var count = 0
  /// Whether a step has overflowed, which invalidates all runs of the batch.
  var hasOverflowed = false

  /// - Parameter memory: Uninitialized memory for `code.room` numbers.
  init(_ code: ColumnCode, _ memory: UnsafeMutablePointer<Int64>) {
    self.code = code
    self.memory = memory
  }

  /// Returns the numbers of a column.
  @inline(__always)
  func column(_ number: Int) -> UnsafeMutablePointer<Int64> { memory + number &* Self.limit }

  /// A copy of the inputs, which `goBack` runs again.
  private var inputs: UnsafeMutablePointer<Int64> { column(code.columnCount) }

  /// The rows of remaining runs.
  var places: UnsafeMutablePointer<Int64> { column(code.columnCount + 1) }

  /// The contents of the cells after the steps so far.
  var cells: UnsafeMutablePointer<Int64> { column(code.columnCount + 2) }

  /// An upper bound of the absolute values of the ints in each column.
  private var magnitudes: UnsafeMutablePointer<Int64> { cells + code.cells.count }

  // MARK: Running

  /// Fills the constant columns from the slots, for up to `count` runs.
  func fill(from slots: UnsafePointer<Int64>, _ count: Int) {
    for (slot, column) in code.scalars {
      let rows = code.filled.contains(column) ? min(count, Self.limit) : 1
      self.column(column).initialize(repeating: slots[slot], count: rows)
      setMagnitude(slots[slot].magnitude, of: column)
    }
  }

  /// Begins a batch of the inputs in the first column, and reads the cells from the slots.
  mutating func begin(_ count: Int, _ slots: UnsafePointer<Int64>) {
    self.count = count
    hasOverflowed = false
    if code.rest != nil { inputs.update(from: column(0), count: count) }
    readCells(slots)
  }

  /// Runs the steps for the whole batch. Returns false if one of them overflows.
  mutating func run() -> Bool {
    code.steps.withUnsafeBufferPointer { steps in
      guard var step = steps.baseAddress else { return true }
      for _ in steps.indices {
        step.pointee.loop(&self, step)
        if hasOverflowed { return false }
        step += 1
      }
      return true
    }
  }

  /// Runs the steps again for the inputs up to the remaining run at `place`, as if there were no others.
  ///
  /// - Parameter isUndone: Whether that run is undone: the steps run for the inputs before it only.
  /// - Returns: Number of inputs, with that of the run.
  mutating func goBack(to place: Int, isUndone: Bool, _ slots: UnsafePointer<Int64>) -> Int {
    readCells(slots)
    var (number, left) = (0, 0)
    while left <= place {
      runAgain(number)
      number += 1
      left += count
    }
    if isUndone {
      readCells(slots)
      for number in 0..<number - 1 { runAgain(number) }
    }
    return number
  }

  private func readCells(_ slots: UnsafePointer<Int64>) {
    for (place, cell) in code.cells.enumerated() { cells[place] = slots[cell.slot] }
  }

  private mutating func runAgain(_ number: Int) {
    column(0)[0] = inputs[number]
    count = 1
    _ = run()
  }

  /// Returns an input.
  func input(_ number: Int) -> Int64 { inputs[number] }

  /// Returns the content of a cell after the steps.
  func cell(_ place: Int) -> Int64 { cells[place] }

  /// Returns an upper bound of the absolute values of the ints in a column.
  @inline(__always)
  func magnitude(_ column: Int) -> UInt64 { UInt64(bitPattern: magnitudes[column]) }

  @inline(__always)
  func setMagnitude(_ magnitude: UInt64, of column: Int) { magnitudes[column] = Int64(bitPattern: magnitude) }
}

extension ColumnCode {
  /// Capacity of the columns' memory, in numbers.
  var room: Int { (columnCount + 2) * Columns.limit + cells.count + columnCount }
}
