internal import CEL
internal import DequeModule
internal import StreamCore

/// What an execution needs that does more than hand values straight on: a clock, a queue, calls. Beside the execution, so
/// that the many that only wait for values are light.
final class ColdState {
  @exclusivity(unchecked) var origin = Timestamp(seconds: 0)
  /// How far the host has let time go on.
  @exclusivity(unchecked) var horizon = StreamTime.zero
  @exclusivity(unchecked) var timers = Timers()
  @exclusivity(unchecked) var ticket: Int64 = 0
  @exclusivity(unchecked) var pending = Deque<Execution.HostEvent>() { didSet { listen() } }
  @exclusivity(unchecked) var activation: Activation?
  /// The frame of what is subscribed to once, where something is kept in it.
  @exclusivity(unchecked) var rootFrame: Frame?
  @exclusivity(unchecked) var subscriptionWatcher: ((PipelineNode, Bool) -> Void)?
  @exclusivity(unchecked) var publicationWatcher: ((PipelineNode, ExecutionEvent) -> Void)?
  /// Calls that the host has not answered, by their numbers.
  @exclusivity(unchecked) var calls: [Int64: OpenCall] = [:]
  @exclusivity(unchecked) var callCount: Int64 = 0
  @exclusivity(unchecked) var canceledCalls: [Int64] = []
  /// Events of hooks of canceled operators, delivered before everything else.
  @exclusivity(unchecked) var lastNotes = Deque<HookEvent>() { didSet { listen() } }
  /// The end, while such notes come before it.
  @exclusivity(unchecked) var heldEnd: ExecutionEvent? { didSet { listen() } }
  @exclusivity(unchecked) var frameCount = 1
  @exclusivity(unchecked) var endedLimit = Execution.leastEndedLimit

  /// Whether there is something to tell.
  var isWaiting: Bool { heldEnd != nil || !lastNotes.isEmpty }

  /// Whether nothing is to be told, and the host has said nothing that is not done.
  @exclusivity(unchecked) private(set) var isSilent = true

  private func listen() { isSilent = pending.isEmpty && !isWaiting }

  /// Whether something may be to be done before the host goes on.
  @inline(__always)
  var mayGoOn: Bool { !isSilent || timers.mayBeDue(through: horizon) }

  /// When a value comes that is sent for an instant; nil where something is to be done before it.
  func instant(ofSending time: StreamTime) -> StreamTime? {
    let due = max(time, horizon)
    return isSilent && !timers.areDue(before: due) ? due : nil
  }

  /// Whether nothing is to be done until the host goes on.
  var isQuiet: Bool { isSilent && !timers.areDue(through: horizon) }

  /// Whether nothing is to be told, and nothing will be due.
  var isIdle: Bool { isSilent && timers.isEmpty }
}

extension Execution {
  static let leastEndedLimit = 1_024

  /// How many frames there have been.
  var frameCount: Int {
    get { aside?.frameCount ?? 1 }
    set { coldState.frameCount = newValue }
  }
  /// How many ended stages are kept before those are let go that nothing refers to. Grows with what is referred to, so
  /// that looking takes its share of the work and no more.
  var endedLimit: Int {
    get { aside?.endedLimit ?? Self.leastEndedLimit }
    set { if newValue != endedLimit { coldState.endedLimit = newValue } }
  }
  var calls: [Int64: OpenCall] {
    get { aside?.calls ?? [:] }
    _modify { yield &coldState.calls }
  }
  var callCount: Int64 {
    get { aside?.callCount ?? 0 }
    set { coldState.callCount = newValue }
  }
  var canceledCalls: [Int64] {
    get { aside?.canceledCalls ?? [] }
    _modify { yield &coldState.canceledCalls }
  }
  var lastNotes: Deque<HookEvent> {
    get { aside?.lastNotes ?? [] }
    _modify { yield &coldState.lastNotes }
  }
  var heldEnd: ExecutionEvent? {
    get { aside?.heldEnd }
    set { coldState.heldEnd = newValue }
  }
}
