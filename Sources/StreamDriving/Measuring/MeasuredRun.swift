internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The counts of a run.
struct RunTally: Hashable {
  /// The values that went in: sent to inputs, or published by the stream's own source.
  var taken = 0
  var published = 0
  /// Values that an operator failed at, and that were left out.
  var skipped = 0
  /// Number of subscriptions.
  var starts = 0
  /// Whether the run ended because of its work, before its values did.
  var isStopped = false
}

/// Consecutive executions of a stream whose values are counted and discarded.
struct MeasuredRun {
  private let pipeline: Pipeline
  private let skipsErrors: Bool
  private let explain: (StreamFailure) -> Diagnostic
  private(set) var session: StreamSession
  private(set) var tally = RunTally()
  /// Whether the stream has ended, and has not been subscribed to again.
  private(set) var hasEnded = false

  private let limit: RunLimits
  /// Maximum number of steps of the run.
  private let mostSteps: Int
  /// Number of steps of the executions before this one, and of the subscriptions.
  private var earlierSteps = 0

  /// Steps for one value of the run, on average, for which no stream is stopped.
  private static let valueSteps = 100
  /// Steps charged for a subscription, which creates an execution.
  private static let subscriptionSteps = 1_000

  /// - Parameters:
  ///   - limit: The limit on the work between two events. A whole run takes as many steps at most, and 100 for each of
  ///     its values.
  ///   - count: Number of values in the run.
  init(
    _ pipeline: Pipeline, skipsErrors: Bool, _ limit: RunLimits, count: Int,
    explain: @escaping (StreamFailure) -> Diagnostic
  ) {
    self.pipeline = pipeline
    let (steps, overflow) = count.multipliedReportingOverflow(by: Self.valueSteps)
    mostSteps = overflow ? .max : limit.budget.addingReportingOverflow(steps).overflow ? .max : limit.budget + steps
    self.limit = limit
    self.skipsErrors = skipsErrors
    self.explain = explain
    session = Self.session(pipeline, skipsErrors, limit)
  }

  private static func session(_ pipeline: Pipeline, _ skipsErrors: Bool, _ limit: RunLimits) -> StreamSession {
    StreamSession(pipeline, origin: Timestamp(seconds: 0), skipsErrors: skipsErrors, limit: limit)
  }

  /// Subscribes and processes the immediate events.
  mutating func start() throws(MeasurementStop) {
    subscribe()
    try drain()
  }

  /// Subscribes to the stream, again if necessary, with unlimited demand.
  mutating func subscribe() {
    if tally.starts > 0 {
      earlierSteps += session.execution.stepCount
      session = Self.session(pipeline, skipsErrors, limit)
    }
    earlierSteps += Self.subscriptionSteps
    tally.starts += 1
    hasEnded = false
    session.start()
  }

  /// Sends a value and processes the resulting events.
  @inline(__always)
  mutating func send(_ value: Value, to input: Int, at time: StreamTime) throws(MeasurementStop) {
    var event: ExecutionEvent?
    tally.taken += 1
    if session.hand(value, to: input, at: time, &event) {
      if let event { try handle(event) }
      if session.execution.isAtRest { return }
    } else {
      session.send(value, to: input, at: time)
    }
    try drain()
  }

  /// Finishes all inputs and processes the resulting events.
  mutating func finish(at time: StreamTime) throws(MeasurementStop) {
    for input in pipeline.inputs.indices { session.complete(input, .finished, at: time) }
    try drain()
  }

  /// Processes events until the execution is idle.
  ///
  /// - Parameter limit: Number of published values after which it stops.
  /// - Returns: Whether the limit was not reached.
  @discardableResult
  mutating func drain(limit: Int = .max) throws(MeasurementStop) -> Bool {
    while true {
      try checkInterruption()
      guard let effect = session.next() else { return true }
      try handle(effect)
      if tally.published >= limit { return false }
    }
  }

  mutating func handle(_ effect: StreamSession.Effect) throws(MeasurementStop) {
    switch effect {
    case .event(let event): try handle(event)
    case .limited(let failure):
      try checkInterruption()
      throw .failed(explain(failure))
    case .busy, .rolledBack: break
    }
  }

  /// Ends the run if the program is asked to stop.
  func checkInterruption() throws(MeasurementStop) {
    if Interruption.hasHappened { throw .interrupted }
  }

  /// Whether the run has taken as many steps as a whole run may; it ends then.
  mutating func isUsedUp() -> Bool {
    guard earlierSteps + session.execution.stepCount > mostSteps else { return false }
    tally.isStopped = true
    return true
  }

  mutating func countTaken(_ count: Int) { tally.taken += count }

  @inline(__always)
  private mutating func handle(_ event: ExecutionEvent) throws(MeasurementStop) {
    switch event {
    case .value: tally.published += 1
    case .failure(let failure): throw MeasurementStop(failure, explain(failure))
    case .skipped: tally.skipped += 1
    // No function of a host is registered, so none can be called.
    case .noted, .call: break
    case .finished: hasEnded = true
    }
  }
}
