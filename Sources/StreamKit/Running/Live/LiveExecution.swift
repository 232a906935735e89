public import StreamCore
public import StreamRuntime
internal import Synchronization

/// An execution in real time, told and asked from any thread.
///
/// One thread at a time is at work: the one that brings something while nobody is. What others bring meanwhile, and
/// what comes from within a delivery, is mail that the one at work takes up in the order in which it came. So nothing is
/// delivered within a delivery, and no lock is held while anybody is called. Nobody waits, except who cancels, and who
/// brings more where much mail has been left already.
///
/// NB: no check of exclusivity here: the state is what keeps accesses apart.
///
/// - SeeAlso: flat combining (Hendler, Incze, Shavit, Tzafrir 2010), of which this is the simplest form.
@_spi(Driving) open class LiveExecution: @unchecked Sendable {  // `state` lets one thread at a time to what is `var`
  final let services: HostServices
  final let feeds: InputFeeds
  final let keeper: SchedulerAdapter
  final let execution: Execution
  private final let mail = Mailbox<Message>()
  private final let state = Atomic(State.starting.rawValue)
  private final let isCancelled = Atomic(false)
  /// Whether it has subscribed.
  @exclusivity(unchecked) private final var hasBegun = false
  /// Whether what it says may depend on the clock.
  final let readsTime: Bool
  @exclusivity(unchecked) private final var aside: ColdStorage?

  /// What few need, beside it so that the others are light.
  final class ColdStorage {
    /// What the time keeper showed at the start.
    @exclusivity(unchecked) var start = StreamTime.zero
    /// When the time keeper calls back; `distantFuture` if it has not been asked to.
    @exclusivity(unchecked) var wakeTime = StreamTime.distantFuture
    /// The functions of the host that run.
    @exclusivity(unchecked) var tasks: [Int64: Task<Void, Never>] = [:]
    /// Who waits for the end of the work.
    @exclusivity(unchecked) var closing: [Latch] = []
  }

  /// Made when it is needed. For the thread at work.
  final var coldState: ColdStorage {
    if let aside { return aside }
    let made = ColdStorage()
    aside = made
    return made
  }

  final var hasTasks: Bool { aside?.tasks.isEmpty == false }

  /// Who is at work.
  private enum State: UInt8 {
    /// Nobody.
    case idle
    /// A thread.
    case working
    /// A thread, and there is mail.
    case hasMail
    /// Nobody yet: the time keeper has been asked for a thread, which will take up the mail.
    case scheduled
    /// Nobody: the stream has not begun.
    case starting
    /// Nobody any more: the stream has ended or was canceled.
    case closed
  }

  /// What somebody brings while another is at work.
  enum Message: Sendable {
    case value(Value, input: Int, time: StreamTime)
    case completion(Completion, input: Int, time: StreamTime)
    case result(Result<Value, StreamFailure>, call: Int64)
    case demand(Demand)
    case time(StreamTime)
    /// Somebody waits until the mail is taken up.
    case pausing(Latch)
    /// Somebody waits for the end of the stream.
    case closing(Latch)
  }

  /// How many messages wait at most before those who bring them wait too.
  private static let mailLimit = 1_024

  /// How many deliveries pass at most until a look at what has come in.
  static let patience = 4_096

  /// Creates a subscription that has not started.
  public init(_ stream: LiveStream, _ keeper: SchedulerAdapter) {
    services = stream.services
    feeds = stream.feeds
    self.keeper = keeper
    let pipeline = stream.pipeline
    readsTime = pipeline.readsTime
    execution = readsTime ? Execution(pipeline, origin: keeper.origin) : Execution(pipeline)
  }

  // MARK: What a subclass hears, on the thread at work

  /// Receives a value and returns additional demand.
  open func receive(_ value: Value) -> Demand { .none }

  /// Receives the completion. No call follows it.
  open func receive(_ completion: Completion) {}

  /// Called when the subscription is canceled, to release the receiver.
  open func dispose() {}

  // MARK: What it is told, on any thread

  /// Starts the subscription. Demand requested earlier is included.
  public final func begin() {
    if keeper.takesWork {
      if exchange(State.starting.rawValue, .scheduled) { keeper.enqueue { self.workWhenScheduled() } }
    } else if exchange(State.starting.rawValue, .hasMail) {
      work()
    }
  }

  /// Requests more values.
  public final func request(_ demand: Demand) {
    guard demand > .none else { return }
    guard enterDirectly() else { return post(.demand(demand)) }
    execution.request(demand)
    work()
  }

