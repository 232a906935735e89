internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// All keys as rows of one program, in one execution.
final class RowEngine: KeyEngineState, KeyEngine {
  @exclusivity(unchecked) private var session: StreamSession
  @exclusivity(unchecked) private var store: any KeyedRowStore
  /// The slot of each row, or -1.
  @exclusivity(unchecked) private var slots: [Int32] = []
  /// The slot whose value is being delivered, or -1.
  @exclusivity(unchecked) private var pending = -1
  @exclusivity(unchecked) private var isFinishing = false
  @exclusivity(unchecked) private var prefetchRows: [Int] = []
  let bytesOfKey: Int
  let stateKind = KeyState.row

  private init(_ base: KeyEngineState, _ stage: Int, _ session: StreamSession, _ store: any KeyedRowStore) {
    self.session = session
    self.store = store
    bytesOfKey = 160 + 16 * store.cellCount
    super.init(
      base.file, stage: stage, skipsErrors: base.skipsErrors, results: base.results, log: base.log,
      keys: base.keys)
    store.firedRows = []
  }

  /// Returns the engine; nil if the operators do not run as one program with rows that can be evicted.
  static func make(_ base: KeyEngineState, stage: Int) throws(StageError) -> RowEngine? {
    let session = try base.makeSession()
    return session.execution.keyedRows.map { RowEngine(base, stage, session, $0) }
  }

  // MARK: Events

  func begin(_ slot: Int, at time: StreamTime) {}

  @inline(__always)
  func send(_ value: Value, to slot: Int, at time: StreamTime) throws(StageError) -> Bool {
    pending = slot
    var event: ExecutionEvent?
    if store.hand(value, expecting: Int(keys[slot].row), to: input, at: time, session.execution, &event) {
      if let event { try handle(event, session) }
      if !session.execution.mayProceed {
        try note()
        return !results.isFull
      }
    } else {
      session.send(value, to: input, at: time)
    }
    return try resume()
  }

  func prefetch(_ records: ArraySlice<HeldRecords.Record>) {
    prefetchRows.removeAll(keepingCapacity: true)
    for record in records { prefetchRows.append(Int(keys[Int(record.slot)].row)) }
    store.prefetch(prefetchRows)
  }

  func resume() throws(StageError) -> Bool {
    guard try drain(session) else { return false }
    if isFinishing, try !runOut(session) { return false }
    if pending >= 0 { try note() }
    return true
  }

  /// Notes which row the key of the last value has.
  @inline(__always)
  private func note() throws(StageError) {
    let slot = pending
    pending = -1
    let row = store.enteredRow
    if row >= 0, keys[slot].row == row { return }
    try noteNew(row, of: slot)
  }

  private func noteNew(_ row: Int, of slot: Int) throws(StageError) {
    // A value that is skipped, since its key cannot be evaluated, enters no row.
    guard row >= 0 else { return }
    let key: [UInt8]
    do throws(Diagnostic) {
      key = try KeyText.bytes(of: store.key(ofRow: row))
    } catch {
      throw .refused(error.message)
    }
    guard key == keys.key(of: slot) else {
      throw .refused(
        "an item of the key \(keys.excerpt(of: slot)) has the key "
          + String(decoding: key, as: UTF8.self))
    }
    assign(row, to: slot)
  }

  private func assign(_ row: Int, to slot: Int) {
    while slots.count <= row { slots.append(-1) }
    keys[slot].row = Int32(row)
    slots[row] = Int32(slot)
  }

  func advance(before time: StreamTime) throws(StageError) -> Bool {
    session.advance(to: StreamTime(nanoseconds: time.nanoseconds - 1))
    guard try drain(session) else { return false }
    guard store.isComplete else {
      throw .failed("more values wait at one instant than the operators of a key can hold")
    }
    return true
  }

