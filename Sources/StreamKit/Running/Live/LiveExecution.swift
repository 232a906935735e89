public import StreamCore
public import StreamEngine
internal import Synchronization

/// An execution in real time, usable from any thread.
///
/// One thread at a time is active: the sender of an event while no other is, or a thread of the scheduler if it takes
/// the work. Events from other threads, and from within a delivery, are queued in a mailbox that the active thread
/// empties in order. So no delivery happens within a delivery, and no lock is held during a call. Callers wait only if
/// they send while the mailbox is full, or to take over from an active thread that has done its turn.
///
/// NB: Exclusivity is not checked here: `state` serializes all accesses.
///
/// - SeeAlso: Flat combining (Hendler, Incze, Shavit, Tzafrir 2010); this is its simplest form.
@_spi(Driving) open class LiveExecution: @unchecked Sendable {  // `state` protects what is `var`
  final let services: HostServices
  final let feeds: InputFeeds
  final let keeper: SchedulerAdapter
  final let execution: Execution
  final let mail = Mailbox<Message>()
  private final let state = Atomic(State.starting.rawValue)
  private final let isCancelled = Atomic(false)
  /// Whether the active thread has done its turn, so that the next sender takes over.
  private final let wantsRelief = Atomic(false)
  /// Whether it has subscribed.
  @exclusivity(unchecked) private final var hasBegun = false
  /// Whether the output may depend on the clock.
  final let readsTime: Bool
  /// Whether time follows the values of an input.
  final let followsValues: Bool
  @exclusivity(unchecked) final var coldState: ColdState?
  final let savedState: StreamState?

  /// Rarely needed state, kept separately so that most executions stay small.
  final class ColdState {
    /// The scheduler's time at the start.
    @exclusivity(unchecked) var start = StreamTime.zero
    /// The call by which the time source makes it continue.
    @exclusivity(unchecked) var wake = StreamWake()
    /// The functions of the host that run.
    @exclusivity(unchecked) var tasks: [Int64: Task<Void, Never>] = [:]
    /// The thread that takes over from the active one.
    @exclusivity(unchecked) var relief: Latch?
    /// The work since the stream had nothing to do, if there was much, or if its memory is limited.
    @exclusivity(unchecked) var meter: WorkMeter?
    /// Whether the meter is kept while the stream has nothing to do, and the number of values since it was read.
    @exclusivity(unchecked) var keepsMeter = false
    @exclusivity(unchecked) var unreadCount = 0
    /// Whether the stream has failed for a reason outside its model.
    @exclusivity(unchecked) var hasFailed = false
    /// Whether it continues from a saved state.
    @exclusivity(unchecked) var isRestored = false
    /// Whether the feeds have been attached before the work began, since it was postponed.
    @exclusivity(unchecked) var isAttached = false
    /// The reason why it cannot start.
    @exclusivity(unchecked) var refusal: StreamFailure?
    /// The time of the stream, if it follows the values of an input.
    @exclusivity(unchecked) var timeline: EventTimeline?
    /// The number of values that the receiver has requested and not received, if time follows values.
    @exclusivity(unchecked) var demand = Demand.none
    /// When the timeline has its next step without a value, by the scheduler's clock; nil if never.
    @exclusivity(unchecked) var timelineWake: StreamTime?
    /// The messages that wait for the start of the timeline.
    @exclusivity(unchecked) var early: [Message] = []
  }

  /// Created on first use, by the active thread.
  final func ensureColdState() -> ColdState {
    if let coldState { return coldState }
    let made = ColdState()
    coldState = made
    return made
  }

  final var isRestored: Bool { coldState?.isRestored == true }
  /// Whether the feeds are attached before the work begins.
  final var isAttached: Bool { keeper.takesWork || coldState?.isAttached == true }
  final var refusal: StreamFailure? { coldState?.refusal }

  final var hasTasks: Bool { coldState?.tasks.isEmpty == false }

