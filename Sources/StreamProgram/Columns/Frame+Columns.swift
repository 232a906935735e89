internal import StreamCore
internal import Synchronization

// Runs batches of inputs through the program's column code.

extension Frame {
  /// Returns the column code for `count` inputs; nil if they are run one by one.
  func columnCode(for count: Int) -> ColumnCode? {
    isGeneric || count < ColumnCode.least ? nil : program.columnCode
  }

  /// Calls a function with columns in temporary memory, for batches of `count` inputs in total.
  func withColumns(_ code: ColumnCode, _ count: Int, _ body: (inout Columns) -> Void) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: code.room) { memory in
      guard let start = memory.baseAddress else { return }
      var columns = Columns(code, start)
      columns.fill(from: slots, count)
      body(&columns)
    }
  }

  /// Runs the program for the inputs in the first column.
  ///
  /// - Returns: Whether all runs dropped their inputs in the typed half, so that another batch can follow. Otherwise
  ///   single runs continue after the consumed inputs.
  func run(_ columns: inout Columns, _ count: Int, _ code: ColumnCode, _ progress: inout RunProgress) -> Bool {
    columns.begin(count, slots)
    guard columns.run() else { return false }
    if let rest = code.rest, columns.count > 0, !run(columns, from: rest, &progress) { return false }
    keepCells(columns)
    program.columnInputCount.add(count, ordering: .relaxed)
    progress.consumed += count
    return true
  }

  /// Runs the rest of the program for each remaining row of the columns.
  ///
  /// Meanwhile, the cells that the columns write do not hold the values of the current run: the rest does not use them
  /// (see `ColumnReader.conflict`), but the generic half does. So they are restored when a run leaves the typed half.
  private func run(_ columns: Columns, from rest: Int, _ progress: inout RunProgress) -> Bool {
    let coldState = ensureColdState()
    coldState.pointee.columns = columns
    for row in 0..<columns.count {
      for (slot, column) in columns.code.restSlots { slots[slot] = columns.column(column)[row] }
      coldState.pointee.columnRow = row
      let end = execute(code + rest)
      if end.code == ProgramOutcome.dropped.rawValue { continue }
      settleColumns()
      let inputs = coldState.pointee.columnInputs
      program.columnInputCount.add(inputs, ordering: .relaxed)
      progress.consumed += inputs
      if conclude(end, .null, &progress), progress.failure != nil {
        let bits = columns.input(inputs - 1)
        failedInput = program.entry == .double ? Scalar.double.value(bits) : .int(bits)
      }
      return false
    }
    coldState.pointee.columns = nil
    return true
  }

  /// Restores the cells that the columns write to their values after the current row, if there is one: the later rows
  /// have not been run.
  ///
  /// - Parameter isUndone: Whether the run for the row is undone, and begins again: restores the values before the row,
  ///   and the input.
  func settleColumns(isUndone: Bool = false) {
    guard let coldState, var columns = coldState.pointee.columns else { return }
    coldState.pointee.columns = nil
    let count = columns.goBack(to: coldState.pointee.columnRow, isUndone: isUndone, slots)
    coldState.pointee.columnInputs = count
    keepCells(columns)
    if isUndone { slots[0] = columns.input(count - 1) }
  }

  private func keepCells(_ columns: Columns) {
    for (place, cell) in columns.code.cells.enumerated() { slots[cell.slot] = columns.cell(place) }
  }
}

extension Columns {
  /// Fills the input column with an arithmetic sequence of integers.
  func fill(from first: Int64, by step: Int64, count: Int) {
    let inputs = column(0)
    for row in 0..<count { inputs[row] = first &+ Int64(row) &* step }
    setMagnitude(Self.sum(first.magnitude, Self.product(step.magnitude, UInt64(count))), of: 0)
  }

  /// Fills the input column with the leading values that are of the entry's type.
  ///
  /// - Returns: Number of these values.
  func fill(from values: UnsafePointer<Value>, count: Int, _ entry: Entry) -> Int {
    let (inputs, limit) = (column(0), min(count, Self.limit))
    var row = 0
    if entry == .int {
      var bits: Int64 = 0
      while row < limit, case .int(let number) = values[row] {
        inputs[row] = number
        bits |= number ^ number &>> 63
        row += 1
      }
      setMagnitude(UInt64(bitPattern: bits) + 1, of: 0)
    } else if entry == .double {
      setMagnitude(.max, of: 0)
      while row < limit, case .double(let number) = values[row] {
        inputs[row] = number.bits
        row += 1
      }
    }
    return row
  }
}
