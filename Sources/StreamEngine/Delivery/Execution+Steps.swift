internal import CEL
internal import DequeModule
internal import StreamCore

// The events of an execution, and the steps that produce them.

extension Execution {
  /// The deadline of the next timer; nil if no timer is set.
  public var nextDeadline: StreamTime? { coldState?.timers.nextDeadline() }

  /// Whether a value for an input would be delivered now, or would wait within the bounds of the stream. A source that
  /// can wait sends values only then. False for an input that the pipeline does not have.
  ///
  /// With several subscribers, the slowest one decides. If nothing but this input can make it request more, the answer
  /// is true, and its queue exceeds its limit: the stream fails instead of waiting forever.
  public func wants(_ input: Int) -> Bool {
    // A route is known while its subscriber has requested all values.
    if routes.route(from: input, in: epoch) != nil { return !isEnded && !isFlooded }
    guard pipeline.inputs.indices.contains(input), !isEnded else { return false }
    switch readiness(of: input) {
    case .unwanted:
      // The values are also read for those of them that are late, unless the other ones are to wait.
      guard let late = pipeline.lateInput(of: input), !hasSubscribers(input) else { return false }
      return readiness(of: late) == .wanted && !isFlooded
    case .wanted: return !isFlooded
    case .blocked: return !canProceed(without: input)
    }
  }

  /// Returns the next event of the stream, or nil if there is none until the host sends, requests or advances.
  public func next() -> ExecutionEvent? {
    guard let coldStateReference else { return isAtRest ? nil : nextByStep() }
    if stack.count == 0, ended.isEmpty, !isEnded {
      let isQuiet = coldStateReference._withUnsafeGuaranteedRef { coldState in
        guard coldState.isQuiet else { return false }
        move(to: coldState.dueTime)
        return true
      }
      if isQuiet { return nil }
    }
    return nextByStep()
  }

  @inline(never)
  private func nextByStep() -> ExecutionEvent? {
    while true {
      switch step(atMost: .max) {
      case .event(let event): return event
      case .idle: return nil
      case .unfinished: continue
      }
    }
  }

  /// Whether the stream has not ended, and no work, host event or timer is pending.
  package var isAtRest: Bool { stack.count == 0 && ended.isEmpty && !isEnded && coldState?.isIdle != false }

  /// Number of host events that are not yet delivered.
  package var pendingCount: Int { coldState?.pending.count ?? 0 }

  /// The progress after a step.
  public enum Progress: Hashable, Sendable {
    case event(ExecutionEvent)
    /// No work is left until the host sends, requests or advances.
    case idle
    /// More work is left; the host may save, cancel or continue.
    case unfinished
  }

  /// Runs until the next event, but for at most about `count` steps. With an endless source and operators that publish
  /// nothing, `next()` would not return. A delivery is a step, and so is each value of a batch; an expensive evaluation
  /// counts as several.
  public func step(atMost count: Int) -> Progress {
    allowance = count
    defer { stepCount &+= count &- allowance }
    if let coldState, coldState.isWaiting {
      if let note = coldState.lastNotes.popFirst() { return .event(.noted(note)) }
      if let event = coldState.heldEvent {
        coldState.heldEvent = nil
        return .event(event)
      }
    }
    while !isEnded {
      guard allowance > 0 else { return .unfinished }
      allowance &-= 1
      if stack.count > 0 {
        let event = perform(stack.pop())
        if ended.count > endedLimit || (stack.count == 0 && !ended.isEmpty) { sweepEnded() }
        if let event = afterNotes(event) { return .event(event) }
      } else {
        var event: ExecutionEvent?
        guard beginNextDue(&event) || releaseBlockedHub() else { return .idle }
        if event != nil || coldStateReference?._withUnsafeGuaranteedRef({ !$0.lastNotes.isEmpty }) == true,
          let event = afterNotes(event)
        {
          return .event(event)
        }
      }
    }
    return .idle
  }

  /// Returns the first pending event: a hook event of a canceled operator, or else the event of the stream.
  @inline(__always)
  private func afterNotes(_ event: ExecutionEvent?) -> ExecutionEvent? {
    guard let coldState, let note = coldState.lastNotes.popFirst() else { return event }
    coldState.heldEvent = event
    return .noted(note)
  }

  /// Begins the work that is due next: a timer before the next host event, else that event, else a timer that is due.
  /// Returns false if nothing is due.
  ///
  /// - Parameter event: The event for the host, if any.
  private func beginNextDue(_ event: inout ExecutionEvent?) -> Bool {
    guard let coldStateReference else {
      rest()
      return false
    }
    return coldStateReference._withUnsafeGuaranteedRef { beginNextDue($0, &event) }
  }

  private func beginNextDue(_ coldState: ColdState, _ event: inout ExecutionEvent?) -> Bool {
    if let due = coldState.pending.first?.time {
      // Host events precede timers of the same instant.
      if !fireNext(coldState, through: StreamTime(nanoseconds: due.nanoseconds &- 1), &event) {
        let said = coldState.pending.removeFirst()
        coldState.moveIdleTimers(before: said.time)
        coldState.timerTicket = nil
        if case .value(let value) = said.kind, hand(value, fromInput: said.input, at: said.time, &event) { return true }
        move(to: said.time)
        deliver(said)
      }
      return true
    }
    if fireNext(coldState, through: coldState.firesNextTimer ? .distantFuture : coldState.dueTime, &event) {
      return true
    }
    coldState.moveIdleTimers(before: coldState.dueTime, ticket: .max)
    move(to: coldState.dueTime)
    rest()
    return false
  }

  /// Marks that no work is left. Releases the memory of the work stack the first time: most executions then wait for
  /// values that are delivered directly.
  @inline(__always)
  private func rest() {
    guard !hasRested, stack.rest() else { return }
    hasRested = true
  }

  /// Fires the next timer, if one is due before or at an instant.
  private func fireNext(
    _ coldState: ColdState, through time: StreamTime, _ event: inout ExecutionEvent?
  ) -> Bool {
    if coldState.firesNextTimer { coldState.firesNextTimer = false }
    guard let next = coldState.timers.popNext(through: time) else { return false }
    coldState.moveIdleTimers(before: next.deadline, ticket: next.ticket)
    coldState.timerTicket = TicketRank.isOfResults(next.ticket) ? nil : next.ticket
    move(to: next.deadline)
    if next.deadline == .distantFuture {
      endTime(of: next.stage.takeUnretainedValue(), timer: next.timer)
    } else {
      fire(next.timer, of: next.stage, &event)
    }
    if stack.count == 0, !ended.isEmpty { sweepEnded() }
    return true
  }

  @inline(__always)
  func move(to time: StreamTime) {
    guard time > self.time else { return }
    self.time = time
    coldStateReference?._withUnsafeGuaranteedRef { $0.activation?.now = now }
  }

  /// The current calendar time.
  var now: Timestamp {
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Timestamp(seconds: origin.seconds &+ seconds, nanoseconds: Int64(origin.nanoseconds) + rest)
  }

  /// Delivers a host event to the subscribers of its input, or the result of a call to the caller.
  ///
  /// NB: Only to running subscribers: nothing retains a stage that ended earlier, so work never refers to it.
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
}
