internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// Runs the streams of keys. A key is known by its slot.
///
/// A call that fills the buffer for results returns false; `resume` continues it.
protocol KeyEngine: AnyObject {
  /// Starts the stream of a key at an instant, unless it has started. A stream for each key starts with its first value.
  func begin(_ slot: Int, at time: StreamTime) throws(StageError)

  /// Delivers a value to a key.
  func send(_ value: Value, to slot: Int, at time: StreamTime) throws(StageError) -> Bool

  /// Prepares for values of the keys of some records.
  func prefetch(_ records: ArraySlice<HeldRecords.Record>)

  /// Continues an interrupted call.
  func resume() throws(StageError) -> Bool

  /// Fires the timers before an instant.
  func advance(before time: StreamTime) throws(StageError) -> Bool

  /// Finishes every key, fires the remaining timers, and removes all keys.
  func finish(at time: StreamTime) throws(StageError) -> Bool

  /// Appends the state of a key.
  ///
  /// - Returns: The deadline of its next timer; nil if none is set.
  func save(_ slot: Int, to bytes: inout [UInt8]) throws(StageError) -> StreamTime?

  /// The kind of the states that it saves and loads: see `KeyState`.
  var stateKind: UInt8 { get }

  /// Loads the state of a key that has none.
  func load(_ bytes: inout ByteReader, into slot: Int) throws

  /// Loads the state of a key from an execution of this key alone.
  func load(_ snapshot: Snapshot, into slot: Int) throws

  /// Returns a snapshot of an execution of this key alone.
  func snapshot(of slot: Int) throws -> Snapshot

  func remove(_ slot: Int)

  /// The time at which the last of the streams has ended that were finished last.
  var endTime: StreamTime { get }

  /// Number of values that were skipped because they made an operator fail.
  var skippedCount: Int { get }

  /// The keys whose timers have fired since the last call; a key may be there more than once.
  func takeFired() -> [Int]

  /// Whether a key has a stream, or had one that has ended.
  func has(_ slot: Int) -> Bool

  /// Number of bytes that a key takes besides its snapshot, estimated.
  var bytesOfKey: Int { get }
}

/// The parts that engines share: the file, the results, and the handling of events.
class KeyEngineState {
  let file: PartitionFile
  let version: Pipeline
  let input: Int
  let skipsErrors: Bool
  let results: ResultBuffer
  let log: (String) -> Void
  let keys: KeyTable
  /// The time at which the last of the streams has ended that were finished last.
  @exclusivity(unchecked) var endTime = StreamTime.zero
  /// Number of values that were skipped because they made an operator fail.
  @exclusivity(unchecked) var skippedCount = 0

  init(
    _ file: PartitionFile, stage: Int, skipsErrors: Bool, results: ResultBuffer, log: @escaping (String) -> Void,
    keys: KeyTable
  ) {
    self.file = file
    version = file.stages[stage].pipeline
    input = file.input(ofStage: stage)
    self.skipsErrors = skipsErrors
    self.results = results
    self.log = log
    self.keys = keys
  }

  /// The limit of the work of a stream without a result.
  private static let limit = RunLimits(budget: 100_000_000, burst: .max)

  /// - Parameter time: When the stream starts.
  func makeSession(at time: StreamTime = .zero) throws(StageError) -> StreamSession {
    let session = StreamSession(version, origin: Timestamp(seconds: 0), skipsErrors: skipsErrors, limit: Self.limit)
    session.execution.begin(at: time)
    session.start()
    _ = try drain(session)
    return session
  }

  func restored(_ snapshot: Snapshot) throws(Diagnostics) -> StreamSession {
    try StreamSession(version, restoring: snapshot, limit: Self.limit)
  }

  /// Takes the results of a stream. Returns false if the buffer is full.
  func drain(_ session: StreamSession) throws(StageError) -> Bool {
    session.noteEvent()
    while let effect = session.next() {
      switch effect {
      case .event(let event):
        try handle(event, session)
        if results.isFull { return false }
      case .limited: throw .failed("the stream does no end of work without a result; a timer may repeat for ever")
      case .busy, .rolledBack: break
      }
    }
    return true
  }

  @inline(__always)
  func handle(_ event: ExecutionEvent, _ session: StreamSession) throws(StageError) {
    if case .value(let value) = event {
      try results.append(value, at: session.time.nanoseconds)
    } else {
      try handle(other: event)
    }
  }

  private func handle(other event: ExecutionEvent) throws(StageError) {
    switch event {
    case .value, .finished, .call: break
    case .failure(let failure): throw .failed(file.text(of: failure))
    case .skipped(let failure):
      skippedCount += 1
      log("skipped: " + file.text(of: failure))
    case .noted(let note): log(note.text)
    }
  }

  /// Writes the values that operators have dropped to the log.
  func tell(_ drops: [Execution.DroppedValues]) {
    for dropped in drops { log("\(dropped.warning.message), at \(dropped.pointer)") }
  }

  /// Fires timers until none is set. Returns false if the buffer is full.
  func runOut(_ session: StreamSession) throws(StageError) -> Bool {
    var (count, results) = (0, results.count)
    while session.advanceToNextTimer() {
      if try !drain(session) { return false }
      count = results == self.results.count ? count + 1 : 0
      results = self.results.count
      if count > Self.timersAfterEnd {
        throw .failed("timers of the stream go on for ever after the end of its input, without a result")
      }
    }
    return true
  }

  /// Timers without a result after the end of the input.
  private static let timersAfterEnd = 1_000_000
}
