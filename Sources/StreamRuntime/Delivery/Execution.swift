public import CEL
internal import DequeModule
public import StreamCore

/// What an execution tells its host.
public enum ExecutionEvent: Hashable, Sendable {
  /// The stream published a value.
  case value(Value)
  /// The stream ended well; nothing comes after it.
  case finished
  /// The stream failed; nothing comes after it.
  case failure(StreamFailure)
  /// A value made an operator fail and was left out, as the stream or the host asked.
  case skipped(StreamFailure)
  /// The stream wants a function of the host called; `resolve` answers.
  case call(Call)
  /// An operator tells something on the side.
  case noted(Note)
}

extension ExecutionEvent {
  /// The end of a stream.
  init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    }
  }
}

extension Completion {
  /// What the event says of the end, if it is one.
  init?(_ event: ExecutionEvent) {
    switch event {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    default: return nil
    }
  }
}

/// One subscription to a pipeline: a deterministic state machine without I/O, threads, locks or a clock of its own.
///
/// The host tells it what happens and when (`send`, `finish`, `fail`, `advance`), how much it can take (`request`), and
/// pulls what comes of it with `next()` until that gives nil. Between any two calls the execution can be saved. Time
/// never goes back: an instant before the present one counts as the present.
///
/// Of what is due at one instant, what the host sends comes before timers, and each in the order in which it was sent
/// or scheduled. Not thread-safe: whoever drives it uses it from one place at a time, which is also why checks of
/// exclusivity are left out here.
public final class Execution {
  public let pipeline: Pipeline
  /// The calendar's instant at the start of the stream: what `now()` counts from.
  public let origin: Timestamp
  /// Whether every operator leaves out a value that makes it fail, whatever the file says.
  public let skipsErrors: Bool

  /// The present.
  @exclusivity(unchecked) public internal(set) var time = StreamTime.zero
  /// Whether the stream has ended or was cancelled.
  @exclusivity(unchecked) public internal(set) var isEnded = false
  /// How many operators and sources are at work. Zero once the stream has ended or was cancelled.
  @exclusivity(unchecked) public internal(set) var stageCount = 0

  /// The most operators and sources that may be at work at once; beyond it the stream fails.
  public static let stageLimit = 1_000_000

  /// Told of every operator and source that is subscribed to (true), and that has ended or was cancelled (false).
  package var subscriptionWatcher: ((PipelineNode, Bool) -> Void)? {
    get { aside?.subscriptionWatcher }
    set { rare.subscriptionWatcher = newValue }
  }

  /// Told of every value and every end that an operator or source publishes, before anybody hears it. Operators of a
  /// fused segment but the last are not heard.
  package var publicationWatcher: ((PipelineNode, ExecutionEvent) -> Void)? {
    get { aside?.publicationWatcher }
    set { rare.publicationWatcher = newValue }
  }

  @exclusivity(unchecked) private var activationInUse: Activation?
  /// What few executions need.
  @exclusivity(unchecked) private(set) var aside: ExecutionAside?
  @exclusivity(unchecked) var stack = WorkStack()
  @exclusivity(unchecked) var timers = Timers()
  @exclusivity(unchecked) var inputs: InputStates
  @exclusivity(unchecked) var pending = Deque<HostEvent>()
  /// The input to which a value was sent when nothing was pending, or -1: it comes before what is.
  @exclusivity(unchecked) var sentInput = -1
  /// Where that goes, if it is known and straight.
  @exclusivity(unchecked) var directPath: DirectPath?
  @exclusivity(unchecked) var sentTime = StreamTime.zero
  /// How far the host has let time go on.
  @exclusivity(unchecked) var horizon = StreamTime.zero
  @exclusivity(unchecked) var ticket: Int64 = 0
  @exclusivity(unchecked) var root: Stage?
  var hasStarted = false
  /// The frame of what is subscribed to once.
  let rootFrame: Frame
  /// Whose variables the activation holds.
  @exclusivity(unchecked) var loadedFrame = 0
  /// Stages that have ended and that work on the stack may still refer to.
  @exclusivity(unchecked) var ended: [Stage] = []
  /// What was sent to `sentInput`.
  @exclusivity(unchecked) var sentValue = Value.null

