public import CEL
internal import DequeModule
public import StreamCore

/// One subscription to a pipeline: a deterministic state machine without I/O, threads, locks or a clock of its own.
///
/// ```swift
/// let execution = Execution(try model.compile())
/// execution.request(.unlimited)
/// try execution.send(2, to: "in", at: StreamTime(seconds: 1))
/// while let event = execution.next() { events.append(event) }
/// ```
///
/// The host reports events with their times (`send`, `finish`, `fail`, `advance`), grants demand (`request`), and pulls
/// the resulting events with `next()` until it returns nil. The execution can be saved between any two calls. Time
/// never goes backward: an earlier instant counts as the current one.
///
/// At one instant, events from the host come before timers, each in the order they were sent or scheduled. Not
/// thread-safe: use an execution from one thread at a time.
public final class Execution {
  public let pipeline: Pipeline
  @exclusivity(unchecked) private var present = StreamTime.zero
  /// The state of anything but direct delivery of values; nil until it is needed.
  /// NB: Retained by `coldState`: reading the reference involves no reference counting.
  @exclusivity(unchecked) private(set) var coldStateReference: Unmanaged<ColdState>?
  @exclusivity(unchecked) var stack = WorkStack()
  @exclusivity(unchecked) private var marks: Marks
  /// Generation counter of the routes, incremented by all work but direct delivery: see `DirectRoutes`.
  @exclusivity(unchecked) private(set) var epoch: UInt16 = 1
  @exclusivity(unchecked) private var atWork: Int32 = 0
  @exclusivity(unchecked) var inputs: InputStates
  /// NB: Retained by `root`: reading the reference involves no reference counting.
  @exclusivity(unchecked) private(set) var rootReference: Unmanaged<Stage>?
  /// Number of the frame whose variables the activation holds.
  @exclusivity(unchecked) var loadedFrame = 0
  /// Stages that have ended and that work on the stack may still refer to.
  @exclusivity(unchecked) var ended: [Stage] = []
  @exclusivity(unchecked) var routes = DirectRoutes()
  /// Number of steps that the current call may still take.
  @exclusivity(unchecked) var allowance = 0
  /// Number of steps of all calls of `step`: one for each delivery, timer and value of a batch, one for every 16 steps
  /// of a long evaluation, and those of `Effects.charge`. It depends on the stream and its input, never on the
  /// machine's speed.
  @exclusivity(unchecked) package internal(set) var stepCount = 0

  /// Maximum number of operators and sources active at once; beyond it the stream fails.
  public static let stageLimit = 1_000_000

  /// Flags of one bit each, since there are many executions that only wait for values.
  private struct Marks: OptionSet {
    let rawValue: UInt8

    static let skipsErrors = Marks(rawValue: 1)
    static let hasStarted = Marks(rawValue: 2)
    static let isEnded = Marks(rawValue: 4)
    static let isWatched = Marks(rawValue: 8)
    static let hasRested = Marks(rawValue: 16)
    static let isAskedForAll = Marks(rawValue: 32)

    subscript(mark: Marks) -> Bool {
      @inline(__always) get { rawValue & mark.rawValue != 0 }
      @inline(__always) set { self = newValue ? union(mark) : subtracting(mark) }
    }
  }

  /// Whether every operator skips values that make it fail, regardless of the stream file.
  public var skipsErrors: Bool { marks[.skipsErrors] }

  var hasStarted: Bool {
    get { marks[.hasStarted] }
    set { marks[.hasStarted] = newValue }
  }

  /// Whether a watcher observes the publications of stages.
  private(set) var isWatched: Bool {
    get { marks[.isWatched] }
    set { marks[.isWatched] = newValue }
  }

  /// Whether the host has requested all values.
  var isAskedForAll: Bool {
    get { marks[.isAskedForAll] }
    set { marks[.isAskedForAll] = newValue }
  }