  /// The activity of the execution.
  private enum State: UInt8 {
    /// No thread is active.
    case idle
    /// A thread is active.
    case working
    /// A thread is active, and there is mail.
    case hasMail
    /// No thread is active yet: the scheduler has been asked for a thread, which will process the mail; or this thread
    /// will, after the outermost delivery.
    case scheduled
    /// No thread is active: the stream has not begun.
    case starting
    /// No thread will be active: the stream has ended or was canceled.
    case closed
  }

  /// An event sent while another thread is active.
  enum Message: Sendable {
    case value(Value, input: Int, time: StreamTime)
    case completion(Completion, input: Int, time: StreamTime)
    case result(Result<Value, StreamFailure>, call: Int64)
    case demand(Demand)
    /// The time source calls, at a time of its own.
    case time(StreamTime)
    /// A task waits for the state between two events.
    case saving(CheckedContinuation<Snapshot?, any Error>)
    /// A sender waits until the mail has been processed, or takes over.
    case pausing(Latch)

    /// Whether a task waits for an answer, even if the stream is over.
    var isAnswered: Bool { if case .saving = self { true } else { false } }
  }

  /// Maximum number of queued messages before senders wait.
  private static let mailLimit = 1_024

  /// Maximum number of deliveries before the mailbox is checked.
  static let patience = 4_096

  /// Creates a subscription that has not started.
  public init(_ stream: LiveStream, _ keeper: SchedulerAdapter) {
    services = stream.services
    feeds = stream.feeds
    self.keeper = keeper
    let pipeline = stream.pipeline
    followsValues = feeds.contains { pipeline.inputs[$0].time != nil }
    readsTime = pipeline.readsTime || followsValues
    savedState = stream.state
    var refusal: Diagnostics?
    if let snapshot = stream.state?.restored {
      do throws(Diagnostics) {
        execution = try Execution(pipeline, restoring: snapshot)
      } catch {
        execution = Execution(pipeline)
        refusal = error
      }
    } else {
      execution = readsTime ? Execution(pipeline, origin: keeper.origin) : Execution(pipeline)
    }
    if followsValues {
      do throws(Diagnostic) { try prepareTimeline() } catch { refusal = Diagnostics([error]) }
    }
    if services.limits.memory != nil {
      ensureColdState().keepsMeter = true
      ensureColdState().meter = WorkMeter(services.limits)
    }
    guard let savedState else { return }
    ensureColdState().isRestored = savedState.restored != nil && refusal == nil
    if refusal == nil, !savedState.begin(self) { refusal = savedState.isTaken }
    ensureColdState().refusal = refusal.map(StreamFailure.init)
  }

  // MARK: Callbacks of subclasses, on the active thread

  /// Receives a value and returns additional demand.
  open func receive(_ value: Value) -> Demand { .none }

  /// Receives the completion. No call follows it.
  open func receive(_ completion: Completion) {}

  /// Returns a failure if the stream must not go on, since operators have dropped these values.
  func failure(for drops: [Execution.DroppedValues]) -> StreamFailure? { nil }

  /// Called when the subscription is canceled, to release the receiver.
  open func dispose() {}

  // MARK: Control, from any thread

  /// Starts the subscription. Demand requested earlier is included.
  public final func begin() {
    if keeper.takesWork || DeliveryDepth.isFull {
      guard exchange(State.starting.rawValue, .scheduled) else { return }
      if !keeper.takesWork { ensureColdState().isAttached = true }
      // Values that are sent from now on wait as mail until the scheduler's next turn, or the postponed work.
      startClock()
      feeds.forEach { input, feed in feed.attach(self, as: input) }
      if isCancelled.load(ordering: .acquiring) { feeds.forEach { _, feed in feed.detach(self) } }
      if keeper.takesWork { workOnKeeper() } else { workLater() }
    } else if exchange(State.starting.rawValue, .hasMail) {
      work()
    }
  }

