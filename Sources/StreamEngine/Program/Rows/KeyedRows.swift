import CEL
public import StreamCore

/// The layout of a program's rows.
struct KeyedRowLayout: Sendable {
  /// The first cell that every row has; the cells before it belong to the program.
  var firstCell: Int
  /// The cell with the row's key.
  var keyCell: Int
  /// The cell that counts the program's inputs.
  var counter: Int
  /// Maximum number of rows.
  var limit: Int
}

@_spi(Engine) extension ProgramBuilder {
  /// Enters the row of a key: the cells created after this step contain the values of that row. A new key gets a row
  /// with the initial values of these cells.
  ///
  /// - Parameters:
  ///   - key: The key. Equal numbers of different types are the same key.
  ///   - counter: The cell that counts the inputs; a new row stores its value.
  ///   - limit: Maximum number of rows. Another row fails as a function that refuses the key and the limit.
  ///   - label: The target of the jump if the row is closed.
  ///   - site: The number that the failure reports.
  /// - Returns: The cell with the key.
  public mutating func enterRow(
    of key: Operand, counting counter: Operand, limit: Int, orIfClosed label: ProgramLabel, site: Int
  ) -> Operand {
    precondition(rows == nil, "a program has one kind of rows")
    number(site)
    beginStep()
    let (record, count) = (use(key), use(counter))
    let isInt = record.part.scalar == .int
    let lowering = PlanLowering(writer: writer)
    let register = isInt ? lowering.slot(record.part) : lowering.value(record.part)
    writer.jump(isInt ? .enterIntRow : .enterRow, register, to: label.index, Int64(site))
    generic.append(Instruction(.enterRow, a: record.boxedRegister, c: label.index, Int64(site)))
    note(label)
    rows = KeyedRowLayout(
      firstCell: cells.count, keyCell: cells.count,
      counter: cells.firstIndex { $0.boxedRegister == count.boxedRegister } ?? 0, limit: limit)
    return isInt ? cell(.int(0), .int) : cell(for: .dyn)
  }
}

/// The registers of a cell of rows.
private struct RowCell {
  /// The type of the slot in the typed half; nil if the cell is always boxed.
  let scalar: Scalar?
  let slot: Int32
  let boxedRegister: Int32

  init(_ cell: Cell) {
    boxedRegister = Int32(cell.boxedRegister)
    guard case .scalar(let scalar, let slot) = cell.part.location else {
      (scalar, self.slot) = (nil, 0)
      return
    }
    (self.scalar, self.slot) = (scalar, Int32(slot))
  }
}

/// The rows of a frame. The frame's registers contain one row at a time; the others are in the table.
final class KeyedRows {
  let limit: Int
  /// The cells of a row except its key.
  fileprivate let cells: UnsafeMutableBufferPointer<RowCell>
  fileprivate let keyCell: RowCell
  fileprivate let counter: Cell
  @exclusivity(unchecked) fileprivate var table: RowTable
  /// The initial values of the cells.
  @exclusivity(unchecked) fileprivate var template: [Value] = []
  /// The row in the registers, or -1.
  @exclusivity(unchecked) fileprivate(set) var current = -1
  /// The last row entered, which may be closed; -1 if there is none.
  @exclusivity(unchecked) fileprivate var entered = -1
  /// The row that the next key probably has, or -1.
  @exclusivity(unchecked) fileprivate var expected = -1
  /// A sink for what `prefetch` reads, so that the reads are not optimized away.
  @exclusivity(unchecked) private var prefetchSink: UInt8 = 0
  /// The key of the row in the registers, if it is an int.
  @exclusivity(unchecked) fileprivate var key: Int64 = 0
  @exclusivity(unchecked) fileprivate var hasIntKey = false

  fileprivate init(_ layout: KeyedRowLayout, _ all: [Cell]) {
    let own = all[(layout.keyCell + 1)...]
    cells = .allocate(capacity: own.count)
    _ = cells.initialize(from: own.map(RowCell.init))
    keyCell = RowCell(all[layout.keyCell])
    counter = all[layout.counter]
    limit = layout.limit
    table = RowTable(width: 1 + own.count)
  }

  deinit {
    for row in 0..<table.count where row != current && !table.isClosed(row) {
      table.cells(of: row).deinitialize(count: cells.count)
    }
    cells.deallocate()
  }

