internal import DequeModule
internal import StreamCore

/// The single upstream subscription of all subscribers of a shared stream: Combine's `multicast` of a subject.
///
/// It belongs to a frame, not to the tree below the last stage, and has no downstream: it forwards what it receives to
/// its subscribers, in order of subscription.
final class HubStage: Stage {
  let sharing: Sharing
  @exclusivity(unchecked) var subscribers: [SharedStage] = []
  @exclusivity(unchecked) private var state: State

  private struct State: Codable {
    /// The values that new subscribers receive first.
    var replayed: Deque<Replayed> = []
    var ending: Completion?
    var hasAsked = false
    /// Index of the upstream to subscribe to next, whose first value resets this stream; nil if none.
    var awaited: Int?
  }

  private struct Replayed: Codable {
    let time: StreamTime
    let value: Value
  }

  init(_ sharing: Sharing, node: PipelineNode, frame: Frame) {
    self.sharing = sharing
    state = State()
    super.init(node: node, downstream: nil, port: 0, frame: frame)
    reset()
  }

  /// Adds a subscriber: it receives the replayed values, then the completion if the stream has completed. After the
  /// completion a current value is no longer sent (Combine's `CurrentValueSubject`), but the replay buffer still is.
  func join(_ subscriber: SharedStage, _ effects: Effects) {
    subscribers.removeAll(where: \.isEnded)
    if state.ending == nil || sharing.replay > 0 {
      for entry in state.replayed where isFresh(entry, at: effects.now) { subscriber.keep(entry.value) }
    }
    if let ending = state.ending { return subscriber.end(ending, effects) }
    // The stream is in use again: cancels the pending reset.
    state.awaited = nil
    if case .later(let number) = sharing.resetWhenUnused, let waiting = upstream(on: number) {
      setUpstream(nil, on: number)
      effects.execution.release(waiting)
    }
    subscribers.append(subscriber)
    if upstream(on: 0) == nil, subscribers.count >= sharing.subscribersToConnect {
      effects.execution.stack.push(Work(.subscribe, self))
      if state.hasAsked { askForAll(effects) }
    }
  }

  /// Handles demand of a subscriber: the first demand requests all values from upstream.
  func ask(_ effects: Effects) {
    guard !state.hasAsked else { return }
    state.hasAsked = true
    if upstream(on: 0) != nil || subscribers.count >= sharing.subscribersToConnect { askForAll(effects) }
  }

  private func askForAll(_ effects: Effects) {
    effects.execution.stack.push(Work(.request, self, demand: .unlimited))
  }

  /// Removes a subscriber. Returns the upstream stage to end if it was the last one; nil if none has to end.
  func leave(_ subscriber: SharedStage, _ execution: Execution) -> Stage? {
    subscribers.removeAll { $0 === subscriber || $0.isEnded }
    guard subscribers.isEmpty, state.ending == nil, !sharing.staysConnected else { return nil }
    if case .later(let number) = sharing.resetWhenUnused {
      state.awaited = number
      execution.stack.push(Work(.resume, self))
      return nil
    }
    return disconnect(resets: sharing.resetWhenUnused == .atOnce)
  }

  /// Disconnects the unused stream. Returns the upstream stage, which the caller ends; nil if there is none.
  private func disconnect(resets: Bool) -> Stage? {
    state.hasAsked = false
    if resets { reset() }
    defer { if upstream(on: 0) != nil { setUpstream(nil, on: 0) } }
    return upstream(on: 0)
  }

  /// Subscribes to the stream whose first value resets this one.
  override func resume(_ effects: Effects) {
    guard let number = state.awaited else { return }
    state.awaited = nil
    effects.subscribe(to: number)
    effects.request(Demand(1), from: number)
  }

  /// Handles the first value of an upstream that resets the stream.
  private func resetLater(_ number: Int, _ effects: Effects) {
    if let waiting = upstream(on: number) {
      setUpstream(nil, on: number)
      effects.execution.release(waiting)
    }
    if case .later(number) = sharing.resetWhenUnused, state.ending == nil {
      guard subscribers.isEmpty else { return }
      if let source = disconnect(resets: true) { effects.execution.release(source) }
    } else {
      reset()
    }
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if port > 0 { return resetLater(port, effects) }
    if sharing.capacity > 0 {
      while state.replayed.count >= sharing.capacity { state.replayed.removeFirst() }
      state.replayed.append(Replayed(time: effects.now, value: value))
    }
    for subscriber in subscribers where !subscriber.isEnded {
      effects.execution.stack.push(Work(.input, subscriber, value: value))
    }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    // The completion of a stream that resets this one has no effect.
    if port > 0 { return }
    let told = subscribers
    subscribers = []
    state.hasAsked = false
    state.ending = completion
    let failure: StreamFailure? = if case .failure(let failure) = completion { failure } else { nil }
    switch failure == nil ? sharing.resetOnFinish : sharing.resetOnFailure {
    case .never: break
    case .atOnce: reset()
    case .later(let number):
      state.awaited = number
      effects.resume()
    }
    for subscriber in told where !subscriber.isEnded {
      effects.execution.stack.push(Work(.input, subscriber, number: 1, failure: failure))
    }
  }

  private func reset() {
    state.ending = nil
    state.replayed = []
    if let initialValue = sharing.initialValue {
      state.replayed.append(Replayed(time: .distantFuture, value: initialValue))
    }
  }

  private func isFresh(_ entry: Replayed, at now: StreamTime) -> Bool {
    guard let interval = sharing.replayInterval, entry.time < .distantFuture else { return true }
    return now < entry.time + interval
  }

  override func saveState() throws -> Value { try ValueEncoder().encode(state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    state = try Self.decode(value)
    if let awaited = state.awaited, awaited <= 0 || awaited >= node.upstreams.count {
      throw Diagnostics([Execution.mismatch("the state of its 'share' waits for a stream that does not exist")])
    }
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port }
}

/// A subscription to a shared stream.
///
/// As with Combine's subjects, values without demand are lost, except for the newest, up to the replay capacity.
final class SharedStage: Stage {
  private let sharing: Sharing
  let number: Int
  @exclusivity(unchecked) private var backlog = Backlog()

  init(_ sharing: Sharing, number: Int, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.sharing = sharing
    self.number = number
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  /// The shared stream of the subscription, created for the first subscriber.
  var hub: HubStage {
    if let hub = frame.hubs[number] { return hub }
    let hub = HubStage(sharing, node: node, frame: frame)
    frame.hubs[number] = hub
    return hub
  }

  func keep(_ value: Value) {
    guard sharing.capacity > 0 else { return }
    while backlog.count >= sharing.capacity { backlog.removeFirst() }
    backlog.append(value)
  }

  func end(_ completion: Completion, _ effects: Effects) { backlog.end(completion, effects, keeping: true) }

  override func start(_ effects: Effects) { hub.join(self, effects) }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    backlog.ask(demand)
    backlog.drain(effects)
    hub.ask(effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if backlog.takeOne() { effects.publish(value) } else { keep(value) }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    backlog.end(completion, effects, keeping: true)
  }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: backlog) }

  override func saveState() throws -> Value { try ValueEncoder().encode(backlog) }

  override func restoreState(_ value: Value) throws(Diagnostics) { backlog = try Self.decode(value) }
}
