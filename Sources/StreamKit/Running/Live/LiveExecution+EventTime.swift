internal import CEL
internal import StreamCore
internal import StreamEngine

/// Streams whose time follows the values of an input. Used by the active thread only.
extension LiveExecution {
  /// Prepares the order of values, and continues from those that waited when the state of the stream was saved.
  /// - Throws: The error of a state that has another form.
  func prepareTimeline() throws(Diagnostic) {
    let inputs = execution.pipeline.inputs
    var fed: Set<String> = []
    feeds.forEach { number, _ in fed.insert(inputs[number].name) }
    let timeline = EventTimeline(execution.pipeline, fed: fed, limit: services.limits.waiting, keeper)
    if let saved = savedState?.restored?.waiting { try timeline.restore(saved) }
    ensureColdState().timeline = timeline
  }

  /// Makes this thread the active one for a value. The active thread orders values whose times count.
  func enterForValue() -> Bool { !followsValues && enterDirectly() }

  private func name(of input: Int) -> String { execution.pipeline.inputs[input].name }

  /// Takes the messages before the start. Returns whether the stream starts: its first value is known.
  func startTimeline() -> Bool {
    guard let timeline = coldState?.timeline else { return true }
    if !isAttached {
      ensureColdState().isAttached = true
      feeds.forEach { input, feed in feed.attach(self, as: input) }
    }
    if timeline.origin != nil || refusal != nil { return true }
    for message in mail.takeAll() {
      switch message {
      case .value(let value, let input, _) where timeline.hasClock(name(of: input)):
        timeline.take(value, for: name(of: input))
      case .value(let value, let input, _): timeline.keep(value, for: name(of: input))
      case .completion(let completion, let input, _):
        if !timeline.complete(name(of: input), completion) { ensureColdState().early.append(message) }
      case .demand: ensureColdState().early.append(message)
      case .result, .time, .saving, .pausing: apply(message)
      }
    }
    switch timeline.start() {
    case .success(let origin):
      execution.setOrigin(origin)
      return true
    case .failure(let waiting):
      ensureColdState().timelineWake = waiting.time
      return false
    }
  }

  /// Takes the messages that waited for the start.
  func takeEarly() -> [Message] {
    guard let coldState, let timeline = coldState.timeline else { return [] }
    defer { coldState.early = [] }
    let values = timeline.takeEarly().compactMap { value, name in
      execution.pipeline.input(named: name).map { Message.value(value, input: $0, time: .zero) }
    }
    return values + coldState.early
  }

  /// Requests values of the execution.
  func ask(_ demand: Demand) {
    if followsValues { ensureColdState().demand += demand }
    execution.request(demand)
  }

  /// Performs the next step of the timeline. Returns false if nothing happens before a value arrives, time passes, or the
  /// receiver requests a value: while it is busy, time does not pass.
  func takeTimelineStep() -> Bool {
    guard let coldState, let timeline = coldState.timeline, timeline.origin != nil, !execution.isEnded else {
      return false
    }
    coldState.timelineWake = nil
    guard coldState.demand > .none || timeline.isDrained else { return false }
    switch timeline.step(execution.latestTime, timer: execution.nextDeadline, wants: wants) {
    case .value(let value, let name, let time): send(value, to: execution.pipeline.input(named: name), at: time)
    case .lateValue(let value, let input, let time): send(value, to: input, at: time)
    case .completion(let completion, let name, let time):
      if let input = execution.pipeline.input(named: name) { execution.complete(input, completion, at: time) }
    case .timer(let limit): return execution.advanceToNextTimer(through: limit)
    case .wait(let time):
      coldState.timelineWake = time
      return false
    }
    return true
  }

  private func wants(_ name: String) -> Bool { execution.pipeline.input(named: name).map(execution.wants) ?? false }

  private func send(_ value: Value, to input: Int?, at time: StreamTime) {
    guard let input else { return }
    noteInput()
    execution.send(value, to: input, at: time)
  }

  /// Applies a message about an input: one with a clock has its own order, and others count as present.
  func applyByTimeline(_ message: Message) {
    guard let timeline = coldState?.timeline else { return }
    switch message {
    case .value(let value, let input, _):
      if timeline.hasClock(name(of: input)) {
        timeline.take(value, for: name(of: input))
      } else {
        send(value, to: input, at: now)
      }
    case .completion(let completion, let input, _):
      if !timeline.complete(name(of: input), completion) { execution.complete(input, completion, at: now) }
    default: break
    }
  }
}