  /// Whether all work was done once, and the memory of the work stack was released.
  var hasRested: Bool {
    get { marks[.hasRested] }
    set { marks[.hasRested] = newValue }
  }

  private(set) var coldState: ColdState? {
    get { coldStateReference?.takeUnretainedValue() }
    set {
      let old = coldStateReference
      coldStateReference = newValue.map(Unmanaged.passRetained)
      old?.release()
    }
  }

  /// The current time.
  public internal(set) var time: StreamTime {
    get { present }
    set { present = newValue }
  }

  /// Whether the stream has completed or was canceled.
  public internal(set) var isEnded: Bool {
    get { marks[.isEnded] }
    set { marks[.isEnded] = newValue }
  }

  /// Number of active operators and sources; groups that are rows of one program are not counted. Zero once the stream
  /// has completed or was canceled.
  public internal(set) var stageCount: Int {
    get { Int(atWork) }
    set { atWork = Int32(truncatingIfNeeded: newValue) }
  }

  /// The calendar time at the start of the stream, to which `now()` adds the elapsed time.
  public var origin: Timestamp { coldState?.origin ?? Timestamp(seconds: 0) }

  /// The time to which the execution has been advanced.
  package var latestTime: StreamTime { max(time, coldState?.dueTime ?? .zero) }

  /// Makes a calendar time the present one: time has passed while a restored execution was not running.
  package func setPresent(_ now: Timestamp) {
    let (seconds, rest) = latestTime.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    setOrigin(Timestamp(seconds: now.seconds &- seconds, nanoseconds: Int64(now.nanoseconds) - rest))
  }

  /// Sets the calendar time at the start of the stream, as it was in a recorded run after `setPresent`.
  ///
  /// Timers that are set for instants of the calendar keep these instants: one that has passed fires at once. The others
  /// wait for the rest of their time.
  package func setOrigin(_ origin: Timestamp) {
    let coldState = ensureColdState()
    let (seconds, isTooLong) = (origin.seconds &- coldState.origin.seconds)
      .multipliedReportingOverflow(by: 1_000_000_000)
    let rest = Int64(origin.nanoseconds) - Int64(coldState.origin.nanoseconds)
    let passed = Interval(nanoseconds: isTooLong ? 0 : seconds &+ rest)
    coldState.origin = origin
    coldState.activation?.now = self.now
    coldState.timers.move(earlierBy: passed, notBefore: latestTime) { $0.node.followsCalendar }
  }

  /// The last stage, whose output goes to the host; nil once the stream has ended.
  var root: Stage? {
    get { rootReference?.takeUnretainedValue() }
    set {
      let old = rootReference
      rootReference = newValue.map(Unmanaged.passRetained)
      old?.release()
    }
  }

  /// The frame of the stages outside inner streams.
  var rootFrame: Frame { coldState?.rootFrame ?? pipeline.commonFrame }

  /// Called for every operator and source that is subscribed to (true), and that has ended or was canceled (false).
  package var subscriptionWatcher: ((PipelineNode, Bool) -> Void)? {
    get { coldState?.subscriptionWatcher }
    set { ensureColdState().subscriptionWatcher = newValue }
  }

  /// Called for every value and completion that an operator or source publishes, before it is delivered. Reports only
  /// the last operator of a fused segment.
  package var publicationWatcher: ((PipelineNode, ExecutionEvent) -> Void)? {
    get { coldState?.publicationWatcher }
    set {
      ensureColdState().publicationWatcher = newValue
      isWatched = newValue != nil
      endRoutes()
    }
  }

  /// An event from the host that is not yet delivered.
  struct HostEvent {
    enum Kind {
      case value(Value)
      case completion(Completion)
      /// The result of a call; `input` is then the number of the call.
      case result(Result<Value, StreamFailure>)
    }
    let time: StreamTime
    let input: Int
    let kind: Kind

    var isResult: Bool { if case .result = kind { true } else { false } }
  }

