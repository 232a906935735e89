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
    case result(Result<Value, StreamFailure>, call: Int64)
    case time(StreamTime)
    /// More work is left.
    case goOn
    case swap(StreamVersion, CheckedContinuation<Result<SwapReport, Diagnostics>?, Never>)
    case cancel
  }

  private var version: StreamVersion
  private var execution: Execution
  private let services: HostServices
  private let keeper: SchedulerAdapter
  private let mail: AsyncStream<Message>.Continuation
  private let receive: @Sendable (Value) -> Void
  private let end: @Sendable (Completion) -> Void
  /// The scheduler's time at the start.
  private let start: StreamTime
  /// When the time keeper calls back; `distantFuture` if it has not been asked to.
  private var wakeTime = StreamTime.distantFuture
  /// The functions of the host that run.
  private var tasks: [Int64: Task<Void, Never>] = [:]
  private var hasBegun = false
  /// Values sent before the subscription to inputs without a current value; they are delivered right after it.
  private var early: [(value: Value, input: String)] = []
  /// The latest values for inputs that the model lacks; a later model may have them.
  private var unheard: [String: Value] = [:]
  /// Whether the stream is canceled.
  private let isCancelled: @Sendable () -> Bool

  /// Maximum number of deliveries before the messages are checked.
  private static let patience = 4_096

  init(
    _ version: StreamVersion, _ services: HostServices, _ keeper: SchedulerAdapter,
    _ mail: AsyncStream<Message>.Continuation, isCancelled: @escaping @Sendable () -> Bool,
    receive: @escaping @Sendable (Value) -> Void, end: @escaping @Sendable (Completion) -> Void
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
    for note in execution.cancel() { services.tell(note) }
    for task in tasks.values { task.cancel() }
    tasks = [:]
  }

  mutating func take(_ message: Message) {
    switch message {
    case .begin:
      hasBegun = true
      execution.request(.unlimited)
      for (value, name) in early { send(value, to: name) }
      early = []
    case .value(let value, let name): send(value, to: name)
    case .completion(let completion, let name):
      guard let input = version.pipeline.input(named: name) else { break }
      if case .failure(let failure) = completion {
        execution.fail(input, failure, at: now)
      } else {
        execution.finish(input, at: now)
      }
    case .result(let result, let call):
      tasks[call] = nil
      execution.resolve(call, with: result, at: now)
    case .time(let deadline):
      if wakeTime == deadline { wakeTime = .distantFuture }
      execution.advance(to: max(now, deadline))
    case .goOn: break
    case .swap(let next, let told): told.resume(returning: swap(to: next))
    case .cancel: break
    }
    run()
  }

  private var now: StreamTime { StreamTime(nanoseconds: max(0, keeper.now.nanoseconds - start.nanoseconds)) }

  /// Sends a value to an input by name, if it exists; a value of another than the declared type fails the input.
  private mutating func send(_ value: Value, to name: String) {
    guard let input = version.pipeline.input(named: name) else {
      unheard[name] = value
      return
    }
    guard hasBegun || keepsValue(input) else { return early.append((value, name)) }
    do throws(InputConversion.Problem) {
      execution.send(try InputConversion(version.pipeline.inputs[input].type).convert(value), to: input, at: now)
    } catch {
      let failure = StreamFailure(
        .inputTypeMismatch, "the value does not fit the input '\(name)': \(error.message)",
        pointer: JSONPointer(["inputs", name]), value: value)
      execution.fail(input, failure, at: now)
    }
  }

  /// Whether an input is a current-value subject.
  private func keepsValue(_ input: Int) -> Bool { version.pipeline.inputs[input].initialValue != nil }

  /// Delivers until the stream has no more events, or a limit is reached.
  private mutating func run() {
    var isBusy = true
    while isBusy, !isCancelled() {
      switch execution.step(atMost: Self.patience) {
      case .event(let event): handle(event)
      case .idle: isBusy = false
      case .unfinished:
        mail.yield(.goOn)
        isBusy = false
      }
    }
    for call in execution.takeCanceledCalls() { tasks.removeValue(forKey: call)?.cancel() }
    guard let deadline = execution.nextDeadline, deadline < wakeTime else { return }
    wakeTime = deadline
    keeper.wake(at: StreamTime(nanoseconds: start.nanoseconds + deadline.nanoseconds)) { [mail] in
      mail.yield(.time(deadline))
    }
  }

  private mutating func handle(_ event: ExecutionEvent) {
    switch event {
    case .value(let value): receive(value)
    case .finished: end(.finished)
    case .failure(let failure): end(.failure(failure))
    case .skipped(let failure): services.report(failure)
    case .noted(let note): services.tell(note)
    case .call(let call):
      tasks[call.id] = Task { [services, mail] in
        let result = await services.answer(call)
        mail.yield(.result(result, call: call.id))
      }
    }
  }

  private mutating func swap(to next: StreamVersion) -> Result<SwapReport, Diagnostics> {
    do throws(Diagnostics) {
      let saved: Snapshot
      do {
        saved = try execution.snapshot()
      } catch {
        throw Diagnostics(.snapshotMismatch, "the state of the stream cannot be saved: \(error)")
      }
      let swap = try StreamSwap(of: saved, from: version, to: next, demand: .unlimited)
      execution = try Execution(next.pipeline, restoring: swap.snapshot)
      version = next
      for call in swap.canceledCalls { tasks.removeValue(forKey: call)?.cancel() }
      for (name, value) in unheard {
        guard let input = next.pipeline.input(named: name) else { continue }
        unheard[name] = nil
        if keepsValue(input) { send(value, to: name) }
      }
      return .success(swap.report)
    } catch {
      return .failure(error)
    }
  }
}
