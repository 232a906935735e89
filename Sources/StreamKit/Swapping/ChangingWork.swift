internal import CEL
internal import StreamCore
internal import StreamRuntime

/// The work of the task of a `ChangingStream`.
struct ChangingWork {
  /// A message to the task.
  enum Message: Sendable {
    case begin
    case value(Value, input: String)
    case completion(Completion, input: String)
    /// The result of a call that was made in an era: numbers of calls repeat after a restoration.
    case result(Result<Value, StreamFailure>, call: Int64, era: Int)
    case time(StreamTime)
    /// More work is left.
    case goOn
    case swap(StreamVersion, SwapTrial?, CheckedContinuation<Result<SwapReport, Diagnostics>?, Never>)
    /// The trial is over.
    case settle
    case cancel
  }

  var version: StreamVersion
  var execution: Execution
  private let services: HostServices
  private let keeper: SchedulerAdapter
  private let mail: AsyncStream<Message>.Continuation
  /// Receives a value; returns a failure if it does not fit the receiver.
  private let receive: @Sendable (Value) -> StreamFailure?
  let end: @Sendable (Completion) -> Void
  /// The scheduler's time at the start.
  private let start: StreamTime
  /// When the time keeper calls back; `distantFuture` if it has not been asked to.
  private var wakeTime = StreamTime.distantFuture
  /// The functions of the host that run, by the number of the call.
  var tasks: [Int64: (task: Task<Void, Never>, era: Int)] = [:]
  /// Number of restorations.
  var era = 0
  /// The version before a swap on trial.
  var former: FormerWork?
  /// The failure of a version on trial, until it is known whether the former version has it, too.
  var suspicion: (trial: SwapTrial, failure: StreamFailure)?
  /// The work since the last message or event.
  private var meter = WorkMeter(WorkLimit())
  private var hasBegun = false
  /// Values sent before the subscription to inputs without a current value; they are delivered right after it.
  private var early: [(value: Value, input: String)] = []
  /// The latest values for inputs that the model lacks; a later model may have them.
  var unheard: [String: Value] = [:]
  /// Whether the stream is canceled.
  let isCancelled: @Sendable () -> Bool

  /// Maximum number of deliveries before the messages are checked.
  static let patience = 4_096

  init(
    _ version: StreamVersion, _ services: HostServices, _ keeper: SchedulerAdapter,
    _ mail: AsyncStream<Message>.Continuation, isCancelled: @escaping @Sendable () -> Bool,
    receive: @escaping @Sendable (Value) -> StreamFailure?, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.isCancelled = isCancelled
    self.version = version
    self.services = services
    self.keeper = keeper
    self.mail = mail
    self.receive = receive
    self.end = end
    start = keeper.now
    execution = Execution(version.pipeline, origin: LiveClock().origin)
  }

  /// Whether nothing comes any more.
  var isOver: Bool { isCancelled() || execution.isEnded }

  /// Lets everybody go.
  mutating func close() {
    for dropped in execution.drops { services.report(dropped.report) }
    for note in execution.cancel() { services.tell(note) }
    for running in tasks.values { running.task.cancel() }
    tasks = [:]
  }

  mutating func take(_ message: Message) {
    settle()
    guard !execution.isEnded else {
      if case .swap(_, _, let told) = message { told.resume(returning: nil) }
      return
    }
    let time = now
    switch message {
    case .begin:
      hasBegun = true
      execution.request(.unlimited)
      for (value, name) in early { send(value, to: name, at: time) }
      early = []
    case .value, .completion:
      record(message, at: time)
      deliver(message, at: time)
    case .result(_, let call, let era):
      guard tasks[call]?.era == era else { break }
      tasks[call] = nil
      record(message, at: time)
      deliver(message, at: time)
    case .time(let deadline):
      if wakeTime == deadline { wakeTime = .distantFuture }
      execution.advance(to: max(time, deadline))
    case .swap(let next, let trial, let told): told.resume(returning: swap(to: next, trial))
    case .goOn, .settle, .cancel: break
    }
    if case .goOn = message {} else { meter.noteEvent(execution) }
    run()
    former?.state.finishWork(at: time)
  }