  /// Moves the rows of another specialization of the program here. None of them may be in registers.
  fileprivate func take(from other: KeyedRows) {
    swap(&table, &other.table)
    template = other.template
  }
}

/// The result of looking up a row.
enum RowEntry {
  case open, closed
  /// A value of the row has a type that the typed half does not support.
  case mismatched
  /// The limit is reached.
  case refused
}

extension ProgramInstance {
  /// The rows, created on first use.
  private var madeKeyedRows: KeyedRows? {
    if let keyedRows { return keyedRows.takeUnretainedValue() }
    guard let layout = program.tables.rows else { return nil }
    needValues()
    let made = KeyedRows(layout, program.tables.cells)
    made.template = program.tables.cells[(layout.keyCell + 1)...].map(content)
    keyedRows = .passRetained(made)
    return made
  }

  /// Whether the registers contain the row of this key.
  @inline(__always)
  func isInRow(of key: Int64) -> Bool {
    keyedRows?._withUnsafeGuaranteedRef { $0.hasIntKey && $0.key == key } == true
  }

  /// Enters the row of an int.
  @inline(never)
  func enterRow(of key: Int64, site: Int64) -> RowEntry {
    guard let keyedRows else { return enterRow(of: .int(key), site: site) }
    return keyedRows._withUnsafeGuaranteedRef { rows in
      guard let row = rows.table.row(of: key, hash: RowTable.hash(key)), !isGeneric, !rows.table.isClosed(row) else {
        return enterRow(of: .int(key), site: site)
      }
      return enter(row, of: rows)
    }
  }

  /// Enters the row of any key.
  @inline(never)
  func enterRow(of key: Value, site: Int64) -> RowEntry {
    guard let rows = madeKeyedRows else { return .refused }
    if rows.expected >= 0 {
      let row = rows.expected
      rows.expected = -1
      if row != rows.current, rows.table.hasKey(row), rows.table.row(row).pointee.isSameKey(as: key) {
        return enter(row, of: rows)
      }
    }
    let hash = RowTable.hash(key)
    if let row = rows.table.row(of: key, hash: hash) { return row == rows.current ? .open : enter(row, of: rows) }
    guard rows.table.keyCount < rows.limit else {
      failure = ProgramFailure(.refused(key, .int(Int64(rows.limit))), site: Int(site))
      return .refused
    }
    var firstIndex: Int64 = 0
    if case .int(let count) = content(of: rows.counter) { firstIndex = count }
    return enter(add(key, hash, firstIndex, to: rows), of: rows)
  }

  private func add(_ key: Value, _ hash: UInt64, _ firstIndex: Int64, to rows: KeyedRows) -> Int {
    let row = rows.table.add(key, hash: hash, firstIndex: firstIndex)
    let cells = rows.table.cells(of: row)
    for place in rows.template.indices { (cells + place).initialize(to: rows.template[place]) }
    return row
  }

  /// Moves the row in the registers to the table, and loads another one.
  ///
  /// NB: Moves values in place, without reference counting, except keys.
  @inline(__always)
  private func enter(_ row: Int, of rows: KeyedRows) -> RowEntry {
    leaveRow(of: rows)
    rows.entered = row
    if rows.table.isClosed(row) { return .closed }
    let (key, source) = (rows.table.row(row), rows.table.cells(of: row))
    if isGeneric {
      for place in 0..<rows.cells.count {
        (values + Int(rows.cells[place].boxedRegister)).moveUpdate(from: source + place, count: 1)
      }
      (values + Int(rows.keyCell.boxedRegister)).update(from: key, count: 1)
    } else {
      // Slots first: the generic half does not read them after a mismatch.
      guard loadScalar(rows.keyCell, from: key) else { return .mismatched }
      for place in 0..<rows.cells.count where !loadScalar(rows.cells[place], from: source + place) {
        return .mismatched
      }
      for place in 0..<rows.cells.count where rows.cells[place].scalar == nil {
        (values + Int(rows.cells[place].boxedRegister)).moveUpdate(from: source + place, count: 1)
      }
      if rows.keyCell.scalar == nil { (values + Int(rows.keyCell.boxedRegister)).update(from: key, count: 1) }
    }
    rows.current = row
    if let number = UnsafePointer(key).int { (rows.key, rows.hasIntKey) = (number, true) }
    return .open
  }

