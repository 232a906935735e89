internal import StreamCore
package import StreamEngine

/// Measures the processor time that a stream takes for one event from outside: a value, a completion, an answer or an
/// instant at which timers fire.
///
/// A stream that begins has no event from outside yet; there, each value that it publishes counts as one.
///
/// Reading the time of a thread takes about as long as three steps, so it is read every 1,000 steps, and every 20,000
/// steps of an expression. In the second half of the time the publications are watched, to name the operator that works
/// longest.
package final class TimeGauge {
  private let limit: Interval
  /// The failure of a stream that has taken too long.
  @exclusivity(unchecked) package private(set) var failure: StreamFailure?
  /// Whether nothing has come from outside.
  @exclusivity(unchecked) private var isBeginning = true
  /// Number of steps of the execution when the time was read last, or when the event began.
  @exclusivity(unchecked) private var mark = 0
  /// The time at which it was read last, and the time that the event had taken then.
  @exclusivity(unchecked) private var latest: ThreadTime?
  private var spent: Int64 = 0
  private var shares: WorkShares?
  /// The time when the evaluation in progress was found to be long.
  private var evaluationStart = ThreadTime.now

  /// Number of steps between two readings.
  static let slice = 1_000
  /// Number of steps of an evaluation between two readings.
  private static let evaluationSlice = 20_000

  init(_ limit: Interval) { self.limit = limit }

  /// Measures the evaluations of an execution, too: one that takes too long fails.
  func watch(_ execution: Execution) {
    mark = execution.stepCount
    let problem = "the evaluation took longer than \(limit.shortText)"
    execution.activation.pause(every: Self.evaluationSlice, failing: problem) { [weak self] isFirst in
      guard let self else { return true }
      let now = ThreadTime.now
      if isFirst { evaluationStart = now }
      return now.since(evaluationStart) <= limit.nanoseconds
    }
  }

  /// Notes steps that have led to no event.
  @inline(__always)
  func noteSteps(_ execution: Execution) { if execution.stepCount &- mark >= Self.slice { read(execution) } }

  /// Notes a value that the stream publishes.
  @inline(__always)
  func notePublished(_ execution: Execution) {
    if isBeginning { reset(execution) } else { noteSteps(execution) }
  }

  /// Notes that a value or a completion has come from outside.
  @inline(__always)
  func noteInput() { isBeginning = false }

  /// Notes that the stream has nothing to do: the next event comes from outside.
  @inline(__always)
  func noteIdle(_ execution: Execution) {
    isBeginning = false
    reset(execution)
  }

  @inline(__always)
  private func reset(_ execution: Execution) {
    mark = execution.stepCount
    if latest != nil { forget(execution) }
  }

  @inline(never)
  private func forget(_ execution: Execution) {
    (latest, spent) = (nil, 0)
    shares?.end(execution)
    shares = nil
  }

  @inline(never)
  private func read(_ execution: Execution) {
    mark = execution.stepCount
    let now = ThreadTime.now
    defer { latest = now }
    guard let latest else { return }
    spent += now.since(latest)
    if spent > limit.nanoseconds {
      let subject = shares?.longest
      failure = StreamFailure(
        .workExceeded,
        "the stream works on one event for longer than \(limit.shortText)"
          + (subject.map { "; '\($0.name)' takes most of it" } ?? ""),
        pointer: subject?.pointer ?? JSONPointer(),
        help: "let it publish less at once, or raise the limit on the time for one event")
      shares?.end(execution)
    } else if spent > limit.nanoseconds / 2, shares == nil {
      let shares = WorkShares()
      shares.begin(execution)
      self.shares = shares
    }
  }
}

extension Interval {
  /// As in `10ms`, in the greatest unit that needs no fraction.
  package var shortText: String {
    let units: [(name: String, nanoseconds: Int64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
    let unit = units.first { nanoseconds % $0.nanoseconds == 0 }
    return unit.map { "\(nanoseconds / $0.nanoseconds)\($0.name)" } ?? "\(nanoseconds)ns"
  }
}
