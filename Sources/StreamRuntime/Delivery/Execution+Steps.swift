internal import CEL
internal import DequeModule
internal import StreamCore

// What the execution says, and what it does to find out.

extension Execution {
  /// The deadline of the next timer; nil if no timer is set.
  public var nextDeadline: StreamTime? { aside?.timers.nextDeadline() }

  /// Whether an input has a subscriber with demand for more values than are waiting. False for an input that the
  /// pipeline does not have.
  public func wants(_ input: Int) -> Bool {
    if hasElidedInput { return !isEnded && input == 0 }
    guard pipeline.inputs.indices.contains(input) else { return false }
    let state = inputs[input]
    return !isEnded && state.completion == nil && state.subscribers.contains { !$0.isEnded && $0.wantsValues }
  }

  /// Returns the next event of the stream, or nil if there is none until the host sends, requests or advances.
  public func next() -> ExecutionEvent? {
    guard let coldStateReference else { return isAtRest ? nil : nextByStep() }
    if stack.count == 0, ended.isEmpty, !isEnded {
      let isQuiet = coldStateReference._withUnsafeGuaranteedRef { aside in
        guard aside.isQuiet else { return false }
        move(to: aside.horizon)
        return true
      }
      if isQuiet { return nil }
    }
    return nextByStep()
  }

  @inline(never)
  private func nextByStep() -> ExecutionEvent? {
    if startWithoutInput() { return nil }
    while true {
      switch step(atMost: .max) {
      case .event(let event): return event
      case .idle: return nil
      case .unfinished: continue
      }
    }
  }

  /// Whether nothing is to be done at all.
  package var isAtRest: Bool { stack.count == 0 && ended.isEmpty && !isEnded && aside?.isIdle != false }

  /// How much the host has said that is not done yet.
  package var pendingCount: Int { aside?.pending.count ?? 0 }

  /// The progress after a step.
  public enum Progress: Hashable, Sendable {
    case event(ExecutionEvent)
    /// No work is left until the host sends, requests or advances.
    case idle
    /// More work is left; the host may save, cancel or continue.
    case unfinished
  }

  /// Works until the next event, but for at most about `count` steps. With an endless source and operators that publish
  /// nothing, `next()` would not return. A delivery is a step, and so is each value of a batch; an expensive evaluation
  /// counts as several.
  public func step(atMost count: Int) -> Progress {
    allowance = count
    defer { stepCount &+= count &- allowance }
    if let aside, aside.isWaiting {
      if let note = aside.lastNotes.popFirst() { return .event(.noted(note)) }
      if let end = aside.heldEnd {
        aside.heldEnd = nil
        return .event(end)
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
        guard beginNextDue(&event) else { return .idle }
        if event != nil || coldStateReference?._withUnsafeGuaranteedRef({ !$0.lastNotes.isEmpty }) == true,
          let event = afterNotes(event)
        {
          return .event(event)
        }
      }
    }
    return .idle
  }

  /// The first pending event: of canceled operators, then of the stream.
  @inline(__always)
  private func afterNotes(_ event: ExecutionEvent?) -> ExecutionEvent? {
    guard let aside, let note = aside.lastNotes.popFirst() else { return event }
    aside.heldEnd = event
    return .noted(note)
  }

  /// Takes up what is due next: a timer before the next thing the host said, else that, else a timer up to the horizon.
  ///
  /// - Parameter event: what the host is to hear.
  private func beginNextDue(_ event: inout ExecutionEvent?) -> Bool {
    guard let coldStateReference else {
      rest()
      return false
    }
    return coldStateReference._withUnsafeGuaranteedRef { beginNextDue($0, &event) }
  }

  private func beginNextDue(_ aside: ColdState, _ event: inout ExecutionEvent?) -> Bool {
    if let due = aside.pending.first?.time {
      // What the host says comes before timers of the same instant.
      if !fireNext(aside, through: StreamTime(nanoseconds: due.nanoseconds &- 1), &event) {
        let said = aside.pending.removeFirst()
        if case .value(let value) = said.kind, hand(value, fromInput: said.input, at: said.time, &event) { return true }
        move(to: said.time)
        deliver(said)
      }
      return true
    }
    if fireNext(aside, through: aside.horizon, &event) { return true }
    move(to: aside.horizon)
    rest()
    return false
  }

  /// Nothing is to be done. The first time memory for work is let go: most executions then wait for values that go
  /// straight on.
  @inline(__always)
  private func rest() {
    guard !hasRested, stack.rest() else { return }
    hasRested = true
    elideInput()
  }

  /// Fires the next timer, if one is due before or at an instant.
  private func fireNext(
    _ aside: ColdState, through time: StreamTime, _ event: inout ExecutionEvent?
  ) -> Bool {
    guard let next = aside.timers.popNext(through: time) else { return false }
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

  /// The calendar's instant.
  var now: Timestamp {
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Timestamp(seconds: origin.seconds &+ seconds, nanoseconds: Int64(origin.nanoseconds) + rest)
  }

  /// Hands what the host said to those who have subscribed.
  ///
  /// NB: only to subscribers that run: work never refers to a stage that had ended before, since nothing keeps that.
  private func deliver(_ event: HostEvent) {
    if case .result(let result) = event.kind { return deliver(result, toCall: Int64(event.input)) }
    materializeInput()
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
