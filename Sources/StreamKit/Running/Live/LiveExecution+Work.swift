public import StreamCore
public import StreamEngine

/// The work of the active thread.
extension LiveExecution {
  func apply(_ message: Message) {
    switch message {
    case .value where followsValues, .completion where followsValues: applyByTimeline(message)
    case .value(let value, let input, let time):
      noteInput()
      execution.send(value, to: input, at: time)
    case .completion(let completion, let input, let time): execution.complete(input, completion, at: time)
    case .result(let result, let call):
      ensureColdState().tasks[call] = nil
      execution.resolve(call, with: result, at: now)
    case .demand(let demand): ask(demand)
    case .time(let time):
      let coldState = ensureColdState()
      coldState.wake.note(time)
      // NB: a scheduler may call before its clock shows the time, as one that never waits does.
      if !followsValues { execution.advance(to: max(now, time - Interval(nanoseconds: coldState.start.nanoseconds))) }
    case .saving(let told): told.resume(with: Result { try snapshot() })
    case .pausing(let latch): if !isRelieved(by: latch) { latch.open() }
    }
  }

  func handle(_ event: ExecutionEvent) {
    switch event {
    case .value(let value):
      if followsValues { _ = coldState?.demand.takeOne() }
      let demand = receive(value)
      if demand > .none { ask(demand) }
    case .finished: receive(.finished)
    case .failure(let failure): receive(.failure(failure))
    case .skipped(let failure): services.report(failure)
    case .call(let call): make(call)
    case .noted(let note): services.tell(note)
    }
  }

  /// Time since the start. Used by the active thread only, if time follows values.
  var now: StreamTime {
    guard readsTime else { return .zero }
    if let timeline = coldState?.timeline { return timeline.present(execution.latestTime) }
    // NB: Clamped: a restored state may be as old as time allows.
    return StreamTime(nanoseconds: max(0, (keeper.now - ensureColdState().start).nanoseconds))
  }

  /// Subscribes, or continues. The values of current-value inputs come first: they replace the initial values.
  func beginNow() {
    if let refusal { return fail(refusal) }
    let isRestored = self.isRestored
    if isRestored, execution.isEnded { return receive(.finished) }
    if !isAttached {
      startClock()
      feeds.forEach { input, feed in if isCurrentValue(input) { feed.attach(self, as: input) } }
    }
    // The demand, which starts the stream, comes after these values and before those of other inputs.
    var demand = Demand.none
    var others: [Message] = []
    for message in takeEarly() + mail.takeAll() {
      switch message {
      case .demand(let more): demand += more
      case .value(_, let input, _) where !isCurrentValue(input): others.append(message)
      case .completion(_, let input, _) where !isCurrentValue(input): others.append(message)
      default: apply(message)
      }
    }
    // There is no subscriber yet, so no event is reported.
    if !isRestored { while case .unfinished = execution.step(atMost: Self.patience) {} }
    ask(demand)
    for message in others { apply(message) }
    if !isAttached {
      feeds.forEach { input, feed in if !isCurrentValue(input) { feed.attach(self, as: input) } }
    }
    if isRestored { for call in execution.openCalls { make(call) } }
  }

  /// Starts the clock at zero, or at the time of the restored state.
  func startClock() {
    guard readsTime else { return }
    let past = execution.latestTime
    ensureColdState().start = keeper.now - Interval(nanoseconds: past.nanoseconds)
    if isRestored { execution.setPresent(keeper.origin) }
  }

  private func isCurrentValue(_ input: Int) -> Bool { execution.pipeline.inputs[input].initialValue != nil }

  private func make(_ call: Call) {
    let services = services
    ensureColdState().tasks[call.id] = Task { [weak self, keeper] in
      let result = await services.answer(call)
      keeper.enqueue { [weak self] in self?.post(.result(result, call: call.id), isOnKeeper: true) }
    }
  }

  /// Cancels the functions whose results are no longer needed.
  func stopUnusedTasks() {
    for call in execution.takeCanceledCalls() { ensureColdState().tasks.removeValue(forKey: call)?.cancel() }
  }

  /// Requests a call of the time source when the next timer is due, or when the timeline has its next step without a
  /// value.
  func setWake() {
    let coldState = ensureColdState()
    let next =
      followsValues
      ? coldState.timelineWake
      : execution.nextDeadline.map { coldState.start + Interval(nanoseconds: $0.nanoseconds) }
    guard let next, next < coldState.wake.time else { return }
    coldState.wake.request(at: next, of: keeper) { [weak self] in self?.post(.time($0), isOnKeeper: true) }
  }
}

extension LiveExecution: FeedReceiver {
  /// Receives a value on an input. A value of another than the declared type makes the input fail (`S304`).
  public func receive(_ value: Value, on number: Int) {
    do throws(InputConversion.Problem) {
      let value = execution.takes(value, on: number) ? value : try convert(value, for: number)
      guard enterForValue() else { return post(.value(value, input: number, time: arrival)) }
      work(on: value, number)
    } catch {
      receive(.failure(error.failure(of: value, execution.pipeline.inputs[number].name)), on: number)
    }
  }

  /// Receives the completion of an input.
  public func receive(_ completion: Completion, on number: Int) {
    post(.completion(completion, input: number, time: arrival))
  }

  /// When a value that arrives now happens; unused if time follows values.
  private var arrival: StreamTime { followsValues ? .zero : now }

  private func convert(_ value: Value, for number: Int) throws(InputConversion.Problem) -> Value {
    try InputConversion(execution.pipeline.inputs[number].type).convert(value)
  }
}