  /// Creates an execution at time zero, without demand.
  public init(
    _ pipeline: Pipeline, origin: Timestamp = Timestamp(seconds: 0), skipsErrors: Bool = false
  ) {
    self.pipeline = pipeline
    marks = skipsErrors ? .skipsErrors : []
    inputs = InputStates(pipeline.inputs)
    if pipeline.keepsInFrame || origin != Timestamp(seconds: 0) {
      let coldState = ColdState()
      coldState.origin = origin
      if pipeline.keepsInFrame { coldState.rootFrame = Frame(number: 0, outer: nil, values: []) }
      self.coldState = coldState
    }
    root = pipeline.root.makeStage(downstream: nil, port: 0, frame: rootFrame, self)
  }

  deinit {
    // An execution that has already ended has released its stages.
    if rootReference != nil || coldStateReference != nil { end() }
    coldStateReference?.release()
  }

  /// The cold state; created on first use.
  func ensureColdState() -> ColdState {
    if let coldState { return coldState }
    let made = ColdState()
    coldState = made
    return made
  }

  /// Invalidates all direct routes, since they may lead elsewhere from now on.
  func endRoutes() {
    let (next, isOver) = epoch.addingReportingOverflow(1)
    epoch = isOver ? 1 : next
    if isOver { routes = DirectRoutes() }
  }

  private var ensuredColdStateReference: Unmanaged<ColdState> {
    coldStateReference ?? .passUnretained(ensureColdState())
  }

  // MARK: Host events

  /// Sets the time at which the stream starts, before it is subscribed to. It remains the present: events of the host at
  /// this time come before timers.
  package func begin(at time: StreamTime) {
    guard !hasStarted, time > self.time else { return }
    move(to: time)
    ensureColdState().dueTime = StreamTime(nanoseconds: time.nanoseconds &- 1)
  }

  /// Requests more values; the first request subscribes.
  public func request(_ demand: Demand) {
    guard !isEnded else { return }
    if demand.isUnlimited { isAskedForAll = true }
    let mark = stack.count
    if !hasStarted {
      hasStarted = true
      stageCount = 1
      if let root {
        stack.push(Work(.start, root.unprobed))
        root.reportStart(self)
      }
    }
    guard let root = root?.unprobed, demand > .none else { return }
    if stack.count == mark, stack.isAboutToStart(root) {
      // Demand requested before the start is delivered after it.
      let start = stack.pop()
      stack.push(Work(.demand, root, demand: demand))
      stack.push(start)
    } else {
      stack.push(Work(.demand, root, demand: demand))
      stack.arrange(since: mark)
    }
  }

  /// Sends a value to an input. Ignored for an input that the pipeline does not have.
  public func send(_ value: Value, to input: Int, at time: StreamTime) {
    enqueue(.value(value), to: input, at: time)
  }

  /// Whether a quick check shows that an input accepts the value unchanged, as it does most values.
  package func takes(_ value: Value, on input: Int) -> Bool { pipeline.takes(value, on: input) }

  /// Finishes an input, and with it the stream of its late values. Ignored for an input that the pipeline does not have.
  public func finish(_ input: Int, at time: StreamTime) {
    enqueue(.completion(.finished), to: input, at: time)
  }

  /// Fails an input. Ignored for an input that the pipeline does not have.
  public func fail(_ input: Int, _ failure: StreamFailure, at time: StreamTime) {
    enqueue(.completion(.failure(failure)), to: input, at: time)
  }

  /// Advances time up to and including an instant, whose timers fire then.
  ///
  /// A timer fires only here: what is sent to an input at an instant comes before all timers of that instant.
  public func advance(to time: StreamTime) {
    if time > coldState?.dueTime ?? ColdState.beforeStart { ensureColdState().dueTime = time }
  }