  /// Loads the slot of a cell, if it has one. Returns false for a value of another type than the slot's.
  @inline(__always)
  private func loadScalar(_ cell: RowCell, from value: UnsafePointer<Value>) -> Bool {
    let bits: Int64? =
      switch cell.scalar {
      case nil: 0
      case .int: value.int
      case .uint: value.uint
      case .double: value.double
      case .bool: value.bool
      }
    guard let bits else { return loadVacant(cell, from: value) }
    if cell.scalar != nil { slots[Int(cell.slot)] = bits }
    return true
  }

  @inline(never)
  private func loadVacant(_ cell: RowCell, from value: UnsafePointer<Value>) -> Bool {
    guard let scalar = cell.scalar, value.pointee.isVacant else { return false }
    // The slot is not read before a value is stored.
    UnsafeMutablePointer(mutating: value).pointee = scalar.value(0)
    slots[Int(cell.slot)] = 0
    return true
  }

  /// Moves the row in the registers to the table.
  @inline(__always)
  private func leaveRow(of rows: KeyedRows) {
    guard rows.current >= 0 else { return }
    let target = rows.table.cells(of: rows.current)
    rows.current = -1
    rows.hasIntKey = false
    for place in 0..<rows.cells.count {
      let cell = rows.cells[place]
      if let scalar = cell.scalar, !isGeneric {
        (target + place).initialize(to: scalar.value(slots[Int(cell.slot)]))
      } else {
        let boxedRegister = values + Int(cell.boxedRegister)
        (target + place).moveInitialize(from: boxedRegister, count: 1)
        // The remaining value fits the typed half.
        boxedRegister.initialize(to: cell.scalar?.value(0) ?? .null)
      }
    }
  }
}

// MARK: - For hosts of programs with rows

@_spi(Engine) extension ProgramInstance {
  /// Number of rows, including closed ones and those without a key.
  public var rowCount: Int { keyedRows?._withUnsafeGuaranteedRef { $0.table.count } ?? 0 }

  /// The row of the last run, or -1.
  public var currentRow: Int { keyedRows?._withUnsafeGuaranteedRef { $0.current } ?? -1 }

  /// The last row entered since this was set to -1; -1 if all runs since then used the same row, or none.
  public var enteredRow: Int {
    get { keyedRows?._withUnsafeGuaranteedRef { $0.entered } ?? -1 }
    set { keyedRows?._withUnsafeGuaranteedRef { $0.entered = newValue } }
  }

  /// Sets a hint for the row of the next run's key (-1 for none), and resets `enteredRow` to -1.
  ///
  /// If the hint is right, the row is entered without a search for its key.
  @inline(__always)
  package func expectRow(_ row: Int) {
    keyedRows?._withUnsafeGuaranteedRef { rows in
      rows.entered = -1
      rows.expected = row
    }
  }

  /// Reads rows and the records in them. A number of -1 is skipped. The reads do not depend on each other, so that the
  /// processor waits for memory twice, not several times for each row.
  package func prefetchRows(_ numbers: [Int]) {
    keyedRows?._withUnsafeGuaranteedRef { $0.prefetch(numbers) }
  }

  /// The rows to reuse; the last one is next.
  public var freeRows: [Int] { keyedRows?._withUnsafeGuaranteedRef { $0.table.free } ?? [] }

  /// Whether a row has a key.
  public func hasKey(row: Int) -> Bool { keyedRows?._withUnsafeGuaranteedRef { $0.table.hasKey(row) } == true }

  /// Returns the key of a row that has one.
  public func key(ofRow row: Int) -> Value {
    keyedRows?._withUnsafeGuaranteedRef { $0.table.row(row).pointee } ?? .null
  }

  /// Returns the index of the first input of a row.
  public func firstIndex(ofRow row: Int) -> Int64 {
    keyedRows?._withUnsafeGuaranteedRef { $0.table.firstIndex(of: row) } ?? 0
  }

  /// Loads a row. Returns false if it is closed.
  public func enterRow(_ row: Int) -> Bool {
    guard let rows = keyedRows?.takeUnretainedValue() else { return false }
    if rows.current == row { return true }
    leaveRow(of: rows)
    if isGeneric { settle() }
    var entry = enter(row, of: rows)
    if entry == .mismatched {
      boxCells()
      isGeneric = true
      entry = enter(row, of: rows)
    }
    return entry == .open
  }

