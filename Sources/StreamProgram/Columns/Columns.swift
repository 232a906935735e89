import StreamCore

/// Columns of numbers at work: a number for each run that is left.
///
/// NB: the memory has room for what `ColumnCode.room` says, and the numbers of columns and cells come from that code.
struct Columns {
  /// Carries out a step, which lives as long.
  typealias Loop = @Sendable (_ columns: inout Columns, _ step: UnsafePointer<ColumnCode.Step>) -> Void

  /// The most runs at a time: few enough that some columns fit into the nearest cache.
  static let limit = 512

  private let memory: UnsafeMutablePointer<Int64>
  let code: ColumnCode
  /// How many runs are left.
  var count = 0
  /// Whether a number has no answer to a step. Then none of the runs counts.
  var hasOverflowed = false

  /// - Parameter memory: uninitialized, for as many numbers as the code says.
  init(_ code: ColumnCode, _ memory: UnsafeMutablePointer<Int64>) {
    self.code = code
    self.memory = memory
  }

  /// The numbers of a column.
  @inline(__always)
  func column(_ number: Int) -> UnsafeMutablePointer<Int64> { memory + number &* Self.limit }

  /// The inputs as they came, for the time when they are gone through once more.
  private var inputs: UnsafeMutablePointer<Int64> { column(code.columnCount) }

  /// The places of runs that are left.
  var places: UnsafeMutablePointer<Int64> { column(code.columnCount + 1) }

  /// What the steps have made of the cells.
  var cells: UnsafeMutablePointer<Int64> { column(code.columnCount + 2) }

  /// For each column what no int in it is larger than, whatever its sign is.
  private var magnitudes: UnsafeMutablePointer<Int64> { cells + code.cells.count }

  // MARK: Running

  /// Takes what is the same for all runs from the slots, for up to so many of them.
  func fill(from slots: UnsafePointer<Int64>, _ count: Int) {
    for (slot, column) in code.scalars {
      let rows = code.filled.contains(column) ? min(count, Self.limit) : 1
      self.column(column).initialize(repeating: slots[slot], count: rows)
      setMagnitude(slots[slot].magnitude, of: column)
    }
  }

  /// Takes so many inputs, and the cells as they are before them.
  mutating func begin(_ count: Int, _ slots: UnsafePointer<Int64>) {
    self.count = count
    hasOverflowed = false
    if code.rest != nil { inputs.update(from: column(0), count: count) }
    for (place, cell) in code.cells.enumerated() { cells[place] = slots[cell.slot] }
  }

  /// Does the steps for all inputs that have been taken; false where one of them has no answer.
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

  /// Goes through the inputs once more, from the first to the one that is left at a place, as if there were no others.
  ///
  /// - Returns: how many these are.
  mutating func goBack(to place: Int, _ slots: UnsafePointer<Int64>) -> Int {
    for (place, cell) in code.cells.enumerated() { cells[place] = slots[cell.slot] }
    var (number, left) = (0, 0)
    while left <= place {
      column(0)[0] = inputs[number]
      count = 1
      _ = run()
      number += 1
      left += count
    }
    return number
  }

  /// An input.
  func input(_ number: Int) -> Int64 { inputs[number] }

  /// What the steps have made of a cell.
  func cell(_ place: Int) -> Int64 { cells[place] }

  /// What no int in a column is larger than, whatever its sign is.
  @inline(__always)
  func magnitude(_ column: Int) -> UInt64 { UInt64(bitPattern: magnitudes[column]) }

  @inline(__always)
  func setMagnitude(_ magnitude: UInt64, of column: Int) { magnitudes[column] = Int64(bitPattern: magnitude) }
}

extension ColumnCode {
  /// How many numbers the memory of its columns holds.
  var room: Int { (columnCount + 2) * Columns.limit + cells.count + columnCount }
}