  /// Advances time to the next timer, which fires then: this timer alone. Before the other timers of its instant, a host
  /// whose inputs can wait sends what is wanted now.
  ///
  /// - Parameter limit: The last instant to which to advance.
  /// - Returns: Whether a timer is set for an instant up to the limit.
  @discardableResult
  public func advanceToNextTimer(through limit: StreamTime = .distantFuture) -> Bool {
    guard !isEnded, let deadline = nextDeadline, deadline <= limit else { return false }
    ensureColdState().firesNextTimer = true
    return true
  }

  /// Cancels the subscription: nothing is published afterward. May be called at any time, more than once.
  ///
  /// - Returns: The messages of operators about their cancellation.
  @discardableResult
  public func cancel() -> [HookEvent] {
    coldState?.heldEvent = nil
    end()
    guard let coldState, !coldState.lastNotes.isEmpty else { return [] }
    defer { coldState.lastNotes = [] }
    return Array(coldState.lastNotes)
  }

  func enqueue(_ kind: HostEvent.Kind, to input: Int, at time: StreamTime) {
    guard !isEnded else { return }
    let coldState = ensureColdState()
    if case .result = kind {
      // Results arrive in any order: each is inserted by its time among the events sent ahead of time.
      let due = max(time, self.time)
      let place = coldState.pending.firstIndex { $0.time > due } ?? coldState.pending.endIndex
      coldState.holdTimers(of: due)
      coldState.pending.insert(HostEvent(time: due, input: input, kind: kind), at: place)
      return
    }
    guard input >= 0, input < pipeline.inputs.count else { return }
    let due = max(time, max(coldState.pending.last?.time ?? self.time, coldState.dueTime))
    coldState.holdTimers(of: due)
    coldState.pending.append(HostEvent(time: due, input: input, kind: kind))
    if case .completion = kind, let late = pipeline.lateInput(of: input) {
      coldState.pending.append(HostEvent(time: due, input: late, kind: kind))
    }
  }

  // MARK: Services for stages

  func takeTickets(_ count: Int) -> Int64 {
    ensuredColdStateReference._withUnsafeGuaranteedRef { coldState in
      defer { coldState.ticket += Int64(count) }
      return coldState.ticket
    }
  }

  func setTimer(_ timer: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64) {
    guard !stage.isEnded else { return }
    ensuredColdStateReference._withUnsafeGuaranteedRef { coldState in
      coldState.idleTimers.cancel(timer, of: stage)
      coldState.timers.set(timer, of: stage, at: deadline, ticket: ticket)
    }
  }

  func setIdleTimer(
    _ timer: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64, every: Interval, firings: IdleFirings?
  ) {
    guard !stage.isEnded else { return }
    ensureColdState().timers.cancel(timer, of: stage)
    ensureColdState().idleTimers.set(
      timer, of: stage, at: deadline, ticket: ticket, every: every, firings: firings)
  }

  /// Returns a timer of a stage; nil if it is not set.
  func timer(_ timer: Int, of stage: Stage) -> SavedExecution.SavedTimer? { coldState?.timers.armed(timer, of: stage) }

  /// Returns the timers of a stage as a snapshot has them.
  func timers(of stage: Stage) -> [SavedExecution.SavedTimer] {
    coldState.map { $0.timers.armed(of: stage) + $0.idleTimers.armed(of: stage) } ?? []
  }

  func cancelTimer(_ timer: Int, of stage: Stage) {
    coldState?.timers.cancel(timer, of: stage)
    coldState?.idleTimers.cancel(timer, of: stage)
  }

  /// Removes the timers of a stage that is no longer needed.
  func releaseTimers(of stage: Stage) {
    coldState?.timers.release(stage)
    coldState?.idleTimers.release(stage)
  }
}

extension Execution: ActivationProvider {
  /// The variables of expressions; created on first use.
  public var activation: Activation { coldState?.activation ?? makeActivation() }

  private func makeActivation() -> Activation {
    let made = Activation(slotCount: pipeline.slotCount, limits: pipeline.limits)
    made.now = now
    made.longEvaluation = { [unowned self] steps in allowance &-= steps / 16 }
    ensureColdState().activation = made
    return made
  }
}
