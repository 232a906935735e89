internal import StreamCore
internal import StreamRuntime

/// What a run came to.
struct RunTally: Hashable {
  /// The values that went in: sent to inputs, or published by the stream's own source.
  var taken = 0
  var published = 0
  /// Values that an operator failed at, and that were left out.
  var skipped = 0
  /// How often the stream was subscribed to.
  var starts = 0
}

/// One execution after the other of a stream whose values are counted and thrown away.
struct MeasuredRun {
  private let pipeline: Pipeline
  private let skipsErrors: Bool
  private let explain: (StreamFailure) -> Diagnostic
  private(set) var execution: Execution
  private(set) var tally = RunTally()

  private var meter: WorkMeter

  init(_ pipeline: Pipeline, skipsErrors: Bool, _ limit: WorkLimit, explain: @escaping (StreamFailure) -> Diagnostic) {
    self.pipeline = pipeline
    meter = WorkMeter(limit)
    self.skipsErrors = skipsErrors
    self.explain = explain
    execution = Execution(pipeline, skipsErrors: skipsErrors)
  }

  /// Subscribes, and hears what comes at once.
  mutating func start() throws(MeasurementStop) {
    subscribe()
    try drain()
  }

  /// Subscribes to the stream, anew where that has been done, and asks for everything.
  mutating func subscribe() {
    if tally.starts > 0 { execution = Execution(pipeline, skipsErrors: skipsErrors) }
    tally.starts += 1
    execution.request(.unlimited)
  }

  /// Sends a value, and hears what comes of it.
  @inline(__always)
  mutating func send(_ value: Value, to input: Int, at time: StreamTime) throws(MeasurementStop) {
    var event: ExecutionEvent?
    tally.taken += 1
    if execution.hand(value, to: input, at: time, &event) {
      if let event { try hear(event) }
      if execution.isAtRest { return }
    } else {
      execution.send(value, to: input, at: time)
    }
    try drain()
  }

  /// Ends all inputs, and hears what comes of it.
  mutating func finish(at time: StreamTime) throws(MeasurementStop) {
    for input in pipeline.inputs.indices { execution.finish(input, at: time) }
    try drain()
  }

  /// Hears all that the stream has to say until the host goes on.
  ///
  /// - Parameter limit: nothing more is heard where so many values have been published, or more.
  /// - Returns: whether that is not so.
  @discardableResult
  mutating func drain(limit: Int = .max) throws(MeasurementStop) -> Bool {
    while true {
      try look()
      switch execution.step(atMost: WorkMeter.slice) {
      case .idle: return true
      case .unfinished: break
      case .event(let event):
        try hear(event)
        if tally.published >= limit { return false }
      }
    }
  }

  /// Ends the run where the program was asked to stop, or where it takes more work or memory than it may.
  mutating func look() throws(MeasurementStop) {
    if Interruption.hasHappened { throw .interrupted }
    guard let failure = meter.read(execution) else { return }
    if Interruption.hasHappened { throw .interrupted }
    throw .failed(explain(failure))
  }

  /// Notes that something happens: the limit counts the work from here on.
  mutating func noteEvent() { meter.noteEvent(execution) }

  mutating func countTaken(_ count: Int) { tally.taken += count }

  @inline(__always)
  private mutating func hear(_ event: ExecutionEvent) throws(MeasurementStop) {
    switch event {
    case .value:
      tally.published += 1
      meter.noteEvent(execution)
    case .failure(let failure): throw MeasurementStop(failure, explain(failure))
    case .skipped: tally.skipped += 1
    // No function of a host is registered, so none can be called.
    case .finished, .noted, .call: break
    }
  }
}
