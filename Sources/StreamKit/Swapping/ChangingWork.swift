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
    case time(StreamTime)
    /// More work is left.
    case proceed
    case swap(StreamVersion, SwapTrial?, CheckedContinuation<Result<SwapReport, Diagnostics>?, Never>)
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
  /// When the time keeper calls back; `distantFuture` if it has not been asked to.
  private var wakeTime = StreamTime.distantFuture
  /// The functions of the host that run, by the number of the call.
  private var tasks: [Int64: Task<Void, Never>] = [:]
  private var hasBegun = false
  /// Values sent before the subscription to inputs without a current value; they are delivered right after it.
  private var early: [(value: Value, input: String)] = []
  /// Whether the stream is canceled.
  private let isCancelled: @Sendable () -> Bool

  /// Maximum number of effects before the messages are checked.
  private static let patience = 4_096

  init(
    _ session: StreamSession, _ services: HostServices, _ keeper: SchedulerAdapter,
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
    start = StreamTime(nanoseconds: keeper.now.nanoseconds &- session.latestTime.nanoseconds)
  }

  /// Whether the stream has completed.
  var isEnded: Bool { session.isEnded }

  /// Returns the state between two events.
  func snapshot() throws -> Snapshot {
    session.advance(to: now)
    return try session.snapshot()
  }

  /// Whether the run was canceled or has ended.
  var isOver: Bool { isCancelled() || session.isEnded }

  /// Cancels the stream and the functions of the host.
  mutating func close() {
    for dropped in session.drops { services.report(dropped.report) }
    for note in session.cancel() { services.tell(note) }
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
      hasBegun = true
      session.start()
      for (value, name) in early { send(value, to: name) }
      early = []
    case .value(let value, let name): send(value, to: name)
    case .completion(let completion, let name): session.complete(name, completion, at: now)
    case .result(let result, let call):
      tasks[call] = nil
      session.answer(call, result, at: now)
    case .time(let deadline):
      if wakeTime == deadline { wakeTime = .distantFuture }
      session.advance(to: max(now, deadline))
    case .swap(let next, let trial, let told):
      do throws(Diagnostics) {
        let swap = try session.prepare(next)
        session.become(swap, on: trial)
        told.resume(returning: .success(swap.report))
      } catch {
        told.resume(returning: .failure(error))
      }
    case .save(let told): told.resume(with: Result { try snapshot() })
    case .proceed, .settle, .cancel: break
    }
    if case .proceed = message {} else { session.noteEvent() }
    run()
  }

  private var now: StreamTime { StreamTime(nanoseconds: max(0, keeper.now.nanoseconds - start.nanoseconds)) }

  private mutating func send(_ value: Value, to name: String) {
    let pipeline = session.execution.pipeline
    if !hasBegun, let input = pipeline.input(named: name), pipeline.inputs[input].initialValue == nil {
      early.append((value, name))
    } else {
      session.send(value, named: name, at: now)
    }
  }

  /// Takes the effects until there are none, or many others may wait.
  private mutating func run() {
    var patience = Self.patience
    while !isCancelled(), let effect = session.next() {
      handle(effect)
      patience -= 1
      if case .busy = effect { patience = 0 }
      guard patience > 0 else {
        mail.yield(.proceed)
        break
      }
    }
    for call in session.takeCanceledCalls() { tasks.removeValue(forKey: call)?.cancel() }
    guard let deadline = session.nextWake, deadline < wakeTime else { return }
    wakeTime = deadline
    keeper.wake(at: StreamTime(nanoseconds: start.nanoseconds + deadline.nanoseconds)) { [mail] in
      mail.yield(.time(deadline))
    }
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
    case .rolledBack, .busy: break
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