  /// Performs the work in the scheduler's next action.
  private func workOnKeeper() { keeper.enqueue { self.workWhenScheduled() } }

  /// Performs the work after the outermost delivery, since too many deliveries are nested on this thread.
  private func workLater() { DeliveryDepth.postpone { self.workWhenScheduled() } }

  /// Postpones the work of this thread, which is the active one and is not afterward.
  private func postpone() {
    state.store(State.scheduled.rawValue, ordering: .sequentiallyConsistent)
    workLater()
  }

  /// Requests more values.
  public final func request(_ demand: Demand) {
    guard demand > .none else { return }
    guard enterDirectly() else { return post(.demand(demand)) }
    ask(demand)
    work()
  }

  /// Cancels the subscription.
  ///
  /// Never waits. No delivery begins after this returns; one that is in progress on another thread ends, as in Combine.
  public final func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    while true {
      let seen = state.load(ordering: .acquiring)
      switch State(rawValue: seen) {
      case .idle?, .scheduled?, .starting?:
        if exchange(seen, .working) { return close() }
      case .working?, .hasMail?:
        // The active thread reads its mail before it leaves, and closes the stream then.
        if exchange(seen, .hasMail) { return }
      case .closed?, nil:
        return
      }
    }
  }

  // MARK: The active thread

  private func exchange(_ old: UInt8, _ new: State) -> Bool {
    state.compareExchange(expected: old, desired: new.rawValue, ordering: .sequentiallyConsistent).exchanged
  }

  /// Makes this thread the active one, if no thread is active and any thread may be.
  final func enterDirectly() -> Bool { !keeper.takesWork && exchange(State.idle.rawValue, .working) }

  /// Enqueues a message for the active thread, or performs its work on this thread.
  ///
  /// - Parameter isOnKeeper: Whether this thread belongs to the scheduler.
  final func post(_ message: Message, isOnKeeper: Bool = false) {
    if isCancelled.load(ordering: .relaxed), !message.isAnswered { return }
    if state.load(ordering: .relaxed) == State.closed.rawValue, !message.isAnswered { return }
    let isFull = mail.leave(message) >= Self.mailLimit
    while true {
      let seen = state.load(ordering: .acquiring)
      switch State(rawValue: seen) {
      case .idle?:
        if keeper.takesWork, !isOnKeeper {
          if exchange(seen, .scheduled) { return workOnKeeper() }
        } else if exchange(seen, .hasMail) {
          return work()
        }
      case .working?, .hasMail?:
        guard exchange(seen, .hasMail) else { continue }
        // NB: A thread of the scheduler does not wait: the active thread may be waiting for it, as in `main.sync`.
        return !isOnKeeper && (isFull || wantsRelief.load(ordering: .relaxed)) ? pause() : ()
      case .scheduled?:
        guard isOnKeeper else { return }
        if exchange(seen, .hasMail) { return work() }
      case .starting?, .closed?, nil:
        return
      }
    }
  }

  /// Waits until the active thread has emptied the mailbox, or takes over from it. A caller within a delivery does not
  /// wait, since it may be that thread.
  private func pause() {
    guard DeliveryDepth.current == 0 else { return }
    let latch = Latch()
    _ = mail.leave(.pausing(latch))
    while true {
      let seen = state.load(ordering: .acquiring)
      // If no thread is active, the mailbox is empty.
      guard seen == State.working.rawValue || seen == State.hasMail.rawValue else { return }
      if exchange(seen, .hasMail) {
        latch.wait()
        return latch.passesTurn ? work() : ()
      }
    }
  }

  /// Lets another thread take over the work, so that this one is not kept by the work of others: the scheduler's next
  /// action, or the next sender. Returns false if there is none yet.
  private func handOver() -> Bool {
    if keeper.takesWork {
      state.store(State.scheduled.rawValue, ordering: .sequentiallyConsistent)
      workOnKeeper()
      return true
    }
    guard let relief = coldState?.relief else {
      wantsRelief.store(true, ordering: .relaxed)
      return false
    }
    coldState?.relief = nil
    wantsRelief.store(false, ordering: .relaxed)
    relief.open(passingTurn: true)
    return true
  }

  /// Makes a waiting thread take over the work, if a relief is wanted.
  final func isRelieved(by latch: Latch) -> Bool {
    guard wantsRelief.load(ordering: .relaxed), coldState?.relief == nil else { return false }
    ensureColdState().relief = latch
    return true
  }

  /// Makes this thread, which is the active one, inactive. If there is work, the scheduler's next action performs it, or
  /// this thread does.
  fileprivate func leave() {
    if execution.isAtRest, exchange(State.working.rawValue, .idle) { return }
    if keeper.takesWork {
      state.store(State.scheduled.rawValue, ordering: .sequentiallyConsistent)
      workOnKeeper()
    } else {
      work()
    }
  }

  private func workWhenScheduled() {
    if exchange(State.scheduled.rawValue, .hasMail) { work() }
  }

  /// Works until nothing is left to do. This thread is active now, and inactive afterward.
  final func work() {
    guard DeliveryDepth.enterIfRoom() else { return postpone() }
    defer { DeliveryDepth.leave() }
    finishWork()
  }

  /// Works until nothing is left to do, beginning with a value for an input.
  final func work(on value: Value, _ input: Int) {
    guard DeliveryDepth.enterIfRoom() else {
      _ = mail.leave(.value(value, input: input, time: now))
      return postpone()
    }
    defer { DeliveryDepth.leave() }
    // NB: The rest of its work is done step by step below, within the limits of the stream.
    var event: ExecutionEvent?
    let time = now
    if !execution.hand(value, to: input, at: time, &event) { execution.send(value, to: input, at: time) }
    if let event { handle(event) }
    finishWork()
  }

  private func finishWork() {
    var turn = WorkTurn()
    while true {
      takeMailIfRoom()
      while followsValues, execution.isAtRest, takeTimelineStep() {}
      if !execution.isAtRest { run(&turn) }
      if execution.hasDrops, let failure = failure(for: execution.drops) { fail(failure) }
      if let failure = excessOfMemory() { fail(failure) }
      if execution.isEnded || isCancelled.load(ordering: .acquiring) { return close() }
      if turn.isOver || coldState?.relief != nil {
        if handOver() { return }
        turn = WorkTurn()
        continue
      }
      if hasTasks { stopUnusedTasks() }
      if readsTime { setWake() }
      if wantsRelief.load(ordering: .relaxed) { wantsRelief.store(false, ordering: .relaxed) }
      if exchange(State.working.rawValue, .idle) { return }
    }
  }

  /// Delivers until the stream has no more events, or the turn is over.
  private func run(_ turn: inout WorkTurn) {
    while !isCancelled.load(ordering: .acquiring) {
      switch execution.step(atMost: Self.patience) {
      case .event(let event):
        coldState?.meter?.noteEvent(execution)
        handle(event)
        if turn.isOver() {
          if let failure = measure(published: turn.count) { fail(failure) }
          return
        }
      case .idle:
        restMeter()
        if !takeMail(), !(followsValues && takeTimelineStep()) { return }
      case .unfinished:
        if let failure = measure() { return fail(failure) }
        if turn.isOver(after: Self.patience) { return }
      }
      takeMailIfRoom()
    }
  }

  /// Takes the mail unless many values wait already: senders that are faster than the deliveries wait.
  private func takeMailIfRoom() {
    if execution.pendingCount < Self.mailLimit { takeMail() }
  }

  /// Counts work. Returns the failure if it exceeds a limit.
  ///
  /// - Parameter count: Number of values that have been published since the last call.
  private func measure(published count: Int = 0) -> StreamFailure? {
    let coldState = ensureColdState()
    if coldState.meter == nil {
      coldState.meter = WorkMeter(services.limits)
      coldState.meter?.noteEvent(execution)
    }
    coldState.meter?.notePublished(count)
    return coldState.meter?.read(execution)
  }

  /// Notes that a value has come from outside while the stream works.
  final func noteInput() { coldState?.meter?.noteInput() }

  /// Notes that the stream has nothing to do.
  private func restMeter() {
    guard let coldState, coldState.meter != nil else { return }
    if coldState.keepsMeter { coldState.meter?.noteIdle() } else { coldState.meter = nil }
  }

  /// Returns the failure of a stream that holds too much, if its memory is limited.
  private func excessOfMemory() -> StreamFailure? {
    guard let coldState, coldState.keepsMeter, !execution.isEnded else { return nil }
    coldState.unreadCount += 1
    guard coldState.unreadCount >= WorkMeter.slice else { return nil }
    coldState.unreadCount = 0
    return coldState.meter?.readMemory(execution, after: WorkMeter.slice)
  }

  /// Ends the stream with a failure of its own.
  final func fail(_ failure: StreamFailure) {
    ensureColdState().hasFailed = true
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    receive(.failure(failure))
  }

  /// Processes the mailbox. Returns whether it contained messages.
  @discardableResult
  final func takeMail() -> Bool {
    guard state.load(ordering: .relaxed) == State.hasMail.rawValue else { return false }
    state.store(State.working.rawValue, ordering: .sequentiallyConsistent)
    if !hasBegun {
      guard !followsValues || startTimeline() else { return true }
      hasBegun = true
      beginNow()
    }
    for message in mail.takeAll() { apply(message) }
    return true
  }

  /// Returns the state between two events, on the active thread.
  final func snapshot() throws -> Snapshot {
    if !followsValues { execution.advance(to: now) }
    var snapshot = try execution.snapshot()
    if let timeline = coldState?.timeline { snapshot.waiting = try timeline.saved() }
    return snapshot
  }

  /// Releases all waiting threads. This thread is the active one, and the last.
  private func close() {
    DeliveryDepth.enter()
    defer { DeliveryDepth.leave() }
    let isOver = execution.isEnded || coldState?.hasFailed == true
    savedState?.end(self, isOver: isOver, services, snapshot: snapshot)
    for dropped in execution.drops { services.report(dropped.report) }
    if let report = coldState?.timeline?.report { services.report(report) }
    for note in execution.cancel() { services.tell(note) }
    feeds.forEach { _, feed in feed.detach(self) }
    if let coldState {
      coldState.wake.cancel()
      for task in coldState.tasks.values { task.cancel() }
      coldState.tasks = [:]
    }
    if !isOver { dispose() }
    state.store(State.closed.rawValue, ordering: .sequentiallyConsistent)
    if let coldState {
      coldState.relief?.open()
      coldState.relief = nil
    }
    answerRest()
  }

  /// Answers the threads and tasks that still wait after the end.
  private func answerRest() {
    for message in mail.takeAll() {
      switch message {
      case .pausing(let latch): latch.open()
      case .saving(let told): told.resume(returning: nil)
      default: break
      }
    }
  }
}

extension LiveExecution: SavableRun {
  func save() async throws -> Snapshot? {
    // A stream that has nothing to do needs no turn of its scheduler, which may not run: a virtual one, for instance.
    if exchange(State.idle.rawValue, .working) { return try saveNow() }
    return try await withCheckedThrowingContinuation { told in
      post(.saving(told))
      if state.load(ordering: .acquiring) == State.closed.rawValue { answerRest() }
    }
  }

  /// Saves the state on this thread, which is the active one and is not afterward.
  private func saveNow() throws -> Snapshot {
    defer { leave() }
    return try snapshot()
  }
}