  static let leastEndedLimit = 1_024

  /// What the host said and is not done yet.
  struct HostEvent {
    enum Kind {
      case value(Value)
      case completion(Completion)
      /// The answer to a call, whose number stands in place of the input's.
      case result(Result<Value, StreamFailure>)
    }
    let time: StreamTime
    let input: Int
    let kind: Kind

    var isResult: Bool { if case .result = kind { true } else { false } }
  }

  /// An execution at time zero, which nobody has asked for a value yet.
  public init(
    _ pipeline: Pipeline, origin: Timestamp = Timestamp(seconds: 0), skipsErrors: Bool = false
  ) {
    self.pipeline = pipeline
    self.origin = origin
    self.skipsErrors = skipsErrors
    inputs = InputStates(pipeline.inputs)
    rootFrame = pipeline.commonFrame ?? Frame(number: 0, outer: nil, values: [])
    root = pipeline.root.makeStage(downstream: nil, port: 0, frame: rootFrame, self)
  }

  deinit { end() }

  // MARK: What the host says

  /// Subscribes, if that has not happened yet, and asks for this many more values.
  public func request(_ demand: Demand) {
    guard !isEnded else { return }
    let mark = stack.count
    if !hasStarted {
      hasStarted = true
      stageCount = 1
      if let root {
        stack.push(Work(.start, root))
        root.tellStart(self)
      }
    }
    guard let root, demand > .none else { return }
    if stack.count == mark, stack.isAboutToStart(root) {
      // What is asked for before the start comes after it.
      let start = stack.pop()
      stack.push(Work(.demand, root, demand: demand))
      stack.push(start)
    } else {
      stack.push(Work(.demand, root, demand: demand))
      stack.arrange(since: mark)
    }
  }

  /// A value comes in on an input.
  public func send(_ value: Value, to input: Int, at time: StreamTime) {
    if sentInput < 0, !isEnded, pending.isEmpty, input >= 0, input < inputs.count {
      sentTime = max(time, max(self.time, horizon))
      sentValue = value
      sentInput = input
    } else {
      enqueue(.value(value), to: input, at: time)
    }
  }

  /// An input has come to its end.
  public func finish(_ input: Int, at time: StreamTime) {
    enqueue(.completion(.finished), to: input, at: time)
  }

  /// An input has failed.
  public func fail(_ input: Int, _ failure: StreamFailure, at time: StreamTime) {
    enqueue(.completion(.failure(failure)), to: input, at: time)
  }

  /// Lets time go on up to and including this instant.
  public func advance(to time: StreamTime) { horizon = max(horizon, time) }

  /// Ends the subscription: nothing is published any more. May be called at any time, more than once.
  ///
  /// - Returns: what operators note about their being cancelled.
  @discardableResult
  public func cancel() -> [Note] {
    if aside != nil { heldEnd = nil }
    end()
    guard let aside else { return [] }
    defer { aside.lastNotes = [] }
    return Array(aside.lastNotes)
  }

  // MARK: What the execution says

  /// When the next timer is due; nil if none is set.
  public var nextDeadline: StreamTime? { timers.nextDeadline() }

  /// Whether somebody is subscribed to the input and has asked for more than is waiting.
  public func wants(_ input: Int) -> Bool {
    !isEnded && inputs[input].completion == nil && inputs[input].subscribers.contains { !$0.isEnded && $0.wantsValues }
  }

  /// The next thing that the stream says, or nil when it has nothing to say until the host goes on.
  public func next() -> ExecutionEvent? {
    if sentInput >= 0, canHandSent {
      var event: ExecutionEvent?
      if handSent(&event), let event { return event }
    }
    if isAtRest {
      move(to: horizon)
      return nil
    }
    while true {
      switch step(atMost: .max) {
      case .event(let event): return event
      case .idle: return nil
      case .unfinished: continue
      }
    }
  }

  /// Whether nothing is to be done before what was sent.
  private var canHandSent: Bool {
    stack.count == 0 && aside?.isWaiting != true && timers.isEmpty && inputs[sentInput].completion == nil
  }

