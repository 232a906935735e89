public import StreamCore
public import StreamEngine
public import StreamKit

/// Drives an execution in virtual time, step by step, and records its events.
///
/// A step is the smallest unit: one sent event, one deadline, or one output event. Between any two steps `betweenSteps`
/// may inspect the execution or replace it.
public struct HistoryRecorder {
  public private(set) var execution: Execution
  public private(set) var history = History()
  /// Whether the last run was stopped by a limit.
  public private(set) var isUnfinished = false
  /// Number of values requested at the start, and again whenever nothing more can happen.
  public var demand = Demand.unlimited
  /// Maximum number of steps.
  public var stepLimit = 100_000
  /// Maximum number of deliveries without an event, a guard against endless loops in a stream.
  public var silenceLimit = 20_000

  /// Returns the immediate result of a host function. By default every function returns its argument.
  public var answer: (Call) -> Result<Value, StreamFailure> = { .success($0.argument) }

  public init(_ execution: Execution) { self.execution = execution }

  /// Runs to the end, or until nothing more can happen.
  ///
  /// - Parameters:
  ///   - inputs: A history for each input.
  ///   - betweenSteps: Returns the execution to continue with; nil stops the run.
  public mutating func run(
    _ inputs: [History], betweenSteps: (Execution) throws -> Execution? = { $0 }
  ) rethrows {
    let events = inputs.enumerated().flatMap { input, history in
      history.events.map { (input: input, event: $0) }
    }
    .enumerated()
    .sorted { ($0.element.event.time, $0.offset) < ($1.element.event.time, $1.offset) }
    .map(\.element)
    .filter { $0.event.time >= .zero }
    var next = events.startIndex
    isUnfinished = true
    execution.request(demand)
    for _ in 0..<stepLimit {
      guard let following = try betweenSteps(execution) else { return isUnfinished = false }
      execution = following
      let progress = execution.step(atMost: silenceLimit)
      if case .unfinished = progress { return }
      if case .event(let event) = progress {
        if case .noted = event { continue }
        if case .call(let call) = event {
          execution.resolve(call.id, with: answer(call), at: execution.time)
          continue
        }
        history.events.append(History.Event(execution.time, event))
        if !demand.isUnlimited, case .value = event { execution.request(demand) }
      } else if execution.isEnded {
        return isUnfinished = false
      } else if next < events.endIndex, isNext(events[next].event.time) {
        send(events[next].event, to: events[next].input)
        next += 1
      } else if !execution.advanceToNextTimer() {
        return isUnfinished = false
      }
    }
  }

  /// Whether an event at this time comes before the next timer.
  private func isNext(_ time: StreamTime) -> Bool {
    guard let deadline = execution.nextDeadline else { return true }
    return time <= deadline
  }

  private func send(_ event: History.Event, to input: Int) {
    switch event.event {
    case .value(let value): execution.send(value, to: input, at: event.time)
    case .finished: execution.finish(input, at: event.time)
    case .failure(let failure): execution.fail(input, failure, at: event.time)
    case .skipped, .call, .noted: break
    }
  }
}
