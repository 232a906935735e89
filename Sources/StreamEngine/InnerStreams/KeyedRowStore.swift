internal import CEL
package import StreamCore

/// The state of one key of an operator with a row for each key.
package struct SavedRow: Sendable {
  /// The key in the form of the row's first value.
  package let key: Value
  /// The contents of the cells; nil if the stream of the key has ended.
  package let cells: [Value]?
  /// The deadline of its timer; nil if none is set.
  package let deadline: StreamTime?
  /// The deficits of the operators; see `SegmentColdState.deficits`. Empty if there are none.
  package let deficits: [Int64]

  package init(key: Value, cells: [Value]?, deadline: StreamTime?, deficits: [Int64]) {
    self.key = key
    self.cells = cells
    self.deadline = deadline
    self.deficits = deficits
  }
}

/// The rows of an operator, which a host can evict and restore between two events.
///
/// Rows are identified by number. The number of a removed row is used again.
package protocol KeyedRowStore: AnyObject {
  /// Whether rows can be evicted now. Values that wait for the scheduler cannot, and a group that ends when it is idle
  /// has another timer.
  var movesRows: Bool { get }

  /// Converts the stages of a snapshot to rows. Returns false if that is not possible.
  func loadSavedRows(_ execution: Execution) -> Bool

  /// Whether all keys are rows now, and nothing else is pending: no snapshot was taken since the last value, and no
  /// value waits for its delivery.
  var isComplete: Bool { get }

  /// Hands a value to the execution, as `Execution.hand` does.
  ///
  /// - Parameter row: The row that the value's key probably has, or -1.
  /// - Returns: Whether the value was handed over; otherwise it has to be sent.
  func hand(
    _ value: Value, expecting row: Int, to input: Int, at time: StreamTime, _ execution: Execution,
    _ event: inout ExecutionEvent?
  ) -> Bool

  /// Reads rows, so that they are in the cache of the processor when they are needed. A number of -1 is skipped.
  func prefetch(_ rows: [Int])

  /// The row of the value that was last handed over or sent; -1 if it did not reach the rows.
  var enteredRow: Int { get }

  /// The rows whose timers have fired, in order; a row may be there more than once. Nil, the initial value, records
  /// none.
  var firedRows: [Int]? { get set }

  /// Number of cells of a row.
  var cellCount: Int { get }

  func row(of key: Value) -> Int?
  func key(ofRow row: Int) -> Value
  func save(row: Int) -> SavedRow

  /// Adds a row for a key that has none.
  ///
  /// - Returns: The number of the row; nil if the state does not fit the operator, or the limit of keys is reached.
  func add(_ saved: SavedRow, _ execution: Execution) -> Int?
  func remove(row: Int, _ execution: Execution)
}

extension Execution {
  /// The rows of the last operator; nil if it does not keep its state in rows that can be evicted.
  package var keyedRows: (any KeyedRowStore)? {
    guard let store = root as? any KeyedRowStore, store.movesRows else { return nil }
    return store
  }

  /// Returns the state of a key of an execution that was restored from a snapshot; nil if the key does not become a row.
  package func savedRow(of key: Value) -> SavedRow? {
    guard let store = root as? any KeyedRowStore, store.loadSavedRows(self), let row = keyedRows?.row(of: key) else {
      return nil
    }
    return store.save(row: row)
  }
}

extension KeyedStage: KeyedRowStore {
  package var movesRows: Bool { isInProgram && hasSimpleClock }

  package func loadSavedRows(_ execution: Execution) -> Bool { mode != .saved || loadRows(execution) }

  package var isComplete: Bool { mode == .program && due.isEmpty }

  package func hand(
    _ value: Value, expecting row: Int, to input: Int, at time: StreamTime, _ execution: Execution,
    _ event: inout ExecutionEvent?
  ) -> Bool {
    running._withUnsafeGuaranteedRef { $0.expectRow(row) }
    return execution.hand(value, to: input, at: time, &event)
  }

  package func prefetch(_ rows: [Int]) { running._withUnsafeGuaranteedRef { $0.prefetchRows(rows) } }

  package var enteredRow: Int {
    running._withUnsafeGuaranteedRef { $0.enteredRow >= 0 ? $0.enteredRow : $0.currentRow }
  }

  package var cellCount: Int { run.rowCellCount }

  package func row(of key: Value) -> Int? { run.row(of: key) }

  package func key(ofRow row: Int) -> Value { run.key(ofRow: row) }

  package func save(row: Int) -> SavedRow {
    SavedRow(
      key: run.key(ofRow: row), cells: run.cells(ofRow: row), deadline: clocks.deadline(of: row),
      deficits: deficits(ofRow: row))
  }

  package func add(_ saved: SavedRow, _ execution: Execution) -> Int? {
    guard saved.deficits.isEmpty || saved.deficits.count == segment.operators.count, hasClock || saved.deadline == nil,
      run.row(of: saved.key) == nil, let row = run.addRow(for: saved.key, firstIndex: 0, cells: saved.cells)
    else { return nil }
    set(saved.deficits, ofRow: row)
    if let deadline = saved.deadline {
      clocks.start(RowClocks.Entry(deadline: deadline, ticket: execution.takeTickets(1), row: row), in: 0)
      setClockTimers(execution)
    }
    return row
  }

  package func remove(row: Int, _ execution: Execution) {
    guard run.hasKey(row: row) else { return }
    stopClock(of: row, execution)
    set([], ofRow: row)
    run.removeKey(ofRow: row)
    run.recycle(row: row)
  }
}
