internal import StreamCore
internal import StreamKit
package import StreamRuntime

/// The period in which a new version of a run has to prove itself.
///
/// If the version fails in it, the run goes on as the version before, with the state from before the swap and the inputs
/// since then, which are sent again without their outputs. Only the input at which the version failed is answered.
package final class SwapProbation {
  package enum Verdict: Sendable {
    case good
    case failed(StreamFailure)
  }

  /// Seconds without a failure after which the version is good; nil for no such time.
  private let seconds: Double?
  /// Number of values without a failure after which the version is good; nil for no such number.
  private let values: Int?
  private let tell: (Verdict) -> Void
  private let clock = LiveClock()
  private var valueCount = 0
  private var isOver = false
  private var former: Former?

  /// The version before the swap.
  private struct Former {
    let stream: PreparedStream
    let saved: Snapshot
    /// What has arrived since; nil if it was too much.
    var entries: [Entry]? = []
    /// Whether the stream is busy with the last entry.
    var isBusy = false
  }

  private enum Entry {
    case value(Value, input: String, StreamTime)
    case end(input: String, StreamTime)
  }

  /// Maximum number of inputs that are kept. With more, a restoration does without any of them.
  private static let entryLimit = 10_000
  /// Maximum number of steps in which inputs are sent again.
  private static let stepLimit = 1_000_000

  /// - Parameter tell: Called once with the verdict.
  package init(seconds: Double?, values: Int?, tell: @escaping (Verdict) -> Void) {
    self.seconds = seconds
    self.values = values
    self.tell = tell
  }

  /// Begins with a swap.
  func begin(instead stream: PreparedStream, _ saved: Snapshot) { former = Former(stream: stream, saved: saved) }

  // MARK: Inputs and values

  func take(_ value: Value, on input: String, at time: StreamTime) { keep(.value(value, input: input, time)) }

  func takeEnd(of input: String, at time: StreamTime) { keep(.end(input: input, time)) }

  private func keep(_ entry: Entry) {
    former?.isBusy = true
    if let count = former?.entries?.count, count < Self.entryLimit {
      former?.entries?.append(entry)
    } else {
      former?.entries = nil
    }
  }

  /// Notes that the stream is done with the last input.
  func endInput() { former?.isBusy = false }

  func countValue() { valueCount += 1 }

  /// Ends the probation well if the time or the number of values is reached. Returns whether it is over.
  func hasEnded() -> Bool {
    if isOver { return true }
    let isLate = seconds.map { clock.now.seconds >= $0 } ?? false
    guard isLate || values.map({ valueCount >= $0 }) ?? false else { return false }
    end(.good)
    return true
  }

  private func end(_ verdict: Verdict) {
    isOver = true
    former = nil
    tell(verdict)
  }

  // MARK: Restoration

  /// Returns the version before, as if there had been no swap.
  ///
  /// - Returns: nil if the probation is over, or if that version fails at the same input: then the new one is not to
  ///   blame.
  func restore(after failure: StreamFailure) -> (stream: PreparedStream, execution: Execution)? {
    guard !hasEnded(), let former, let execution = execution(of: former, includingLast: false) else { return nil }
    if former.isBusy, self.execution(of: former, includingLast: true) == nil { return nil }
    if former.isBusy, let last = former.entries?.last { Self.send(last, to: execution) }
    end(.failed(failure))
    return (former.stream, execution)
  }

  /// Returns nil if the version fails.
  private func execution(of former: Former, includingLast: Bool) -> Execution? {
    guard let execution = try? Execution(former.stream.version.pipeline, restoring: former.saved) else { return nil }
    var steps = Self.stepLimit
    let entries = former.entries ?? []
    for entry in former.isBusy && !includingLast ? entries.dropLast() : entries[...] {
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
