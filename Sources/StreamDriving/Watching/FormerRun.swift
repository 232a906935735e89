internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// The version of a run before a swap on trial, its state, and the inputs since then.
///
/// If the new version fails while the trial is open, the run goes on as this version: the inputs are sent again without
/// their outputs, and only the one at which the new version failed is answered. If this version fails at it as well, the
/// new one is not to blame.
final class FormerRun {
  let stream: PreparedStream
  private let saved: Snapshot
  var trial: SwapTrial
  /// What has arrived since the swap; nil if it was too much.
  private var entries: [Entry]? = []
  /// Whether the run is busy with the last entry.
  private var isBusy = false

  private enum Entry {
    case value(Value, input: String, StreamTime)
    case end(input: String, StreamTime)
  }

  /// Maximum number of inputs that are kept. With more, a restoration does without any of them.
  private static let entryLimit = 10_000
  /// Maximum number of steps in which inputs are sent again.
  private static let stepLimit = 1_000_000

  init(_ stream: PreparedStream, _ saved: Snapshot, _ trial: SwapTrial) {
    self.stream = stream
    self.saved = saved
    self.trial = trial
  }

  var isOpen: Bool { trial.verdict == .open }

  var hasFailed: Bool { if case .failed = trial.verdict { true } else { false } }

  func take(_ value: Value, on input: String, at time: StreamTime) { keep(.value(value, input: input, time)) }

  func takeEnd(of input: String, at time: StreamTime) { keep(.end(input: input, time)) }

  private func keep(_ entry: Entry) {
    isBusy = true
    if let count = entries?.count, count < Self.entryLimit { entries?.append(entry) } else { entries = nil }
  }

  /// Notes that the run is done with the last input.
  func endInput() { isBusy = false }

  func countValue() { trial.countValue() }

  /// Returns this version as if there had been no swap, after a failure of the new one; nil if it is to stay failed.
  func restore(after failure: StreamFailure) -> Execution? {
    guard trial.suspect() else { return nil }
    guard let execution = replay(includingLast: false), !isBusy || replay(includingLast: true) != nil else {
      trial.endSuspicion(nil)
      return nil
    }
    if isBusy, let last = entries?.last { Self.send(last, to: execution) }
    trial.endSuspicion(failure)
    return execution
  }

  /// Returns this version after its withdrawal: somebody else has ended the trial.
  func restore() -> Execution? { replay(includingLast: true) }

  /// Returns nil if the version fails.
  private func replay(includingLast: Bool) -> Execution? {
    guard let execution = try? Execution(stream.version.pipeline, restoring: saved) else { return nil }
    var steps = Self.stepLimit
    let entries = entries ?? []
    for entry in isBusy && !includingLast ? entries.dropLast() : entries[...] {
      Self.send(entry, to: execution)
      guard Self.run(execution, &steps) else { return nil }
    }
    return execution
  }

  private static func send(_ entry: Entry, to execution: Execution) {
    switch entry {
    case .value(let value, let name, let time):
      if let input = execution.pipeline.input(named: name) { execution.send(value, to: input, at: time) }
    case .end(let name, let time):
      if let input = execution.pipeline.input(named: name) { execution.finish(input, at: time) }
    }
  }

  /// Works without publishing anything. Returns false if the stream fails.
  private static func run(_ execution: Execution, _ steps: inout Int) -> Bool {
    while steps > 0 {
      let before = execution.stepCount
      let progress = execution.step(atMost: steps)
      steps -= max(1, execution.stepCount - before)
      switch progress {
      case .event(.failure): return false
      case .event, .unfinished: break
      case .idle: return true
      }
    }
    return true
  }
}
