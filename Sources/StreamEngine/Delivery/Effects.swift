public import CEL
public import StreamCore

/// The effects a machine requests in response to a signal.
///
/// ```swift
/// mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
///   if port == 1 {
///     state = value == true
///   } else if state {
///     effects.publish(value)
///   } else {
///     // The dropped value did not satisfy the demand.
///     effects.request(Demand(1), from: 0)
///   }
/// }
/// ```
///
/// After the machine has returned, the execution performs the effects in order, each with all its consequences before
/// the next. A value of this type is valid only until then.
public struct Effects {
  /// NB: Neither reference is retained, here and in `Work`: effects are requested while an execution runs, which keeps
  /// an ended stage until no pending work refers to it.
  unowned(unsafe) let execution: Execution
  unowned(unsafe) let stage: Stage

  /// The activation for expressions, shared by the whole execution and used by one machine at a time.
  public var activation: Activation { execution.activation }

  init(_ execution: Execution, stage: Stage) {
    self.execution = execution
    self.stage = stage
  }

  /// The current time of the execution.
  public var now: StreamTime { execution.time }

  /// The calendar time of the stream: its time after its origin.
  package var present: Timestamp { execution.now }

  /// The calendar time at the start of the stream.
  package var origin: Timestamp { execution.origin }

  /// Whether the calendar time is known. If time follows the data, it begins with the first value.
  ///
  /// NB: Hosts start a stream without values in 1970.
  package var hasTime: Bool { origin != Timestamp(seconds: 0) || !execution.pipeline.followsValues }

  /// The ticket of the timer with which the current event began; nil for an event of the host, and for a result that
  /// `then` of a partition receives.
  public var timerTicket: Int64? { execution.coldState?.timerTicket }

  /// Whether downstream has requested values already: the request follows as soon as the machine has started. Valid in
  /// `start`, before its first effect.
  ///
  /// It is false within a stream that `zip`, `combineLatest` or another operator has subscribed to beside others: those
  /// are requested after all of them have started.
  public var isRequestPending: Bool { execution.stack.isAboutToRequest(stage) }

  /// Counts work that takes far longer than a step, such as the opening of a file: see `RunLimits`.
  package func charge(steps: Int) { execution.allowance &-= steps }

  /// Publishes a value downstream.
  ///
  /// Publish all available values before requesting more from upstream: the reply may be the completion.
  public func publish(_ value: Value) {
    say(Work(.publish, stage, value: value))
  }

  /// Completes the stream: cancels the active upstreams, then finishes or fails downstream.
  public func complete(_ completion: Completion) {
    switch completion {
    case .finished: say(Work(.finish, stage))
    case .failure(let failure): say(Work(.fail, stage, failure: failure))
    }
  }

  private func say(_ work: consuming Work) {
    Unmanaged.passUnretained(stage)._withUnsafeGuaranteedRef { $0.unheardCount += 1 }
    execution.stack.push(work)
  }

  public func finish() { complete(.finished) }

  public func fail(_ failure: StreamFailure) { complete(.failure(failure)) }

  /// Subscribes to an upstream, which then feeds a port. The port has the upstream's number unless another one is
  /// given, as for an upstream with several subscriptions.
  public func subscribe(to upstream: Int, on port: Int? = nil) {
    execution.stack.push(Work(.subscribe, stage, number: port ?? upstream, upstream: upstream))
  }

  /// Subscribes to an upstream for captured values. The expressions of that stream read them through the variables that
  /// the operator captures, in the order of their declaration.
  public func subscribe(to upstream: Int, on port: Int, capturing values: [Value]) {
    execution.stack.push(Work(.subscribeInner, stage, number: port, upstream: upstream, value: .list(values)))
  }

  /// Sends a value to the stream on a port, whose source this stage feeds.
  public func feed(_ value: Value, to port: Int) {
    execution.stack.push(Work(.feed, stage, number: port, value: value))
  }

  /// Completes the source that this stage feeds for the stream on a port.
  public func endFeed(_ completion: Completion, to port: Int) {
    let failure: StreamFailure? = if case .failure(let failure) = completion { failure } else { nil }
    execution.stack.push(Work(.endFeed, stage, number: port, failure: failure))
  }

  /// Calls a function of the host. The result arrives on port 0 as a value or a failure, without a completion.
  public func call(_ function: String, with argument: Value) {
    execution.stack.push(Work(.call, stage, value: .list([.string(function), argument])))
  }

  /// Sends a message to the host.
  public func note(_ kind: HookEvent.Kind, name: String, message: Value) {
    let isHook = kind == .hook
    execution.stack.push(Work(.note, stage, number: isHook ? 1 : 0, value: .list([.string(name), message])))
  }

  /// Whether values that make the machine fail are to be skipped, if the machine can continue after them.
  public var skipsErrors: Bool { stage.skipsFailures(execution) }

  /// Reports invalid data as skipped to the host; the stream continues. For machines that read data, if `skipsErrors`.
  public func skip(_ failure: StreamFailure) {
    execution.stack.push(Work(.skip, stage, failure: failure))
  }

