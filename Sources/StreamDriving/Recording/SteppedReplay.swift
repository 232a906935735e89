package import StreamCore
package import StreamEngine
internal import StreamKit

/// A replay that goes forward and back by single events.
///
/// Going back restores the state from before the event: a snapshot is kept every so many events, and the events in
/// between are delivered again.
///
/// - Memory: The events up to the latest one, and the snapshots.
package final class SteppedReplay {
  /// An event that the stream has published.
  package struct Output {
    package let time: StreamTime
    package let event: ExecutionEvent
  }

  /// An operator or source with its latest output and its state.
  package struct OperatorView {
    package let name: String
    package let pointer: JSONPointer
    /// The value or the completion that it has published last, and when.
    package var latest: Output?
    /// Its state in each inner stream or group; empty if it is not subscribed to.
    package var states: [Execution.OperatorState] = []
  }

  private struct Checkpoint {
    let position: Int
    let version: StreamVersion
    let snapshot: Snapshot
    let calls: [Int64: Call]
    let latest: [JSONPointer: OperatorView]
  }

  private let replay: Replay
  private var session: StreamSession
  private var version: StreamVersion
  /// The version to which the stream returns if the one on trial fails.
  private var former: StreamVersion?
  private var entries: [RecordingEntry] = []
  private var isRead = false
  /// Number of events that have been delivered.
  package private(set) var position = 0
  /// The output of the latest event.
  package private(set) var outputs: [Output] = []
  private var views: [JSONPointer: OperatorView] = [:]
  /// The operators that have published during the latest event.
  private var active: [JSONPointer] = []
  private var checkpoints: [Checkpoint] = []

  /// Number of events between two snapshots.
  private static let interval = 100
  /// Maximum number of outputs of one event.
  private static let outputLimit = 100_000

  /// Number of events in the recording; nil if it has no end.
  package var count: Int? { replay.reader.end?.events }
  package var time: StreamTime { session.time }
  /// The stream that is replayed.
  package var document: JSONDocument { replay.prepared.stream.document }
  /// Whether the stream has ended, or the recording has.
  package private(set) var isAtEnd = false

  /// Opens a recording, and subscribes.
  package init(_ request: ReplayRequest, _ console: Console) throws(Diagnostics) {
    let reader = try RecordingReader(request.recording, console)
    replay = try Replay(reader, file: request.file, from: nil, until: request.until, fuses: false, console)
    replay.checkData()
    version = replay.prepared.version
    session = StreamSession(
      version, origin: replay.header.origin, skipsErrors: request.skipErrors || replay.header.options.skipErrors)
    watch()
    session.start()
    drain()
    keepCheckpoint()
  }

  /// The operators and sources in the order of the file, with their states.
  package func operators() -> [OperatorView] {
    var found = views
    for state in (try? session.execution.states()) ?? [] {
      found[state.pointer, default: OperatorView(name: state.name, pointer: state.pointer)].states.append(state)
    }
    return found.values.sorted { Self.precedes($0.pointer, $1.pointer) }
  }

  /// Whether a place comes before another one in the order of values: the source before the operators.
  private static func precedes(_ first: JSONPointer, _ second: JSONPointer) -> Bool {
    for (token, other) in zip(first.tokens, second.tokens) where token != other {
      if let number = Int(token), let another = Int(other) { return number < another }
      if (token == "operators") != (other == "operators") { return other == "operators" }
      return token < other
    }
    return first.tokens.count < second.tokens.count
  }

  /// The event that was delivered last.
  package var latestEvent: String? { position == 0 ? nil : text(of: entries[position - 1]) }

  // MARK: Steps

  /// Delivers the next event. Returns false if there is none.
  package func stepForward() throws(RunStop) -> Bool {
    guard !session.isEnded, let entry = try entry(at: position) else {
      isAtEnd = true
      return false
    }
    if case .end = entry {
      isAtEnd = true
      return false
    }
    position += 1
    try deliver(entry, before: try self.entry(at: position))
    if position % Self.interval == 0 { keepCheckpoint() }
    return true
  }

  /// Returns to the state before the latest event. Returns false at the beginning.
  package func stepBack() throws(RunStop) -> Bool {
    guard position > 0 else { return false }
    try go(to: position - 1)
    return true
  }

  /// Goes to the state after a number of events.
  package func go(to target: Int) throws(RunStop) {
    if target < position, let checkpoint = checkpoints.last(where: { $0.position <= target }) {
      try restore(checkpoint)
    }
    while position < target, try stepForward() {}
  }

  /// Delivers events until an operator publishes. Returns false if none does.
  ///
  /// - Parameter pointer: The place of the operator in the file.
  package func run(toOutputOf pointer: JSONPointer) throws(RunStop) -> Bool {
    while try stepForward() {
      if active.contains(where: { $0.tokens.starts(with: pointer.tokens) }) { return true }
    }
    return false
  }

  private func entry(at position: Int) throws(RunStop) -> RecordingEntry? {
    if position < entries.count { return entries[position] }
    guard !isRead, let entry = try replay.reader.next() else {
      isRead = true
      return nil
    }
    switch replay.until {
    case .count(let count) where position >= count: return nil
    case .seconds, .calendar:
      if let time = entry.time, let end = replay.until?.time(replay.header), time > end { return nil }
    case nil, .count: break
    }
    entries.append(entry)
    return entry
  }

  private func deliver(_ entry: RecordingEntry, before next: RecordingEntry?) throws(RunStop) {
    (outputs, active) = ([], [])
    switch entry {
    case .event(.value(let value, let input), let time), .event(.unconverted(let value, let input), let time):
      session.send(value, named: input, at: time)
    case .event(.completion(let completion, let input), let time): session.complete(input, completion, at: time)
    case .event(.advance, let time): session.advance(to: time)
    case .event(.timer, let time):
      if replay.isExact { session.advanceToNextTimer(through: time) } else { session.advance(to: time) }
    case .event(.result, _), .end: break
    case .answer(let answer, let time):
      if let call = replay.takeCall(for: answer) { session.answer(call.id, answer.result, at: time) }
    case .swap(let recorded, _, let count, let isTrial):
      guard replay.isExact else { break }
      drain(atMost: count ?? 0)
      do throws(Diagnostics) {
        let next = try replay.prepare(recorded, fuses: false).version
        if !isTrial { former = nil } else if !session.isOnTrial { former = version }
        session.become(try session.prepare(next), on: isTrial ? SwapTrial { _ in } : nil)
        version = next
        watch()
      } catch {
        throw .refused(error.all.first ?? Diagnostic(.invalidInput, "a version of the recording is invalid"), nil)
      }
    case .origin(let origin, _): session.execution.setOrigin(origin)
    case .trialEnd(let end, let count):
      guard replay.isExact else { break }
      drain(atMost: count ?? 0)
      if let effect = session.end(end) { handle(effect) }
    }
    // The version must have been kept when it fails at this event.
    if replay.isExact, case .trialEnd(let end, _)? = next, case .kept = end.verdict { _ = session.end(end) }
    if !replay.isExact || next?.isMidway != true { drain() }
  }

  private func drain(atMost count: Int = .max) {
    var count = count
    while count > 0, outputs.count < Self.outputLimit, let effect = session.next() {
      if case .limited = effect { return }
      handle(effect)
      count -= 1
    }
  }

  private func handle(_ effect: StreamSession.Effect) {
    switch effect {
    case .event(let event):
      if event.isOfTheStream { outputs.append(Output(time: session.time, event: event)) }
    case .rolledBack:
      if let former { version = former }
      watch()
    case .limited, .busy: break
    }
  }

  private func watch() {
    session.noteCall = { [replay] call in replay.calls[call.id] = call }
    let execution = session.execution
    execution.publicationWatcher = { [weak self, unowned execution] node, event in
      guard let self else { return }
      views[node.pointer, default: OperatorView(name: node.name, pointer: node.pointer)].latest =
        Output(time: execution.time, event: event)
      active.append(node.pointer)
    }
  }

  // MARK: Going back

  private func keepCheckpoint() {
    // A snapshot has no version before.
    guard !session.isOnTrial, checkpoints.last.map({ $0.position < position }) ?? true,
      let snapshot = try? session.snapshot()
    else { return }
    checkpoints.append(
      Checkpoint(position: position, version: version, snapshot: snapshot, calls: replay.calls, latest: views))
  }

  private func restore(_ checkpoint: Checkpoint) throws(RunStop) {
    do throws(Diagnostics) {
      replay.calls = [:]
      let execution = try Execution(checkpoint.version.pipeline, restoring: checkpoint.snapshot)
      session = StreamSession(execution, checkpoint.version)
    } catch {
      throw .refused(error.all.first ?? Diagnostic(.snapshotMismatch, "the state cannot be restored"), nil)
    }
    (version, position, views, isAtEnd) = (checkpoint.version, checkpoint.position, checkpoint.latest, false)
    watch()
    session.makeCalls()
    (outputs, active) = ([], [])
    drain()
  }

  // MARK: Text

  private func text(of entry: RecordingEntry) -> String {
    let time = entry.time.map { "at \(Self.seconds($0))" } ?? ""
    switch entry {
    case .event(.value(let value, let input), _), .event(.unconverted(let value, let input), _):
      return "\(time): input \(input) receives \(Self.short(value))"
    case .event(.completion(.finished, let input), _): return "\(time): input \(input) finishes"
    case .event(.completion(.failure(let failure), let input), _): return "\(time): input \(input) fails: \(failure)"
    case .event(.advance, _), .event(.timer, _), .event(.result, _): return "\(time): timers fire"
    case .answer(let answer, _):
      let call = "\(answer.function ?? "call \(answer.call)")(\(Self.short(answer.argument)))"
      switch answer.result {
      case .success(let value): return "\(time): \(call) returns \(Self.short(value))"
      case .failure(let failure): return "\(time): \(call) fails: \(failure)"
      }
    case .swap: return "\(time): the stream file changes"
    case .origin(let origin, _): return "\(time): the run continues after a stop; time zero is \(origin.rfc3339)"
    case .trialEnd(let end, _):
      switch end.verdict {
      case .kept: return "\(time): the new version stays"
      case .failed(let failure), .stopped(let failure):
        return "\(time): the version before continues, since the new one has failed: \(failure)"
      }
    case .end: return "the end"
    }
  }

  /// A value, shortened.
  package static func short(_ value: Value) -> String { JSONWriter.beginning(of: value, bytes: 200) }

  /// A time in seconds.
  package static func seconds(_ time: StreamTime) -> String {
    var bytes: [UInt8] = []
    TimeStamping.appendSeconds(time, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
