internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Saves the state of a run now and then, and at its end.
///
/// The process makes a copy of itself, which waits until the outputs are on disk, writes the state and ends, while the run
/// continues. On systems without such copies, the run waits for the state to be written.
package final class RunSaver: RunService {
  private let folder: StateFolder
  private let interval: SaveInterval
  /// Creates what is saved of the run, in a copy of the process or at its end.
  private let state: (RunSession) throws -> SavedRun?
  private let console: Console
  private let clock = LiveClock()
  /// The copy that saves the state.
  private var copy: (process: ProcessCopy, began: StreamTime)?
  private var number: Int
  /// When the state was saved last, and how far the run was.
  private var last: (time: StreamTime, extent: Extent)
  /// When a state was begun last.
  private var saved = StreamTime.zero
  /// Number of states saved so far.
  private var savedCount = 0
  /// Whether copies of the process work.
  private var makesCopies = true

  /// How far a run is, as far as it matters for the next save.
  private struct Extent: Equatable {
    var steps = 0
    var values = 0
    var written = 0

    init() {}

    init(_ run: RunSession) {
      (steps, written) = (run.execution.stepCount, run.writtenCount)
      values = run.feeds.reduce(0) { $0 + $1.count }
    }
  }

  /// Nanoseconds after which a copy is given up: it may wait for another thread.
  private static let patience: Int64 = 60_000_000_000
  /// Nanoseconds after which a stream that only waits is saved.
  private static let longestWait: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - state: Returns what is saved; nil if the run cannot be saved now.
  package init(
    _ folder: StateFolder, every interval: SaveInterval, _ console: Console,
    state: @escaping (RunSession) throws -> SavedRun?
  ) {
    self.folder = folder
    self.interval = interval
    number = (try? folder.entries().first?.number) ?? 0
    self.state = state
    self.console = console
    last = (clock.now, Extent())
  }

  // MARK: While the stream runs

  var signals: [FileDescriptor] { copy.map { [$0.process.signal] } ?? [] }

  var untilDue: Int64? {
    guard copy == nil, case .time(let interval) = interval else { return nil }
    return max(0, (last.time - clock.now).nanoseconds + interval)
  }

  func serve(_ run: RunSession) throws(RunStop) {
    if let copy {
      if Waiting.isReadable(copy.process.signal) {
        finish(copy, run)
      } else if (clock.now - copy.began).nanoseconds > Self.patience {
        giveUp(copy.process, run)
      }
      return
    }
    let extent = Extent(run)
    let now = clock.now
    switch interval {
    case .time(let interval): guard (now - last.time).nanoseconds >= interval else { return }
    case .values(let count): guard extent.values - last.extent.values >= count else { return }
    }
    defer { last.time = now }
    // A stream that waits for a timer would lose the time since its latest event if it were killed.
    let isWaiting = run.stream.nextWake != nil && (now - saved).nanoseconds >= Self.longestWait
    guard extent != last.extent || isWaiting, !run.stream.isOnTrial else { return }
    (last.extent, saved) = (extent, now)
    try run.flush()
    try run.outputs.settle()
    number += 1
    if makesCopies, let process = ProcessCopy({ self.report(self.write(run)) }) {
      copy = (process, now)
    } else {
      note(write(run), since: now, run)
    }
  }

  private enum Outcome {
    case saved(bytes: Int)
    case failed(String)
  }

  private func finish(_ copy: (process: ProcessCopy, began: StreamTime), _ run: RunSession) {
    self.copy = nil
    let words = copy.process.result()?.split(separator: " ", maxSplits: 1) ?? []
    if words.count == 2, words[0] == "saved", let bytes = Int(words[1]) {
      note(.saved(bytes: bytes), since: copy.began, run)
    } else {
      let reason = words.count == 2 ? String(words[1]) : "the process that saves it has ended"
      note(.failed(reason), since: copy.began, run)
    }
  }

  private func giveUp(_ process: ProcessCopy, _ run: RunSession) {
    copy = nil
    process.cancel()
    makesCopies = false
    warn("the process that saves it takes too long; the run waits for each state from now on", run)
  }

  private func report(_ outcome: Outcome) -> String {
    switch outcome {
    case .saved(let bytes): "saved \(bytes)"
    case .failed(let reason): "failed \(reason)"
    }
  }

  private func note(_ outcome: Outcome, since began: StreamTime, _ run: RunSession) {
    switch outcome {
    case .saved(let bytes):
      savedCount += 1
      run.counters.savedState = RunCounters.SavedState(
        time: run.counters.clock.now, seconds: (clock.now - began).seconds, bytes: bytes, count: savedCount)
    case .failed(let reason): warn(reason, run)
    }
  }

  /// Prints and counts a state that was not saved: the run continues, and a crash loses more with each of them.
  private func warn(_ reason: String, _ run: RunSession) {
    run.counters.failedSaveCount += 1
    let age = run.counters.savedState.map { (run.counters.clock.now - $0.time).seconds.rounded().shortText }
    console.report(
      Diagnostic(
        .cannotWrite, "the state was not saved: \(reason)", severity: .warning,
        help: "the run continues; the state in '\(folder.path)' is "
          + (age.map { "\($0) seconds old" } ?? "that from which it began")))
  }

  // MARK: Writing

  /// Writes the state, and nothing else: in a copy of the process, whose buffers the process writes again.
  private func write(_ run: RunSession) -> Outcome {
    do {
      guard var saved = try state(run) else { return .failed("a new version of the stream is on trial") }
      saved.content.outputs = try run.outputs.positions()
      saved.content.recording = try run.recorder?.position()
      return .saved(bytes: try folder.write(saved.bytes(), number: number))
    } catch {
      return .failed(Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let stop as RunStop:
      if case .refused(let diagnostic, _) = stop { return diagnostic.message }
      return "an output is closed"
    case let diagnostic as Diagnostic: return diagnostic.message
    default: return "\(error)"
    }
  }

  /// Saves the state before the first value.
  ///
  /// - Throws: Why that is impossible: the run does not begin.
  func saveFirst(_ run: RunSession) throws(RunStop) {
    // NB: the outputs are not flushed: a run that is killed before its first state begins again.
    try run.recorder?.flush()
    number += 1
    let began = clock.now
    switch write(run) {
    case .saved(let bytes): note(.saved(bytes: bytes), since: began, run)
    case .failed(let reason):
      throw .refused(
        Diagnostic(
          .cannotWrite, "the state cannot be saved in '\(folder.path)': \(reason)",
          help: "the folder must be writable, and have room"), nil)
    }
  }

  /// Saves the state at the end of the run, before it is closed.
  ///
  /// - Throws: A diagnostic if that fails.
  func saveLast(_ run: RunSession) throws(Diagnostic) {
    if let copy { copy.process.cancel() }
    copy = nil
    // A large state takes longer than a run may take to stop.
    Interruption.extend()
    number += 1
    switch settleAndWrite(run) {
    case .saved: return
    case .failed(let reason):
      throw Diagnostic(
        .cannotWrite, "the state was not saved: \(reason)",
        help: "the state before it is in '\(folder.path)'; the run continues from there")
    }
  }

  private func settleAndWrite(_ run: RunSession) -> Outcome {
    do {
      try run.flush()
      try run.outputs.settleAtEnd(hasEnded: run.end != nil)
      try run.outputs.settle()
    } catch {
      return .failed(Self.reason(error))
    }
    return write(run)
  }

  func close(_ run: RunSession) {
    copy?.process.cancel()
    copy = nil
  }
}