  /// Cancels the subscription.
  ///
  /// No delivery is in progress or follows after this returns. If called from within a delivery, of this or of another
  /// stream, it does not wait for deliveries in progress on other threads.
  public final func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    var latch: Latch?
    while true {
      let seen = state.load(ordering: .acquiring)
      switch State(rawValue: seen) {
      case .idle?, .scheduled?, .starting?:
        if exchange(seen, .working) { return close() }
      case .working?, .hasMail?:
        if DeliveryDepth.current > 0 { return }
        let waiting = latch ?? Latch()
        if latch == nil { _ = mail.leave(.closing(waiting)) }
        latch = waiting
        if exchange(seen, .hasMail) { return waiting.wait() }
      case .closed?, nil:
        return
      }
    }
  }

  // MARK: Who is at work

  private func exchange(_ old: UInt8, _ new: State) -> Bool {
    state.compareExchange(expected: old, desired: new.rawValue, ordering: .sequentiallyConsistent).exchanged
  }

  /// Makes this thread the one at work, if nobody is and any thread may.
  final func enterDirectly() -> Bool { !keeper.takesWork && exchange(State.idle.rawValue, .working) }

  /// Leaves a message to the thread at work, or does that work.
  ///
  /// - Parameter isOnKeeper: whether this thread is one that the time keeper gave.
  final func post(_ message: Message, isOnKeeper: Bool = false) {
    if state.load(ordering: .relaxed) == State.closed.rawValue || isCancelled.load(ordering: .relaxed) { return }
    let isFull = mail.leave(message) >= Self.mailLimit
    while true {
      let seen = state.load(ordering: .acquiring)
      switch State(rawValue: seen) {
      case .idle?:
        if keeper.takesWork, !isOnKeeper {
          if exchange(seen, .scheduled) { return keeper.enqueue { self.workWhenScheduled() } }
        } else if exchange(seen, .hasMail) {
          return work()
        }
      case .working?, .hasMail?:
        guard exchange(seen, .hasMail) else { continue }
        return isFull ? pause() : ()
      case .scheduled?:
        guard isOnKeeper else { return }
        if exchange(seen, .hasMail) { return work() }
      case .starting?, .closed?, nil:
        return
      }
    }
  }

  /// Waits until the thread at work has taken up the mail. Who is called by a stream does not: it may be that thread.
  private func pause() {
    guard DeliveryDepth.current == 0 else { return }
    let latch = Latch()
    _ = mail.leave(.pausing(latch))
    while true {
      let seen = state.load(ordering: .acquiring)
      // Where nobody is at work, nothing is left that is too much.
      guard seen == State.working.rawValue || seen == State.hasMail.rawValue else { return }
      if exchange(seen, .hasMail) { return latch.wait() }
    }
  }

  private func workWhenScheduled() {
    if exchange(State.scheduled.rawValue, .hasMail) { work() }
  }

  /// Works until nothing is left to do. This thread is the one at work, and is not afterwards.
  final func work() {
    DeliveryDepth.enter()
    defer { DeliveryDepth.leave() }
    finishWork()
  }

  /// The same, with a value that has come in before anything else.
  final func work(on value: Value, _ input: Int) {
    DeliveryDepth.enter()
    defer { DeliveryDepth.leave() }
    if let event = execution.next(sending: value, to: input, at: now) { handle(event) }
    finishWork()
  }

  private func finishWork() {
    while true {
      takeMail()
      if !execution.isAtRest { run() }
      if execution.isEnded || isCancelled.load(ordering: .acquiring) { return close() }
      if hasTasks { stopUnusedTasks() }
      if readsTime { setWakeTime() }
      if exchange(State.working.rawValue, .idle) { return }
    }
  }

  /// Delivers until the stream has nothing to say.
  private func run() {
    while !isCancelled.load(ordering: .acquiring) {
      switch execution.step(atMost: Self.patience) {
      case .event(let event): handle(event)
      case .idle:
        if !takeMail() { return }
      case .unfinished: break
      }
      // What is brought faster than it is delivered stays where those who bring it wait.
      if execution.pendingCount < Self.mailLimit { takeMail() }
    }
  }

  /// Takes up what has come in; says whether there was anything.
  @discardableResult
  final func takeMail() -> Bool {
    guard state.load(ordering: .relaxed) == State.hasMail.rawValue else { return false }
    state.store(State.working.rawValue, ordering: .sequentiallyConsistent)
    if !hasBegun {
      hasBegun = true
      beginNow()
    }
    for message in mail.takeAll() { apply(message) }
    return true
  }

  /// Lets everybody go. This thread is the one at work, and the last.
  private func close() {
    DeliveryDepth.enter()
    defer { DeliveryDepth.leave() }
    let isOver = execution.isEnded
    for note in execution.cancel() { services.tell(note) }
    feeds.forEach { _, feed in feed.detach(self) }
    if let aside {
      for task in aside.tasks.values { task.cancel() }
      aside.tasks = [:]
    }
    if !isOver { dispose() }
    state.store(State.closed.rawValue, ordering: .sequentiallyConsistent)
    if let aside {
      for latch in aside.closing { latch.open() }
      aside.closing = []
    }
    for message in mail.takeAll() {
      switch message {
      case .closing(let latch), .pausing(let latch): latch.open()
      default: break
      }
    }
  }
}
