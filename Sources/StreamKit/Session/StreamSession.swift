@_spi(Engine) package import StreamCore
package import StreamEngine

/// One running stream, as every door runs it. It has no files, threads, locks or clock of its own, so the same calls have
/// the same effects on every machine.
///
/// A door passes events from outside to the session, takes its effects until there are none, and waits until an input
/// has a value or `nextWake` is due. The page "How a stream is run" describes the loop, and how to
/// write a door.
///
/// The session owns the execution. It limits the work and the memory of the stream, numbers the calls of the host's
/// functions, and swaps versions: during a trial it keeps the version before with all events from outside since the
/// swap, and continues as that version if the new one fails.
package final class StreamSession {
  /// An event that a session reports to its door. The order counts.
  package enum Effect {
    /// An event of the stream. The identifiers of calls are the session's: none occurs twice.
    case event(ExecutionEvent)
    /// The version on trial has failed; the version before it continues, as if there had been no swap.
    case rolledBack(StreamFailure)
    /// The stream has exceeded a limit. It has not ended: a longer run might have published more.
    case limited(StreamFailure)
    /// The stream has worked for a while without an event. The door can do other work before it continues.
    case busy
  }

  /// The execution of the version that runs.
  @exclusivity(unchecked) package internal(set) var execution: Execution
  /// The version that runs; nil if the stream is never swapped.
  @exclusivity(unchecked) var version: StreamVersion?
  @exclusivity(unchecked) var meter: WorkMeter
  /// Measures the time for each event; nil if it is not limited.
  let gauge: TimeGauge?
  let limit: RunLimits
  /// Effects that precede those of the execution.
  @exclusivity(unchecked) var effects: [Effect] = []
  /// Whether the effect returned last was a value. A value that the receiver refuses does not count for a trial.
  @exclusivity(unchecked) private var hasPublished = false
  /// The trial for which the version works, and the number of values that it has published since it was last idle. Work
  /// begins with a value from outside, or with one that is published. Values count for the trial once the version is idle:
  /// one that publishes without end in one instant is never good.
  @exclusivity(unchecked) private var work: (trial: SwapTrial, values: Int)?
  /// The version before the one on trial; nil without a trial.
  @exclusivity(unchecked) var former: FormerVersion? { didSet { noteEvents() } }
  /// The trial of a version without one before it; nil if there is none.
  @exclusivity(unchecked) var lastingTrial: SwapTrial? { didSet { noteEvents() } }
  /// Receives all events from outside. Default none.
  @exclusivity(unchecked) package weak var journal: (any SessionJournal)? { didSet { noteEvents() } }
  /// Whether events from outside are noted: for a trial, or in a journal. The stream takes no rows then, and values only
  /// by `send`.
  @exclusivity(unchecked) private(set) var keepsEvents = false
  /// The failure of a version on trial, until it is known whether the version before has it, too: until that version has
  /// done its work, or has taken so many steps.
  @exclusivity(unchecked) var suspicion: (trial: SwapTrial, failure: StreamFailure, steps: Int)?
  /// The end of the latest trial, until the door takes it.
  @exclusivity(unchecked) var trialEnd: TrialEnd?
  /// The session's number of each call whose result is awaited, by the execution's number.
  @exclusivity(unchecked) var calls: [Int64: Int64] = [:]
  /// The execution's number of each call whose result is awaited, by the session's number.
  @exclusivity(unchecked) private var callNumbers: [Int64: Int64] = [:]
  @exclusivity(unchecked) var callCount: Int64 = 0
  /// The calls whose results are no longer needed.
  @exclusivity(unchecked) var canceledCalls: [Int64] = []
  /// The newest values for inputs that the version lacks; a later version may have them.
  @exclusivity(unchecked) var unheard: [String: Value] = [:]
  /// Whether a failure is the fault of the surroundings rather than of the stream, such as a program that is asked to
  /// stop: no version is blamed then. Default never.
  package var isInterrupted: () -> Bool = { false }
  /// Called for each call that the stream makes, before its effect is returned. Default none.
  package var noteCall: ((Call) -> Void)?

  /// Creates a stream that has not started.
  ///
  /// - Parameters:
  ///   - pipeline: The stream.
  ///   - origin: The time at which it starts.
  ///   - skipsErrors: Whether values at which an operator fails are skipped.
  ///   - limit: The limit on the work between two events, from inside or outside.
  package convenience init(
    _ pipeline: Pipeline, origin: Timestamp, skipsErrors: Bool = false, limit: RunLimits = RunLimits()
  ) {
    self.init(Execution(pipeline, origin: origin, skipsErrors: skipsErrors), nil, limit)
  }

  /// Creates a stream that has not started and can be swapped.
  package convenience init(
    _ version: StreamVersion, origin: Timestamp, skipsErrors: Bool = false, limit: RunLimits = RunLimits()
  ) {
    self.init(Execution(version.pipeline, origin: origin, skipsErrors: skipsErrors), version, limit)
  }

  /// Creates a stream that continues from a snapshot.
  ///
  /// - Throws: `snapshotMismatch` if the snapshot is of another stream.
  package convenience init(
    _ pipeline: Pipeline, restoring saved: Snapshot, limit: RunLimits = RunLimits()
  ) throws(Diagnostics) {
    self.init(try Execution(pipeline, restoring: saved), nil, limit)
    makeOpenCalls()
  }

  /// Creates a stream that continues from a snapshot, and can be swapped. Time has not passed for it in the meantime.
  ///
  /// - Throws: `snapshotMismatch` if the snapshot is of another stream.
  package convenience init(
    _ version: StreamVersion, restoring saved: Snapshot, at now: Timestamp, limit: RunLimits = RunLimits()
  ) throws(Diagnostics) {
    let execution = try Execution(version.pipeline, restoring: saved)
    execution.setPresent(now)
    self.init(execution, version, limit)
    makeOpenCalls()
  }

  /// Takes over an execution.
  package init(_ execution: Execution, _ version: StreamVersion? = nil, _ limit: RunLimits = RunLimits()) {
    self.execution = execution
    self.version = version
    self.limit = limit
    meter = WorkMeter(limit)
    gauge = limit.timePerValue.map(TimeGauge.init)
    gauge?.watch(execution)
  }

  private func noteEvents() { keepsEvents = former != nil || lastingTrial != nil || journal != nil }

  // MARK: From outside

  /// Subscribes, and requests all values.
  package func start() { execution.request(.unlimited) }

  /// Sends a value to an input. It must have the declared type.
  package func send(_ value: Value, to input: Int, at time: StreamTime) {
    if keepsEvents { keep(.value(value, input: name(of: input)), at: time) }
    execution.send(value, to: input, at: time)
    meter.noteInput()
    gauge?.noteInput()
    meter.noteEvent(execution)
  }

  /// Sends a value to the input of a name, converted to its declared type; one that does not fit fails the input. If the
  /// version has no such input, a later one may have it.
  package func send(_ value: Value, named name: String, at time: StreamTime) {
    if keepsEvents { keep(.unconverted(value, input: name), at: time) }
    if !execution.send(value, named: name, at: time) { unheard[name] = value }
    meter.noteInput()
    gauge?.noteInput()
    meter.noteEvent(execution)
  }

  /// Sends a value as `send` does, if it can be handed to the stream directly.
  ///
  /// - Parameter event: The event that the value causes; nil if there is none.
  /// - Returns: False if the value must be sent with `send`.
  @inline(__always)
  package func hand(_ value: Value, to input: Int, at time: StreamTime, _ event: inout ExecutionEvent?) -> Bool {
    guard !keepsEvents, execution.hand(value, to: input, at: time, &event) else { return false }
    meter.noteEvent(execution)
    return true
  }

  /// The fields of rows that an input takes, if events are not kept; nil if it takes no rows now.
  package func rowFields(of input: Int) -> [String]? { keepsEvents ? nil : execution.rowFields(of: input) }

  /// Sends rows to an input, from the current one on, until one of them has an effect, or the stream takes no rows for
  /// the time being. The first row that was not taken becomes the current one.
  ///
  /// - Parameter rows: Rows of the fields that `rowFields` has returned, which other fields may follow.
  /// - Returns: The first effect, if any; `next` returns the rest.
  package func send(_ rows: LineRows, to input: Int, at time: StreamTime) -> Effect? {
    let event = execution.send(rows, to: input, at: time)
    meter.noteEvent(execution)
    return event.map(heard)
  }

  /// Completes an input.
  package func complete(_ input: Int, _ completion: Completion, at time: StreamTime) {
    complete(name(of: input), completion, at: time)
  }

  /// Completes the input of a name, if the version has it.
  package func complete(_ name: String, _ completion: Completion, at time: StreamTime) {
    if keepsEvents { keep(.completion(completion, input: name), at: time) }
    if let input = execution.pipeline.input(named: name) { execution.complete(input, completion, at: time) }
    meter.noteEvent(execution)
  }

  private func name(of input: Int) -> String { execution.pipeline.inputs[input].name }

  /// Answers a call.
  package func answer(_ call: Int64, _ result: Result<Value, StreamFailure>, at time: StreamTime) {
    guard let number = callNumbers.removeValue(forKey: call) else { return }
    calls[number] = nil
    if keepsEvents { keep(.result(result, call: call), at: time) }
    execution.resolve(number, with: result, at: time)
  }

  /// Lets timers fire up to this time.
  package func advance(to time: StreamTime) {
    if keepsEvents { keep(.advance, at: time) }
    execution.advance(to: time)
  }

  /// Lets time pass until the next timer fires. Returns false if none is set up to a time.
  @discardableResult
  package func advanceToNextTimer(through limit: StreamTime = .distantFuture) -> Bool {
    guard execution.advanceToNextTimer(through: limit) else { return false }
    if keepsEvents, let time = execution.nextDeadline { keep(.timer, at: time) }
    return true
  }

  /// Keeps an event from outside before it is delivered.
  @inline(never)
  private func keep(_ event: SessionEvent, at time: StreamTime) {
    former?.record(event, at: time)
    journal?.note(event, at: time)
    switch event {
    case .value, .unconverted: beginWork()
    case .advance, .timer, .result, .completion: break
    }
  }

  /// Begins work for the trial, if there is one.
  private func beginWork() {
    guard work == nil, let trial = former?.trial ?? lastingTrial else { return }
    work = (trial, 0)
    trial.beginWork()
  }

  /// Ends the stream. Returns what its operators note about that.
  package func cancel() -> [HookEvent] {
    cancelWork()
    return execution.cancel()
  }

  /// Ends the work for the trial without a result.
  func cancelWork() {
    work?.trial.cancelWork()
    work = nil
  }

  // MARK: Queries of a door

  /// When the session must be called again if nothing comes from outside; nil if never.
  package var nextWake: StreamTime? { execution.nextDeadline }

  /// The time to which the stream has been advanced.
  package var latestTime: StreamTime { execution.latestTime }

  /// Returns the state between two events.
  package func snapshot() throws -> Snapshot { try execution.snapshot() }

  /// The time of the stream.
  package var time: StreamTime { execution.time }

  /// Whether the stream has ended, and all its effects have been returned.
  package var isEnded: Bool { execution.isEnded && effects.isEmpty }

  /// Whether a version is on trial.
  package var isOnTrial: Bool { former != nil }

  /// Whether the stream requests a value of an input.
  @inline(__always)
  package func wants(_ input: Int) -> Bool { execution.wants(input) }

  /// Number of calls that the stream has made, and of those whose results are awaited.
  package var madeCallCount: Int64 { callCount }
  package var openCallCount: Int { calls.count }

  /// The values that operators have dropped for want of demand.
  package var drops: [Execution.DroppedValues] { execution.drops }

  /// Returns the calls whose results have become superfluous since the last use of this method.
  package func takeCanceledCalls() -> [Int64] {
    for number in execution.takeCanceledCalls() { cancelCall(number) }
    defer { canceledCalls = [] }
    return canceledCalls
  }

  /// Returns the next effect; nil if nothing happens before something comes from outside or time passes.
  ///
  /// - Parameter count: The number of steps after which a stream without an event is `busy`.
  package func next(atMost count: Int = WorkMeter.slice) -> Effect? {
    if !effects.isEmpty {
      hasPublished = false
      return effects.removeFirst()
    }
    if hasPublished, keepsEvents {
      beginWork()
      work?.values += 1
    }
    hasPublished = false
    if let steps = suspicion?.steps, execution.stepCount > steps { confirmSuspicion() }
    if let effect = exceeded() { return effect }
    var left = count
    while true {
      switch execution.step(atMost: gauge == nil ? left : min(left, TimeGauge.slice)) {
      case .idle:
        meter.noteIdle()
        gauge?.noteIdle(execution)
        endWork()
        finishWork()
        return nil
      case .unfinished:
        guard let gauge else { return .busy }
        gauge.noteSteps(execution)
        left -= TimeGauge.slice
        if left <= 0 || gauge.failure != nil { return .busy }
      case .event(let event): return heard(event)
      }
    }
  }

  /// Counts the values for the trial.
  func endWork() {
    guard let work else { return }
    self.work = nil
    work.trial.endWork(values: work.values)
  }

  /// Returns the effect of an event. The meter counts the work without an event; of calls and notes there may be as many
  /// as there is work.
  func heard(_ event: ExecutionEvent) -> Effect {
    switch event {
    case .value:
      meter.noteEvent(execution)
      meter.notePublished()
      gauge?.notePublished(execution)
      hasPublished = true
    case .failure(let failure): return failed(failure, .event(event))
    case .call(let call): return made(call)
    case .finished, .skipped: meter.noteEvent(execution)
    case .noted: break
    }
    return .event(event)
  }

  /// Ends the stream with a failure that is not its own, such as a value that the receiver refuses.
  package func fail(_ failure: StreamFailure) -> Effect {
    hasPublished = false
    return failed(failure, .event(.failure(failure)))
  }

  /// Restarts the count of work without an event: values have come in or gone out by a path of their own, or a real clock
  /// has gone on.
  package func noteEvent() { meter.noteEvent(execution) }

  /// Returns the effect of too much work or memory; nil if there was not too much.
  @inline(__always)
  package func exceeded() -> Effect? { (meter.read(execution) ?? gauge?.failure).map { failed($0, .limited($0)) } }

  /// Returns the effect of too much memory. Called when much data may have been read.
  package func exceededMemory() -> Effect? { limit.failure(of: execution).map { failed($0, .limited($0)) } }

  private func made(_ call: Call) -> Effect {
    let number = callCount
    callCount += 1
    calls[call.id] = number
    callNumbers[number] = call.id
    let numbered = Call(id: number, function: call.function, argument: call.argument, pointer: call.pointer)
    noteCall?(numbered)
    return .event(.call(numbered))
  }

  /// Makes the calls again that the execution waits for, those that have been made with their numbers.
  func makeOpenCalls(numbered numbers: [Int64: Int64]) {
    for call in execution.openCalls {
      guard let number = numbers[call.id] else {
        effects.append(made(call))
        continue
      }
      calls[call.id] = number
      callNumbers[number] = call.id
      effects.append(
        .event(.call(Call(id: number, function: call.function, argument: call.argument, pointer: call.pointer))))
    }
  }

  /// Makes the calls that the execution waits for and that have not been made.
  func makeOpenCalls() {
    for call in execution.openCalls where calls[call.id] == nil { effects.append(made(call)) }
  }

  /// Makes the calls that a restored execution waits for.
  package func makeCalls() { makeOpenCalls() }

  func cancelCall(_ number: Int64) {
    guard let call = calls.removeValue(forKey: number) else { return }
    callNumbers[call] = nil
    canceledCalls.append(call)
  }
}