  /// Adds a row for a new key, and loads it.
  public func addRow(for key: Value, firstIndex: Int64) {
    guard let rows = madeKeyedRows else { return }
    _ = enterRow(add(key, RowTable.hash(key), firstIndex, to: rows))
  }

  /// Number of cells of a row, apart from its key.
  package var rowCellCount: Int { program.tables.rows.map { program.tables.cells.count - $0.keyCell - 1 } ?? 0 }

  /// Returns the row of a key; nil if there is none.
  package func row(of key: Value) -> Int? {
    keyedRows?._withUnsafeGuaranteedRef { $0.table.row(of: key, hash: RowTable.hash(key)) }
  }

  /// Returns the contents of a row's cells, apart from its key; nil if the row is closed.
  package func cells(ofRow row: Int) -> [Value]? {
    guard let rows = keyedRows?.takeUnretainedValue(), !rows.table.isClosed(row) else { return nil }
    if rows.current == row { leaveRow(of: rows) }
    return Array(UnsafeBufferPointer(start: rows.table.cells(of: row), count: rows.cells.count))
  }

  /// Adds a row for a new key without loading it.
  ///
  /// - Parameter cells: The contents of the cells, as `cells(ofRow:)` returns them; nil for a closed row.
  /// - Returns: The row; nil if the number of cells is another, or the limit is reached.
  package func addRow(for key: Value, firstIndex: Int64, cells: [Value]?) -> Int? {
    guard let rows = madeKeyedRows, cells?.count ?? rows.cells.count == rows.cells.count,
      rows.table.keyCount < rows.limit
    else { return nil }
    let row = rows.table.add(key, hash: RowTable.hash(key), firstIndex: firstIndex)
    if let cells {
      for (place, content) in cells.enumerated() { (rows.table.cells(of: row) + place).initialize(to: content) }
    } else {
      rows.table.close(row)
    }
    return row
  }

  /// Adds a row without a key.
  public func addRow() {
    guard let rows = madeKeyedRows else { return }
    _ = rows.table.addRow()
  }

  /// Removes the key of a row and the values of its cells. The row is reused after `recycle`.
  public func removeKey(ofRow row: Int) {
    guard let rows = keyedRows?.takeUnretainedValue(), rows.table.hasKey(row) else { return }
    if rows.current == row {
      rows.current = -1
      rows.hasIntKey = false
    } else if !rows.table.isClosed(row) {
      rows.table.cells(of: row).deinitialize(count: rows.cells.count)
    }
    rows.table.removeKey(of: row)
  }

  /// Lets a row without a key be reused.
  public func recycle(row: Int) { keyedRows?._withUnsafeGuaranteedRef { $0.table.recycle(row) } }

  /// Closes the row of the last run, which no longer has values.
  public func closeRow() {
    guard let rows = keyedRows?.takeUnretainedValue(), rows.current >= 0 else { return }
    rows.table.close(rows.current)
    rows.current = -1
    rows.hasIntKey = false
  }

  /// Removes all rows.
  public func removeRows() {
    guard let old = keyedRows else { return }
    keyedRows = nil
    old.takeUnretainedValue().restoreTemplate(in: self)
    old.release()
  }

  /// Moves the rows of a frame of another specialization of the program here.
  func takeRows(of other: ProgramInstance) {
    guard let old = other.keyedRows?.takeUnretainedValue(), let mine = madeKeyedRows else { return }
    other.leaveRow(of: old)
    mine.take(from: old)
  }
}

extension KeyedRows {
  fileprivate func prefetch(_ numbers: [Int]) {
    for row in numbers where table.hasKey(row) { prefetchSink ^= UnsafeRawPointer(table.row(row)).load(as: UInt8.self) }
    for row in numbers where row != current && table.hasKey(row) && !table.isClosed(row) {
      let content = table.cells(of: row)
      for place in 0..<cells.count {
        guard let record = UnsafePointer(content + place).record else { continue }
        prefetchSink ^= record._withUnsafeGuaranteedRef { UInt8(truncatingIfNeeded: $0.head.pointee.count) }
      }
    }
  }

  /// Stores the initial values in the registers of a frame.
  fileprivate func restoreTemplate(in frame: ProgramInstance) {
    let all = frame.program.tables.cells
    for (cell, value) in zip(all.suffix(cells.count), template) {
      frame.put(value, into: cell.part, cell.boxedRegister)
    }
  }
}