  /// Returns the result of an evaluation outside the delivery of a value, such as at a timer. If it fails and
  /// `skipsErrors`, the failure is reported as skipped, and there is no result.
  public func skippingFailure<T>(_ evaluate: () throws(StreamFailure) -> T) throws(StreamFailure) -> T? {
    do throws(StreamFailure) {
      return try evaluate()
    } catch {
      guard skipsErrors else { throw error }
      skip(error)
      return nil
    }
  }

  /// Counts values that are dropped: see `Execution.drops`.
  public func noteDrop(_ reason: Execution.DroppedValues.Reason = .unrequested, count: Int = 1) {
    if count > 0 { execution.noteDrop(by: stage.node, reason, count: count) }
  }

  /// Requests more values from the upstream on a port.
  public func request(_ demand: Demand, from port: Int) {
    guard demand.count > 0, !stage.isUnlimited(port) else { return }
    execution.stack.push(Work(.request, stage, number: port, demand: demand))
  }

  /// Cancels the upstream on a port; no further signals arrive from it.
  public func cancel(_ port: Int) {
    execution.stack.push(Work(.cancel, stage, number: port))
  }

  /// Requests a `resume` signal after everything published so far has been delivered. A pull source uses it to publish
  /// one value at a time.
  public func resume() {
    execution.stack.push(Work(.resume, stage))
  }

  /// Returns a position in the order of work due at the same instant; earlier tickets run first.
  public func takeTicket() -> Int64 { takeTickets(1) }

  /// Returns the first of a number of consecutive tickets.
  public func takeTickets(_ count: Int) -> Int64 {
    let first = Unmanaged.passUnretained(execution)._withUnsafeGuaranteedRef { $0.takeTickets(count) }
    let followsResults = Unmanaged.passUnretained(stage)._withUnsafeGuaranteedRef { $0.followsResults }
    return followsResults ? first | TicketRank.afterResults : first
  }

  /// Returns a position after all other work due at the same instant, also work that is scheduled later, except for
  /// work at later positions of this kind.
  public func takeLastTicket() -> Int64 { takeTicket() | TicketRank.last }

  /// Returns a position after all work of the operators before a `ResultOrder`, and before that of the operators behind it.
  func takeTicketOfResults() -> Int64 {
    execution.takeTickets(1) | TicketRank.results
  }

  /// Sets a timer, replacing a running timer with the same number. Timers are numbered 0, 1 …
  ///
  /// - Parameters:
  ///   - timer: The number of the timer.
  ///   - deadline: The time at which it fires; a time in the past is now.
  ///   - ticket: From `takeTicket()` if the work was scheduled earlier; nil takes a new ticket.
  public func setTimer(_ timer: Int, at deadline: StreamTime, ticket: Int64? = nil) {
    let ticket = ticket ?? takeTicket()
    Unmanaged.passUnretained(execution)._withUnsafeGuaranteedRef { execution in
      Unmanaged.passUnretained(stage)._withUnsafeGuaranteedRef { stage in
        execution.setTimer(timer, of: stage, at: deadline, ticket: ticket)
      }
    }
  }

  /// Sets a timer that fires at a time and then at regular intervals, but without a signal, since its signal would have
  /// no effect: `wakeIdleTimer` makes it a timer with one. Until then it keeps no program waiting, and any number of its
  /// times costs as much as one.
  ///
  /// - Parameters:
  ///   - timer: The number of the timer; it replaces a running timer with this number.
  ///   - deadline: The first time.
  ///   - every: The interval, greater than zero.
  ///   - ticket: As for `setTimer`.
  public func setIdleTimer(_ timer: Int, at deadline: StreamTime, every: Interval, ticket: Int64) {
    setIdleTimer(timer, at: deadline, every: every, ticket: ticket, firings: nil)
  }

  /// The same for a timer that keeps its last firings.
  package func setIdleTimer(
    _ timer: Int, at deadline: StreamTime, every: Interval, ticket: Int64, firings: IdleFirings?
  ) {
    execution.setIdleTimer(timer, of: stage, at: deadline, ticket: ticket, every: every, firings: firings)
  }

  /// The last firings of an idle timer that keeps them; nil for others.
  package func idleFirings(of timer: Int) -> IdleFirings? {
    execution.coldState?.idleTimers.firings(of: timer, of: stage)
  }

  /// Makes an idle timer fire with a signal at its next time. Returns that time, and its ticket; nil if the timer is not
  /// idle.
  public func wakeIdleTimer(_ timer: Int) -> (deadline: StreamTime, ticket: Int64)? {
    guard let idle = execution.coldState?.idleTimers.armed(of: stage).first(where: { $0.timer == timer }) else {
      return nil
    }
    setTimer(timer, at: idle.deadline, ticket: idle.ticket)
    return (idle.deadline, idle.ticket)
  }

  /// Stops a timer if it is running.
  public func cancelTimer(_ timer: Int) {
    execution.cancelTimer(timer, of: stage)
  }
}