  /// Whether nothing is to be done at all.
  private var isAtRest: Bool {
    stack.count == 0 && sentInput < 0 && pending.isEmpty && timers.isEmpty && ended.isEmpty && aside?.isWaiting != true
      && !isEnded
  }

  /// How far a step has come.
  public enum Progress: Hashable, Sendable {
    case event(ExecutionEvent)
    /// Nothing is to be done until the host goes on.
    case idle
    /// There is more to do; the host may save, cancel or go on.
    case unfinished
  }

  /// Works until the stream says something, but no longer than this many deliveries: with a source that goes on and on
  /// and operators that let nothing through, `next()` would not return.
  public func step(atMost count: Int) -> Progress {
    var remaining = count
    if let aside, aside.isWaiting {
      if let note = aside.lastNotes.popFirst() { return .event(.noted(note)) }
      if let end = aside.heldEnd {
        aside.heldEnd = nil
        return .event(end)
      }
    }
    while !isEnded {
      guard remaining > 0 else { return .unfinished }
      remaining -= 1
      if stack.count > 0 {
        let event = perform(stack.pop())
        if ended.count > endedLimit || (stack.count == 0 && !ended.isEmpty) { sweepEnded() }
        if let event {
          guard let aside, let note = aside.lastNotes.popFirst() else { return .event(event) }
          aside.heldEnd = event
          return .event(.noted(note))
        }
        if let aside, let note = aside.lastNotes.popFirst() { return .event(.noted(note)) }
      } else if sentInput >= 0, canHandSent {
        var event: ExecutionEvent?
        guard handSent(&event) else {
          keepSent()
          continue
        }
        if let event {
          guard let aside, let note = aside.lastNotes.popFirst() else { return .event(event) }
          aside.heldEnd = event
          return .event(.noted(note))
        }
        if let aside, let note = aside.lastNotes.popFirst() { return .event(.noted(note)) }
      } else if !beginNextDue() {
        return .idle
      }
    }
    return .idle
  }

  /// What was sent waits with what else is pending.
  func keepSent() {
    guard sentInput >= 0 else { return }
    pending.append(HostEvent(time: sentTime, input: sentInput, kind: .value(sentValue)))
    sentInput = -1
    sentValue = .null
  }

  func enqueue(_ kind: HostEvent.Kind, to input: Int, at time: StreamTime) {
    guard !isEnded else { return }
    keepSent()
    if case .result = kind {
      // Answers come in an order of their own: one finds its place among what has been sent ahead of time.
      let due = max(time, self.time)
      let place = pending.firstIndex { $0.time > due } ?? pending.endIndex
      pending.insert(HostEvent(time: due, input: input, kind: kind), at: place)
      return
    }
    guard input >= 0, input < inputs.count else { return }
    let due = max(time, max(pending.last?.time ?? self.time, horizon))
    pending.append(HostEvent(time: due, input: input, kind: kind))
  }

  /// Takes up what is due next: a timer before the next thing the host said, else that, else a timer up to the horizon.
  private func beginNextDue() -> Bool {
    keepSent()
    let deadline = timers.nextDeadline()
    if let event = pending.first {
      if let deadline, deadline < event.time {
        fireNext()
      } else {
        pending.removeFirst()
        move(to: event.time)
        deliver(event)
      }
      return true
    }
    if let deadline, deadline <= horizon {
      fireNext()
      return true
    }
    move(to: horizon)
    stack.rest()
    return false
  }

  private func fireNext() {
    guard let entry = timers.popNext() else { return }
    move(to: entry.deadline)
    stack.push(Work(.fire, entry.stage, number: entry.timer))
  }

  @inline(__always)
  func move(to time: StreamTime) {
    guard time > self.time else { return }
    self.time = time
    activationInUse?.now = now
  }

  /// The calendar's instant.
  private var now: Timestamp {
    Timestamp(seconds: origin.seconds, nanoseconds: Int64(origin.nanoseconds) &+ time.nanoseconds)
  }

  /// The variables of expressions that run as their plans; made for the first of them.
  private func makeActivation() -> Activation {
    let made = Activation(slotCount: pipeline.slotCount)
    made.now = now
    activationInUse = made
    return made
  }

  /// What few executions need; made for the first need.
  private var rare: ExecutionAside {
    if let aside { return aside }
    let made = ExecutionAside()
    aside = made
    return made
  }

