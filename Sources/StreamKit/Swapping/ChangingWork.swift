internal import StreamCore
internal import StreamEngine

/// The work of the task of a `ChangingStream`: moves messages into a session, and its effects to the receiver.
struct ChangingWork {
  /// A message to the task.
  enum Message: Sendable {
    case begin
    case value(Value, input: String)
    case completion(Completion, input: String)
    case result(Result<Value, StreamFailure>, call: Int64)
    /// The time source calls, at a time of its own.
    case time(StreamTime)
    /// More work is left.
    case proceed
    case swap(StreamVersion, SwapTrial?, CheckedContinuation<Result<SwapReport, Diagnostics>?, Never>)
    /// A trial of the version that runs begins.
    case trial(SwapTrial)
    /// A task waits for the state between two events.
    case save(CheckedContinuation<Snapshot?, any Error>)
    /// The trial is over.
    case settle
    case cancel
  }

  private let session: StreamSession
  private let services: HostServices
  private let keeper: SchedulerAdapter
  private let mail: AsyncStream<Message>.Continuation
  /// Receives a value; returns a failure if it does not fit the receiver.
  private let receive: @Sendable (Value) -> StreamFailure?
  private let end: @Sendable (Completion) -> Void
  /// The scheduler's time at the start.
  private let start: StreamTime
  /// The call by which the time source makes it continue.
  private var wake = StreamWake()
  /// The functions of the host that run, by the number of the call.
  private var tasks: [Int64: Task<Void, Never>] = [:]
  /// Whether there is a receiver.
  private var isAsked = false
  private var hasBegun = false
  /// Values sent before the subscription to inputs without a current value; they are delivered right after it.
  private var early: [(value: Value, input: String)] = []
  /// The time of the stream, if it follows the values of an input.
  private var timeline: EventTimeline?
  /// When the timeline has its next step without a value, by the scheduler's clock; nil if never.
  private var timelineWake: StreamTime?
  /// The names of the inputs that have feeds.
  private let fed: Set<String>
  /// The reason why it cannot start.
  private var refusal: StreamFailure?
  /// Whether the stream is canceled.
  private let isCancelled: @Sendable () -> Bool

  /// Maximum number of effects before the messages are checked.
  private static let patience = 4_096

  /// - Parameters:
  ///   - fed: The names of the inputs that have feeds.
  ///   - saved: The values that waited for their time when the state of the stream was saved.
  init(
    _ session: StreamSession, _ services: HostServices, _ keeper: SchedulerAdapter, fed: Set<String>, saved: Value?,
    _ mail: AsyncStream<Message>.Continuation, isCancelled: @escaping @Sendable () -> Bool,
    receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.isCancelled = isCancelled
    self.services = services
    self.keeper = keeper
    self.mail = mail
    self.receive = receive
    self.end = end
    self.session = session
    self.fed = fed
    start = keeper.now - Interval(nanoseconds: session.latestTime.nanoseconds)
    followClocks()
    guard let saved else { return }
    do throws(Diagnostic) {
      try timeline?.restore(saved)
    } catch {
      refusal = StreamFailure(error.code, error.message)
    }
  }

  /// Whether the stream has completed.
  var isEnded: Bool { session.isEnded }

  /// Returns the state between two events.
  func snapshot() throws -> Snapshot {
    if timeline == nil { session.advance(to: now) }
    var snapshot = try session.snapshot()
    snapshot.waiting = try timeline?.saved()
    return snapshot
  }

  /// Whether the run was canceled or has ended.
  var isOver: Bool { isCancelled() || session.isEnded }

  /// Cancels the stream and the functions of the host.
  mutating func close() {
    for dropped in session.drops { services.report(dropped.report) }
    if let report = timeline?.report { services.report(report) }
    for note in session.cancel() { services.tell(note) }
    wake.cancel()
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }

  mutating func take(_ message: Message) {
    session.settle()
    guard !session.isEnded else {
      switch message {
      case .swap(_, _, let told): told.resume(returning: nil)
      case .save(let told): told.resume(returning: nil)
      // The saved state is that of a stream which had ended.
      case .begin: end(.finished)
      default: break
      }
      return
    }
    switch message {
    case .begin:
      isAsked = true
      begin()
    case .value(let value, let name): send(value, to: name)
    case .completion(let completion, let name):
      if timeline?.complete(name, completion) != true { session.complete(name, completion, at: now) }
    case .result(let result, let call):
      tasks[call] = nil
      session.answer(call, result, at: now)
    case .time(let time):
      wake.note(time)
      if timeline == nil { session.advance(to: max(now, time - Interval(nanoseconds: start.nanoseconds))) }
    case .swap(let next, let trial, let told):
      do throws(Diagnostics) {
        let swap = try session.prepare(next)
        session.become(swap, on: trial)
        followClocks()
        told.resume(returning: .success(swap.report))
      } catch {
        told.resume(returning: .failure(error))
      }
    case .trial(let trial): session.begin(trial)
    case .save(let told): told.resume(with: Result { try snapshot() })
    case .proceed, .settle, .cancel: break
    }
    if case .proceed = message {} else { session.noteEvent() }
    run()
  }

