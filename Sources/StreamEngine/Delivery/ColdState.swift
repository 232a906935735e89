internal import CEL
internal import DequeModule
internal import StreamCore

/// The state of an execution with timers, queued events or calls. Allocated separately, so that the many executions
/// that only wait for values stay small.
final class ColdState {
  @exclusivity(unchecked) var origin = Timestamp(seconds: 0)
  /// The last instant whose timers may fire: the time to which the host has advanced, and the instant before the latest
  /// event from outside, since others of the same instant may follow it.
  @exclusivity(unchecked) var dueTime = ColdState.beforeStart
  static let beforeStart = StreamTime(nanoseconds: -1)
  /// Whether the host lets the next timer fire, and none behind it.
  @exclusivity(unchecked) var firesNextTimer = false { didSet { listen() } }
  @exclusivity(unchecked) var timers = Timers()
  @exclusivity(unchecked) var idleTimers = IdleTimers()
  /// The ticket of the timer that has caused the current work; nil for an event of the host.
  @exclusivity(unchecked) var timerTicket: Int64?
  @exclusivity(unchecked) var ticket: Int64 = 0
  @exclusivity(unchecked) var pending = Deque<Execution.HostEvent>() { didSet { listen() } }
  @exclusivity(unchecked) var activation: Activation?
  /// The frame of the stages outside inner streams, if it keeps any state.
  @exclusivity(unchecked) var rootFrame: Frame?
  @exclusivity(unchecked) var subscriptionWatcher: ((PipelineNode, Bool) -> Void)?
  @exclusivity(unchecked) var publicationWatcher: ((PipelineNode, ExecutionEvent) -> Void)?
  @exclusivity(unchecked) unowned var rowSink: (any RowSink)?
  /// Calls without a result, by call number.
  @exclusivity(unchecked) var calls: [Int64: OpenCall] = [:]
  @exclusivity(unchecked) var callCount: Int64 = 0
  @exclusivity(unchecked) var canceledCalls: [Int64] = []
  /// Hook events of canceled operators, delivered before everything else.
  @exclusivity(unchecked) var lastNotes = Deque<HookEvent>() { didSet { listen() } }
  /// The event of the stream, while such hook events precede it.
  @exclusivity(unchecked) var heldEvent: ExecutionEvent? { didSet { listen() } }
  /// The values that operators have dropped, in the order of the first of each.
  @exclusivity(unchecked) var drops: [Execution.DroppedValues] = []
  /// The shared streams in which one subscriber is full while another one wants values.
  @exclusivity(unchecked) var blockedHubs: [MulticastStage] = []
  /// The latest failure of an expression of a source.
  @exclusivity(unchecked) var failureOfSource: StreamFailure?
  @exclusivity(unchecked) var frameCount = 1
  @exclusivity(unchecked) var endedLimit = Execution.leastEndedLimit

  /// Whether a hook event, or the event after it, waits to be reported.
  var isWaiting: Bool { heldEvent != nil || !lastNotes.isEmpty }

  /// Whether no host event is pending, nothing waits to be reported, and no single timer is to fire.
  @exclusivity(unchecked) private(set) var isSilent = true

  private func listen() { isSilent = pending.isEmpty && !isWaiting && !firesNextTimer }

  /// Whether work may be left before the next host event.
  @inline(__always)
  var mayProceed: Bool { !isSilent || timers.mayBeDue(through: dueTime) || idleTimers.areDue(through: dueTime) }

  /// Moves the idle timers on that come before an event.
  ///
  /// - Parameter rank: The ticket of the event. Events of the host come before all timers of their instant.
  func moveIdleTimers(before time: StreamTime, ticket rank: Int64 = .min) {
    guard !idleTimers.isEmpty else { return }
    idleTimers.move(before: time, ticket: rank, next: &ticket)
  }

  /// Returns the time at which a value sent for an instant arrives; nil if other work precedes it.
  @inline(__always)
  func instant(ofSending time: StreamTime) -> StreamTime? {
    let due = max(time, dueTime)
    timerTicket = nil
    guard isSilent, !timers.areDue(before: due), !idleTimers.areDue(before: due) else { return nil }
    holdTimers(of: due)
    return due
  }

  /// Keeps the timers of an instant, at which an event from outside happens, until the host advances to it.
  @inline(__always)
  func holdTimers(of instant: StreamTime) {
    if dueTime >= instant { dueTime = StreamTime(nanoseconds: instant.nanoseconds &- 1) }
  }

  /// Whether no work is left until the next host event.
  var isQuiet: Bool { isSilent && !timers.areDue(through: dueTime) && !idleTimers.areDue(through: dueTime) }

  /// Whether nothing waits to be reported and no timer is set.
  var isIdle: Bool { isSilent && timers.isEmpty }
}

extension Execution {
  static let leastEndedLimit = 1_024

  /// Number of frames created so far.
  var frameCount: Int {
    get { coldState?.frameCount ?? 1 }
    set { ensureColdState().frameCount = newValue }
  }
  /// Maximum number of ended stages before a sweep discards the unreferenced ones. Grows with the number of referenced
  /// stages, so that sweeps take a bounded share of the work.
  var endedLimit: Int {
    get { coldState?.endedLimit ?? Self.leastEndedLimit }
    set { if newValue != endedLimit { ensureColdState().endedLimit = newValue } }
  }
  var calls: [Int64: OpenCall] {
    get { coldState?.calls ?? [:] }
    _modify { yield &ensureColdState().calls }
  }
  var callCount: Int64 {
    get { coldState?.callCount ?? 0 }
    set { ensureColdState().callCount = newValue }
  }
  var canceledCalls: [Int64] {
    get { coldState?.canceledCalls ?? [] }
    _modify { yield &ensureColdState().canceledCalls }
  }
  var lastNotes: Deque<HookEvent> {
    get { coldState?.lastNotes ?? [] }
    _modify { yield &ensureColdState().lastNotes }
  }
  var heldEvent: ExecutionEvent? {
    get { coldState?.heldEvent }
    set { ensureColdState().heldEvent = newValue }
  }
}
