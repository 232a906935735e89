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
  package private(set) var failure: StreamFailure?
  /// Whether nothing has come from outside.
  private var isBeginning = true
  /// Number of steps since the time was read last.
  private var count = 0
  /// The time at which it was read last, and the time that the event had taken then.
  private var latest: ThreadTime?
  private var spent: Int64 = 0
  private var shares: WorkShares?
  /// The time when the evaluation in progress was found to be long.
  private var evaluationStart = ThreadTime.now

  /// Number of steps between two readings.
  private static let slice = 1_000
  /// Number of steps of an evaluation between two readings.
  private static let evaluationSlice = 20_000

  init(_ limit: Interval) { self.limit = limit }

  /// Measures the evaluations of an execution, too: one that takes too long fails.
  func watch(_ execution: Execution) {
    let problem = "the evaluation took longer than \(limit.shortText)"
    execution.activation.pause(every: Self.evaluationSlice, failing: problem) { [weak self] isFirst in
      guard let self else { return true }
      let now = ThreadTime.now
      if isFirst { evaluationStart = now }
      return now.since(evaluationStart) <= limit.nanoseconds
    }
  }

  /// Takes steps as `Execution.step` does.
  func step(_ execution: Execution, atMost most: Int) -> Execution.Progress {
    var left = most
    while true {
      let before = execution.stepCount
      let progress = execution.step(atMost: min(left, Self.slice))
      let steps = execution.stepCount &- before
      switch progress {
      case .idle:
        isBeginning = false
        reset(execution)
        return progress
      case .event(let event):
        if isBeginning, case .value = event { reset(execution) } else { add(steps, execution) }
        return progress
      case .unfinished:
        add(steps, execution)
        left -= Self.slice
        if left <= 0 || failure != nil { return progress }
      }
    }
  }

  private func add(_ steps: Int, _ execution: Execution) {
    count &+= steps
    if count >= Self.slice { read(execution) }
  }

  /// Begins with the next event.
  @inline(__always)
  private func reset(_ execution: Execution) {
    count = 0
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
    count = 0
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