  /// Hands what the host said to those who have subscribed.
  ///
  /// NB: only to subscribers that run: work never refers to a stage that had ended before, since nothing keeps that.
  private func deliver(_ event: HostEvent) {
    if case .result(let result) = event.kind { return deliver(result, toCall: Int64(event.input)) }
    guard inputs[event.input].completion == nil else { return }
    let mark = stack.count
    switch event.kind {
    case .value(let value):
      if pipeline.inputs[event.input].isCurrent { inputs[event.input].current = value }
      inputs[event.input].forEachSubscriber { stack.push(Work(.input, $0, value: value)) }
    case .completion(let completion):
      inputs[event.input].completion = completion
      inputs[event.input].current = nil
      let failure: StreamFailure? = if case .failure(let failure) = completion { failure } else { nil }
      inputs[event.input].forEachSubscriber { stack.push(Work(.input, $0, number: 1, failure: failure)) }
    case .result: break
    }
    stack.arrange(since: mark)
  }

  // MARK: What stages need

  func takeTickets(_ count: Int) -> Int64 {
    defer { ticket += Int64(count) }
    return ticket
  }

  func setTimer(_ timer: Int, of stage: Stage, at deadline: StreamTime, ticket: Int64) {
    guard !stage.isEnded else { return }
    timers.set(timer, of: stage, at: deadline, ticket: ticket)
  }

  func cancelTimer(_ timer: Int, of stage: Stage) { timers.cancel(timer, of: stage) }

  func join(_ stage: InputStage) {
    directPath = nil
    inputs[stage.number].join(stage)
  }

  func leave(_ stage: InputStage) {
    directPath = nil
    inputs[stage.number].leave(stage)
  }
}

extension Execution: ActivationProvider {
  /// The variables of expressions that run as their plans.
  public var activation: Activation { activationInUse ?? makeActivation() }
}

/// What few executions need, beside the execution so that the others are light.
final class ExecutionAside {
  @exclusivity(unchecked) var subscriptionWatcher: ((PipelineNode, Bool) -> Void)?
  @exclusivity(unchecked) var publicationWatcher: ((PipelineNode, ExecutionEvent) -> Void)?
  /// Calls that the host has not answered, by their numbers.
  @exclusivity(unchecked) var calls: [Int64: OpenCall] = [:]
  @exclusivity(unchecked) var callCount: Int64 = 0
  @exclusivity(unchecked) var cancelledCalls: [Int64] = []
  /// What operators that were cancelled have to tell; it comes before anything else.
  @exclusivity(unchecked) var lastNotes = Deque<Note>()
  /// The end, while such notes come before it.
  @exclusivity(unchecked) var heldEnd: ExecutionEvent?
  @exclusivity(unchecked) var frameCount = 1
  @exclusivity(unchecked) var endedLimit = Execution.leastEndedLimit

  /// Whether there is something to tell.
  var isWaiting: Bool { heldEnd != nil || !lastNotes.isEmpty }
}

extension Execution {
  /// How many frames there have been.
  var frameCount: Int {
    get { aside?.frameCount ?? 1 }
    set { rare.frameCount = newValue }
  }
  /// How many ended stages are kept before those are let go that nothing refers to. Grows with what is referred to, so
  /// that looking takes its share of the work and no more.
  var endedLimit: Int {
    get { aside?.endedLimit ?? Self.leastEndedLimit }
    set { if newValue != endedLimit { rare.endedLimit = newValue } }
  }
  var calls: [Int64: OpenCall] {
    get { aside?.calls ?? [:] }
    _modify { yield &rare.calls }
  }
  var callCount: Int64 {
    get { aside?.callCount ?? 0 }
    set { rare.callCount = newValue }
  }
  var cancelledCalls: [Int64] {
    get { aside?.cancelledCalls ?? [] }
    _modify { yield &rare.cancelledCalls }
  }
  var lastNotes: Deque<Note> {
    get { aside?.lastNotes ?? [] }
    _modify { yield &rare.lastNotes }
  }
  var heldEnd: ExecutionEvent? {
    get { aside?.heldEnd }
    set { rare.heldEnd = newValue }
  }
}