  /// Delivers a message from outside.
  mutating func deliver(_ message: Message, at time: StreamTime) {
    switch message {
    case .value(let value, let name): send(value, to: name, at: time)
    case .completion(let completion, let name):
      guard let input = version.pipeline.input(named: name) else { break }
      if case .failure(let failure) = completion {
        execution.fail(input, failure, at: time)
      } else {
        execution.finish(input, at: time)
      }
    case .result(let result, let call, _): execution.resolve(call, with: result, at: time)
    default: break
    }
  }

  var now: StreamTime { StreamTime(nanoseconds: max(0, keeper.now.nanoseconds - start.nanoseconds)) }

  /// Sends a value to an input by name, if it exists; a value of another than the declared type fails the input.
  private mutating func send(_ value: Value, to name: String, at time: StreamTime) {
    guard let input = version.pipeline.input(named: name) else {
      unheard[name] = value
      return
    }
    guard hasBegun || keepsValue(input) else { return early.append((value, name)) }
    do throws(InputConversion.Problem) {
      execution.send(try InputConversion(version.pipeline.inputs[input].type).convert(value), to: input, at: time)
    } catch {
      let failure = StreamFailure(
        .inputTypeMismatch, "the value does not fit the input '\(name)': \(error.message)",
        pointer: JSONPointer(["inputs", name]), value: value)
      execution.fail(input, failure, at: time)
    }
  }

  /// Whether an input is a current-value subject.
  private func keepsValue(_ input: Int) -> Bool { version.pipeline.inputs[input].initialValue != nil }

  /// Delivers until the stream has no more events, or a limit is reached.
  private mutating func run() {
    var isBusy = true
    // NB: A step ends with each event, so the steps are counted here.
    var steps = Self.patience
    while isBusy, !isCancelled() {
      let before = execution.stepCount
      let progress = execution.step(atMost: max(1, steps))
      steps -= max(1, execution.stepCount - before)
      switch progress {
      case .event(let event):
        meter.noteEvent(execution)
        handle(event)
        guard steps <= 0 else { break }
        mail.yield(.goOn)
        isBusy = false
      case .idle: isBusy = false
      case .unfinished:
        if let failure = meter.read(execution) { fail(failure) } else { mail.yield(.goOn) }
        isBusy = false
      }
    }
    confirmSuspicion()
    for call in execution.takeCanceledCalls() { tasks.removeValue(forKey: call)?.task.cancel() }
    guard let deadline = execution.nextDeadline, deadline < wakeTime else { return }
    wakeTime = deadline
    keeper.wake(at: StreamTime(nanoseconds: start.nanoseconds + deadline.nanoseconds)) { [mail] in
      mail.yield(.time(deadline))
    }
  }

  private mutating func handle(_ event: ExecutionEvent) {
    switch event {
    case .value(let value):
      if let failure = receive(value) {
        fail(failure)
      } else {
        former?.state.trial.countValue()
      }
    case .finished: end(.finished)
    case .failure(let failure):
      if !restoreFormer(after: failure) { end(.failure(failure)) }
    case .skipped(let failure): services.report(failure)
    case .noted(let note): services.tell(note)
    case .call(let call): start(call)
    }
  }

  /// Ends the version with a failure that is not its own.
  private mutating func fail(_ failure: StreamFailure) {
    guard !restoreFormer(after: failure) else { return }
    for note in execution.cancel() { services.tell(note) }
    end(.failure(failure))
  }

  /// Calls a function of the host.
  mutating func start(_ call: Call) {
    let task = Task { [services, mail, era] in
      let result = await services.answer(call)
      mail.yield(.result(result, call: call.id, era: era))
    }
    tasks[call.id] = (task, era)
  }

  private mutating func swap(to next: StreamVersion, _ trial: SwapTrial?) -> Result<SwapReport, Diagnostics> {
    do throws(Diagnostics) {
      let saved: Snapshot
      do {
        saved = try execution.snapshot()
      } catch {
        throw Diagnostics(.snapshotMismatch, "the state of the stream cannot be saved: \(error)")
      }
      let swap = try StreamSwap(of: saved, from: version, to: next, demand: .unlimited)
      let restored = try Execution(next.pipeline, restoring: swap.snapshot)
      begin(trial, saved)
      execution = restored
      version = next
      for call in swap.canceledCalls { tasks.removeValue(forKey: call)?.task.cancel() }
      for (name, value) in unheard {
        guard let input = next.pipeline.input(named: name) else { continue }
        unheard[name] = nil
        if keepsValue(input) { send(value, to: name, at: now) }
      }
      return .success(swap.report)
    } catch {
      return .failure(error)
    }
  }
}