  private var now: StreamTime {
    if let timeline { return timeline.present(session.latestTime) }
    return StreamTime(nanoseconds: max(0, (keeper.now - start).nanoseconds))
  }

  private mutating func send(_ value: Value, to name: String) {
    let pipeline = session.execution.pipeline
    if let timeline, timeline.hasClock(name), let number = pipeline.input(named: name) {
      do throws(InputConversion.Problem) {
        timeline.take(try InputConversion(pipeline.inputs[number].type).convert(value), for: name)
      } catch {
        _ = timeline.complete(name, .failure(error.failure(of: value, name)))
      }
    } else if !hasBegun, let input = pipeline.input(named: name), pipeline.inputs[input].initialValue == nil {
      early.append((value, name))
    } else {
      session.send(value, named: name, at: now)
    }
  }

  // MARK: Event time

  /// Uses the clocks that the version gives its inputs.
  private mutating func followClocks() {
    let pipeline = session.execution.pipeline
    if let timeline { return timeline.use(pipeline) }
    guard pipeline.inputs.contains(where: { $0.time != nil && fed.contains($0.name) }) else { return }
    let isRunning = hasBegun || session.latestTime > .zero
    timeline = EventTimeline(
      pipeline, fed: fed, limit: services.limits.waiting, keeper, origin: isRunning ? session.execution.origin : nil)
  }

  /// Starts the stream, if its first value is known where time follows values.
  private mutating func begin() {
    guard isAsked, !hasBegun else { return }
    if let refusal { return stop(session.fail(refusal)) }
    if let timeline, timeline.origin == nil {
      switch timeline.start() {
      case .success(let origin): session.execution.setOrigin(origin)
      case .failure(let waiting):
        timelineWake = waiting.time
        return
      }
    }
    hasBegun = true
    session.start()
    for (value, name) in early { send(value, to: name) }
    early = []
  }

  /// Performs the next step of the timeline. Returns false if nothing happens before a value arrives or time passes.
  private mutating func takeTimelineStep() -> Bool {
    guard let timeline, hasBegun, !session.isEnded else { return false }
    let execution = session.execution
    let step = timeline.step(session.latestTime, timer: session.nextWake) { name in
      execution.pipeline.input(named: name).map(execution.wants) ?? false
    }
    switch step {
    case .value(let value, let name, let time): session.send(value, named: name, at: time)
    case .lateValue(let value, let input, let time): session.send(value, to: input, at: time)
    case .completion(let completion, let name, let time): session.complete(name, completion, at: time)
    case .timer(let limit): return session.advanceToNextTimer(through: limit)
    case .wait(let time):
      timelineWake = time
      return false
    }
    session.noteEvent()
    return true
  }

  /// Takes the effects until there are none, or many others may wait.
  private mutating func run() {
    var patience = Self.patience
    timelineWake = nil
    begin()
    while !isCancelled() {
      guard let effect = session.next() else {
        guard takeTimelineStep() else { break }
        continue
      }
      handle(effect)
      patience -= 1
      if case .busy = effect { patience = 0 }
      guard patience > 0 else {
        mail.yield(.proceed)
        break
      }
    }
    for call in session.takeCanceledCalls() { tasks.removeValue(forKey: call)?.cancel() }
    // By the time source's clock where time follows values, else by the stream's.
    let next =
      timeline == nil ? session.nextWake.map { start + Interval(nanoseconds: $0.nanoseconds) } : timelineWake
    guard let next, next < wake.time else { return }
    wake.request(at: next, of: keeper) { [mail] in mail.yield(.time($0)) }
  }

  private mutating func handle(_ effect: StreamSession.Effect) {
    switch effect {
    case .event(.value(let value)): if let failure = receive(value) { stop(session.fail(failure)) }
    case .event(.finished): end(.finished)
    case .event(.failure(let failure)): end(.failure(failure))
    case .event(.skipped(let failure)): services.report(failure)
    case .event(.noted(let note)): services.tell(note)
    case .event(.call(let call)): start(call)
    case .limited: stop(effect)
    case .rolledBack: followClocks()
    case .busy: break
    }
  }

  /// Ends the stream with a failure that is not its own.
  private mutating func stop(_ effect: StreamSession.Effect) {
    switch effect {
    case .event(.failure(let failure)), .limited(let failure):
      for note in session.cancel() { services.tell(note) }
      end(.failure(failure))
    case .event, .rolledBack, .busy: break
    }
  }

  /// Calls a function of the host.
  private mutating func start(_ call: Call) {
    tasks[call.id] = Task { [services, mail] in
      let result = await services.answer(call)
      mail.yield(.result(result, call: call.id))
    }
  }
}