  func finish(at time: StreamTime) throws(StageError) -> Bool {
    if !isFinishing {
      isFinishing = true
      session.complete(input, .finished, at: time)
    }
    guard try drain(session), try runOut(session) else { return false }
    isFinishing = false
    tell(session.drops)
    endTime = max(time, session.time)
    session = try makeSession()
    guard let store = session.execution.keyedRows else { throw .failed("the stream no longer runs as rows") }
    self.store = store
    store.firedRows = []
    slots = []
    return true
  }

  func takeFired() -> [Int] {
    guard let fired = store.firedRows, !fired.isEmpty else { return [] }
    store.firedRows = []
    return fired.compactMap { $0 < slots.count && slots[$0] >= 0 ? Int(slots[$0]) : nil }
  }

  // MARK: State

  func has(_ slot: Int) -> Bool { keys.hasKey(slot) && keys[slot].row >= 0 }

  func save(_ slot: Int, to bytes: inout [UInt8]) throws(StageError) -> StreamTime? {
    let saved = store.save(row: Int(keys[slot].row))
    let keepsForm = KeyText.keepsForm(of: saved.key)
    bytes.append((saved.cells == nil ? Self.isClosed : 0) | (keepsForm ? 0 : Self.hasKey))
    bytes.append(number: saved.deadline?.nanoseconds ?? Int64.max)
    bytes.append(varint: UInt64(saved.deficits.count))
    for deficit in saved.deficits { bytes.append(number: deficit) }
    let cells = saved.cells ?? []
    bytes.append(varint: UInt64(cells.count))
    do throws(Diagnostic) {
      for cell in cells { try BinaryValue.append(cell, to: &bytes) }
      if !keepsForm { try BinaryValue.append(saved.key, to: &bytes) }
    } catch {
      throw .failed("the state of the key \(keys.excerpt(of: slot)): \(error.message)")
    }
    return saved.deadline
  }

  func load(_ bytes: inout ByteReader, into slot: Int) throws {
    let flags = try bytes.byte()
    let deadline: Int64 = try bytes.number()
    var deficits: [Int64] = []
    for _ in 0..<min(try bytes.varint(), 1_000) { deficits.append(try bytes.number()) }
    var cells: [Value] = []
    for _ in 0..<min(try bytes.varint(), 100_000) { cells.append(try BinaryValue.read(&bytes)) }
    let key = try flags & Self.hasKey == 0 ? KeyText.value(of: keys.key(of: slot)) : BinaryValue.read(&bytes)
    guard let key, try KeyText.bytes(of: key) == keys.key(of: slot) else { throw BinaryValue.Malformed() }
    let saved = SavedRow(
      key: key, cells: flags & Self.isClosed == 0 ? cells : nil,
      deadline: deadline == .max || deadline < 0 ? nil : StreamTime(nanoseconds: deadline), deficits: deficits)
    guard let row = store.add(saved, session.execution) else { throw BinaryValue.Malformed() }
    assign(row, to: slot)
  }

  /// Flags of a saved row: its stream has ended; its key follows, since the text has another form of it.
  private static let isClosed: UInt8 = 1
  private static let hasKey: UInt8 = 2

  func load(_ snapshot: Snapshot, into slot: Int) throws {
    let alone = try restored(snapshot).execution
    guard let key = KeyText.value(of: keys.key(of: slot)), let saved = alone.savedRow(of: key),
      let row = store.add(saved, session.execution)
    else { throw BinaryValue.Malformed() }
    assign(row, to: slot)
  }

  func remove(_ slot: Int) {
    guard has(slot) else { return }
    let row = Int(keys[slot].row)
    store.remove(row: row, session.execution)
    keys[slot].row = -1
    slots[row] = -1
  }

  func snapshot(of slot: Int) throws -> Snapshot {
    let alone = try makeSession().execution
    guard let other = alone.keyedRows, other.add(store.save(row: Int(keys[slot].row)), alone) != nil else {
      throw BinaryValue.Malformed()
    }
    return try alone.snapshot()
  }
}
