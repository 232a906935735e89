internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamDriving
internal import StreamEngine
internal import StreamKit

/// The keys that one machine holds: runs the stream of each key in event time, and gives their states away.
///
/// Records are held until event time passes them, and then delivered in the order of their times, ties in the order of
/// their sources and of arrival: so the outcome does not depend on how records of different keys, or of different sources, arrive. A partition
/// without `time` has no event time: its records are delivered with the next request, in the order of arrival.
package final class PartitionStage {
  private let file: PartitionFile
  private let former: [PartitionFile]
  private let number: Int
  private let engine: any KeyEngine
  private let reader: RecordReader
  private let results: ResultBuffer
  private let log: (String) -> Void
  private let skipsErrors: Bool
  /// Whether the results are for the stage of `then`. Then each is a list of its key and itself, and empty lists among
  /// them report the times at which the first record was delivered, and at which the streams of keys have ended: the
  /// stream of `then` starts and ends at these times, as on one machine, whatever the keys publish.
  private let feedsThen: Bool
  /// Whether the time of the first record was reported.
  @exclusivity(unchecked) private var hasToldStart = false
  /// Reads the results of keys; nil in the stage of the keys.
  @exclusivity(unchecked) private var keyedResults: RecordedValues?
  /// Number of records that could not be read.
  @exclusivity(unchecked) private var unreadableCount = 0
  /// Number of skipped values that were reported.
  @exclusivity(unchecked) private var toldSkippedCount = 0
  /// Whether records have times. Otherwise none is held longer than a request.
  private let hasTime: Bool
  private let keys: KeyTable
  @exclusivity(unchecked) private var held = HeldRecords()
  @exclusivity(unchecked) private var work: StageWork?
  @exclusivity(unchecked) private var snapshots = SnapshotWork()
  /// Event time: no record is expected before it.
  @exclusivity(unchecked) package private(set) var time = Watermark.none
  /// The newest time of a record.
  @exclusivity(unchecked) private var newest = Watermark.none
  /// Whether the swap report of the first migrated snapshot was logged.
  @exclusivity(unchecked) private var hasTold = false
  @exclusivity(unchecked) private var snapshotBytes = 0

  private struct SnapshotWork {
    var changed: [Int] = []
    /// The held records of each of these keys, by slot.
    var held: [Int: [Int]]?
    var next = 0
  }

  /// - Parameters:
  ///   - stage: 0 for the operators of each key, 1 for those that see the results of all keys.
  ///   - former: Versions of the file whose snapshots are loaded too.
  ///   - log: Takes messages for people.
  package init(
    _ file: PartitionFile, stage: Int, former: [PartitionFile] = [], skipsErrors: Bool = false, usesRows: Bool = true,
    log: @escaping (String) -> Void
  ) throws(StageError) {
    self.file = file
    self.former = former
    self.log = log
    self.skipsErrors = skipsErrors
    number = stage
    hasTime = file.clock != nil
    feedsThen = stage == 0 && file.stages.count > 1
    if stage > 0 { keyedResults = RecordedValues() }
    let (keys, results) = (KeyTable(), ResultBuffer(keepsTypes: feedsThen))
    (self.keys, self.results) = (keys, results)
    reader = RecordReader(stage == 0 ? file.inputType : .dyn)
    let executions = ExecutionEngine(
      file, stage: stage, skipsErrors: skipsErrors, results: results, log: log, keys: keys)
    engine = usesRows && stage == 0 ? try RowEngine.make(executions, stage: stage) ?? executions : executions
  }

  /// Whether keys are rows of one table. Otherwise each has an execution of its own.
  package var usesRows: Bool { engine.stateKind == KeyState.row }

  package var keyCount: Int { keys.count }

  /// Number of bytes that the keys and records take, estimated.
  package var memory: Int { keyCount * engine.bytesOfKey + 2 * snapshotBytes + held.size + results.bytes.capacity }

  /// The slots of all keys, in no order.
  var heldSlots: [Int] { keys.slots }

  /// All keys, in no order.
  var heldKeys: [[UInt8]] { keys.slots.map(keys.key) }

  // MARK: Records

  /// Returns the slot of a key; nil if the stage does not hold it.
  package func slot(of key: UnsafeRawBufferPointer) -> Int? { keys.slot(of: key) }

  /// Number of keys that are read from memory at once.
  package static let prefetchCount = 16

  /// Whether the entries of all keys hardly fit into the caches of a processor.
  package var isLarge: Bool { keys.count > 10_000 }

  /// Prepares for the search of some keys.
  package func prefetch(_ texts: [UnsafeRawBufferPointer]) { keys.prefetch(texts) }

  /// Adds a key that the stage does not hold.
  package func add(_ key: UnsafeRawBufferPointer) -> Int { keys.add(key) }

  /// Holds a record until event time passes it.
  ///
  /// - Parameter source: The place of its source among all: at one instant, records of earlier sources come first.
  package func hold(_ record: UnsafeRawBufferPointer, of slot: Int, at time: Int64, from source: UInt32 = 0) {
    let time = max(time, 0)
    held.add(record, of: slot, at: time, from: source)
    keys[slot].heldCount += 1
    newest = max(newest, time)
    change(slot)
  }

  @inline(__always)
  private func change(_ slot: Int) {
    if keys[slot].isChanged { return }
    keys[slot].isChanged = true
    snapshots.changed.append(slot)
  }

  /// Whether results or snapshots that were asked for have not been taken.
  package var isBusy: Bool { work != nil }

  /// Advances event time to an instant: no later record is expected before it. Without event time, delivers all
  /// records.
  package func advance(to time: Int64) {
    guard hasTime else {
      if !held.isEmpty { work = StageWork(records: held.take(before: .max), end: 1, finish: nil) }
      return
    }
    guard time > self.time else { return }
    self.time = time
    work = StageWork(records: held.take(before: time), end: time, finish: nil)
  }

  /// Ends the input of all keys.
  ///
  /// - Parameter newest: The time of the newest record of all machines.
  package func finish(at newest: Int64) {
    let end = max(newest, self.newest, 0)
    work = StageWork(records: held.take(before: .max), end: end, finish: end)
  }

  /// Works on, and appends results to `output` as the items of a frame.
  ///
  /// - Returns: The number of results, and whether there are more.
  package func takeResults(_ output: inout [UInt8]) throws(StageError) -> (count: Int, hasMore: Bool) {
    while work != nil, !results.isFull, try step() {}
    output.append(contentsOf: results.bytes)
    defer { results.removeAll() }
    return (results.count, work != nil)
  }

  /// Delivers the records that are due. Returns false if the buffer is full, or all is done.
  private func step() throws(StageError) -> Bool {
    guard var work else { return false }
    self.work = nil
    defer { self.work = work.isOver ? nil : work }
    if work.isInterrupted {
      guard try engine.resume() else { return false }
      work.isInterrupted = false
    }
    while work.next < work.records.records.count {
      if isLarge, work.next % Self.prefetchCount == 0 {
        engine.prefetch(work.records.records[work.next...].prefix(Self.prefetchCount))
      }
      let record = work.records.records[work.next]
      work.next += 1
      let slot = Int(record.slot)
      keys[slot].heldCount -= 1
      change(slot)
      let isDone = try work.records.with(record) { bytes throws(StageError) in
        try deliver(bytes, to: slot, at: record.time)
      }
      if !isDone {
        work.isInterrupted = true
        return false
      }
    }
    guard try engine.advance(before: StreamTime(nanoseconds: work.end)) else { return false }
    for slot in engine.takeFired() { change(slot) }
    if let finish = work.finish {
      if keyedResults != nil, !work.isEnding {
        // `then` may publish at its end, also if no key had a result.
        for slot in keys.slots { try engine.begin(slot, at: StreamTime(nanoseconds: finish)) }
      }
      work.isEnding = true
      guard try engine.finish(at: StreamTime(nanoseconds: finish)) else { return false }
      if feedsThen { try results.append(Self.moment, at: engine.endTime.nanoseconds) }
      forgetAll()
    }
    held.reuse(&work.records)
    work.isOver = true
    return false
  }

  private func deliver(
    _ bytes: UnsafeRawBufferPointer, to slot: Int, at time: Int64
  ) throws(StageError) -> Bool {
    guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return true }
    let value: UnsafePointer<Value>
    do throws(Diagnostic) {
      value = try reader.read(PaddedBytes(unsafe: base, count: bytes.count))
    } catch {
      let message = "a record of the key \(keys.excerpt(of: slot)): \(error.message)"
      guard skipsErrors else { throw .refused(message) }
      unreadableCount += 1
      log("skipped: " + message)
      return true
    }
    if keyedResults != nil { return try deliver(result: value.pointee, to: slot, at: time) }
    if feedsThen, !hasToldStart {
      hasToldStart = true
      try results.append(Self.moment, at: time)
    }
    return try engine.send(value.pointee, to: slot, at: StreamTime(nanoseconds: time))
  }

  /// Delivers a result of a key, or starts the stream at the time of the first record.
  private func deliver(result: Value, to slot: Int, at time: Int64) throws(StageError) -> Bool {
    let time = StreamTime(nanoseconds: time)
    if result == Self.moment {
      try engine.begin(slot, at: time)
      return true
    }
    let value: Value
    do throws(Diagnostic) {
      value = try keyedResults?.read(result) ?? result
    } catch {
      throw .refused("a result of the stage of the keys: \(error.message)")
    }
    return try engine.send(value, to: slot, at: time)
  }

  /// A time that is reported to the stage of `then`.
  private static let moment = Value.list([])

  /// Returns the number of values that were skipped since the last call: records that could not be read, and values that
  /// made an operator fail.
  package func takeSkippedCount() -> Int {
    let count = unreadableCount + engine.skippedCount
    defer { toldSkippedCount = count }
    return count - toldSkippedCount
  }

  private func forgetAll() {
    keys.removeAll()
    snapshots = SnapshotWork()
    snapshotBytes = 0
  }

  // MARK: Snapshots

  /// A key and its state.
  package struct Snapshot {
    package let slot: Int
    /// When the key must be here: a timer or a record is due then.
    package let wake: Int64
    /// Nil if the key no longer has a state.
    package let bytes: [UInt8]?
  }

  /// Calls a closure with the snapshot of each key that has changed since it was last in a snapshot, and its text. The
  /// closure says whether to go on.
  ///
  /// - Returns: Whether there are more.
  package func takeSnapshots(
    _ body: (UnsafeRawBufferPointer, Snapshot) -> Bool
  ) throws(StageError) -> Bool {
    let byKey = snapshots.held ?? heldByKey()
    snapshots.held = byKey
    while snapshots.next < snapshots.changed.count {
      let slot = snapshots.changed[snapshots.next]
      snapshots.next += 1
      guard keys[slot].isChanged else { continue }
      let snapshot = try save(slot, byKey[slot] ?? [])
      keys[slot].isChanged = false
      if !keys.withKey(of: slot, { body($0, snapshot) }) {
        return snapshots.next < snapshots.changed.count
      }
    }
    snapshots = SnapshotWork()
    return false
  }

  private func heldByKey() -> [Int: [Int]] {
    var result: [Int: [Int]] = [:]
    for (number, record) in held.records.enumerated() { result[Int(record.slot), default: []].append(number) }
    return result
  }

  private func save(_ slot: Int, _ records: [Int]) throws(StageError) -> Snapshot {
    guard engine.has(slot) || !records.isEmpty else { return Snapshot(slot: slot, wake: Watermark.never, bytes: nil) }
    let hasSources = records.contains { held.records[$0].source != 0 }
    var bytes = KeyState.header(of: file.hash, hasSources: hasSources)
    bytes.append(varint: UInt64(records.count))
    var wake = Watermark.never
    for number in records {
      let record = held.records[number]
      wake = min(wake, record.time)
      bytes.append(number: record.time)
      if hasSources { bytes.append(varint: UInt64(record.source)) }
      held.with(record) { bytes.append(string: $0) }
    }
    if engine.has(slot) {
      bytes.append(engine.stateKind)
      if let deadline = try engine.save(slot, to: &bytes) { wake = min(wake, deadline.nanoseconds) }
    } else {
      bytes.append(KeyState.nothing)
    }
    guard bytes.count <= KeyLimits.state else {
      throw .failed(KeyLimits.exceeded(bytes.count, what: "state", of: keys.excerpt(of: slot), limit: KeyLimits.state))
    }
    KeyState.seal(&bytes)
    snapshotBytes += bytes.count - Int(keys[slot].snapshotBytes)
    keys[slot].snapshotBytes = Int32(truncatingIfNeeded: bytes.count)
    return Snapshot(slot: slot, wake: wake, bytes: bytes)
  }

  /// Loads the state of a key that was added.
  package func load(_ snapshot: UnsafeRawBufferPointer, into slot: Int) throws(StageError) {
    do {
      var state = try KeyState(snapshot, known: [file.hash] + former.map(\.hash))
      for (time, source, record) in state.records {
        held.add(record, of: slot, at: max(time, 0), from: source)
        keys[slot].heldCount += 1
        newest = max(newest, time)
      }
      if state.hash == file.hash {
        if state.kind == engine.stateKind {
          try engine.load(&state.rest, into: slot)
        } else if state.kind != KeyState.nothing {
          throw BinaryValue.Malformed()
        }
      } else if state.kind != KeyState.nothing {
        try loadOld(&state, into: slot)
      }
      keys[slot].snapshotBytes = Int32(truncatingIfNeeded: snapshot.count)
      snapshotBytes += snapshot.count
    } catch let error as StageError {
      throw error
    } catch {
      throw .refused(
        "the snapshot of the key \(keys.excerpt(of: slot)) is damaged")
    }
  }

  /// Loads the state that another version of the file has saved, as far as it fits.
  private func loadOld(_ state: inout KeyState, into slot: Int) throws {
    guard let old = former.first(where: { $0.hash == state.hash }) else { throw BinaryValue.Malformed() }
    let former = try PartitionStage(
      old, stage: number, usesRows: state.kind == KeyState.row, log: log)
    let place = keys.withKey(of: slot) { former.add($0) }
    try former.engine.load(&state.rest, into: place)
    let swap = try StreamSwap(
      of: try former.engine.snapshot(of: place), from: old.stages[number], to: file.stages[number])
    if !hasTold {
      hasTold = true
      log("the file has changed since its state was saved: \(swap.report)")
    }
    try engine.load(swap.snapshot, into: slot)
    change(slot)
  }

  /// Whether a key has not changed since it was last in a snapshot.
  package func isSaved(_ slot: Int) -> Bool { !keys[slot].isChanged }

  /// Removes keys. All of them must be saved.
  package func drop(_ slots: [Int]) {
    // NB: The records are removed while the slots still name these keys, and of all keys in one pass.
    let waiting = Set(slots.filter { keys[$0].heldCount > 0 })
    if !waiting.isEmpty { held.removeAll(of: waiting) }
    for slot in slots {
      engine.remove(slot)
      snapshotBytes -= Int(keys[slot].snapshotBytes)
      keys.remove(slot)
    }
  }
}
