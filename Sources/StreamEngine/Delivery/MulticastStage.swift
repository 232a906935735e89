internal import DequeModule
internal import StreamCore

/// The single upstream subscription of all subscribers of a shared stream: Combine's `multicast` of a subject.
///
/// It belongs to a frame, not to the tree below the last stage, and has no downstream: it forwards what it receives to
/// its subscribers, in order of subscription. It requests as much as the fastest subscriber wants and the slowest can
/// take: a subscriber without demand has a queue.
final class MulticastStage: Stage {
  let sharing: Sharing
  @exclusivity(unchecked) var subscribers: [SharedStage] = []
  @exclusivity(unchecked) private var state: State

  private struct State: Codable {
    /// The values that new subscribers receive first.
    var replayed: Deque<Replayed> = []
    var ending: Completion?
    /// Whether enough subscribers have requested values.
    var hasAsked = false
    /// The values that upstream still has to send; nil in older snapshots, which have requested all values.
    var asked: Demand? = Demand.none
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
      isConnecting = true
      effects.execution.stack.push(Work(.subscribe, self))
      ask(effects.execution)
    }
  }

  /// Whether the subscription to upstream has been pushed as work.
  @exclusivity(unchecked) private var isConnecting = false

  /// Requests what the subscribers want: the first time, once as many of them have asked as are required to connect, or
  /// all that there are.
  func ask(_ execution: Execution) {
    guard state.ending == nil, isConnecting || upstream(on: 0) != nil else { return }
    if !state.hasAsked {
      let askers = subscribers.count { !$0.isEnded && $0.hasAsked }
      guard askers > 0, askers >= min(sharing.subscribersToConnect, subscribers.count { !$0.isEnded }) else { return }
      state.hasAsked = true
    }
    let asked = state.asked ?? .unlimited
    guard !asked.isUnlimited else { return noteBlock(execution) }
    var (most, least) = (Demand.none, Demand.unlimited)
    for subscriber in subscribers where !subscriber.isEnded {
      most = max(most, subscriber.demand)
      least = min(least, subscriber.room)
    }
    // Without subscribers, the values are dropped or go to the replay buffer.
    if subscribers.isEmpty { most = .unlimited }
    // More at once might not fit into the queue of a subscriber that is yet to come.
    let wanted = min(most, least).isUnlimited ? .unlimited : min(most, least, Demand(SharedStage.limit))
    guard wanted > asked else { return noteBlock(execution) }
    state.asked = wanted
    let more = wanted.isUnlimited ? wanted : Demand(wanted.count - asked.count)
    execution.stack.push(Work(.request, self, demand: more))
  }

  /// The last subscriber, if its request is the first that is passed on.
  override var connector: Stage? {
    guard !state.hasAsked, subscribers.dropLast().allSatisfy({ $0.isEnded || $0.hasAsked }) else { return nil }
    return subscribers.last
  }

  /// The first subscriber whose queue is full.
  var fullSubscriber: SharedStage? { subscribers.first { !$0.isEnded && $0.room == .none } }

  /// Whether all values have been requested, although the queue of a subscriber is full.
  var isFlooded: Bool { (state.asked ?? .unlimited).isUnlimited && isBlocked }

  /// Whether a subscriber is full while another one wants values, or while upstream may send any number of them.
  var isBlocked: Bool {
    guard !isEnded, state.hasAsked, state.ending == nil, fullSubscriber != nil else { return false }
    return (state.asked ?? .unlimited).isUnlimited || subscribers.contains { !$0.isEnded && $0.demand > .none }
  }

  private func noteBlock(_ execution: Execution) {
    guard subscribers.count > 0, fullSubscriber != nil, isBlocked else { return }
    if execution.coldState?.blockedHubs.contains(where: { $0 === self }) != true {
      execution.ensureColdState().blockedHubs.append(self)
    }
  }

  /// Removes a subscriber. Returns the upstream stage to end if it was the last one; nil if none has to end.
  func leave(_ subscriber: SharedStage, _ execution: Execution) -> Stage? {
    subscribers.removeAll { $0 === subscriber || $0.isEnded }
    guard subscribers.isEmpty, state.ending == nil, !sharing.staysConnected else {
      // The remaining subscribers may have more demand than the canceled one.
      if state.ending == nil { execution.stack.push(Work(.resume, self)) }
      return nil
    }
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
    state.asked = Demand.none
    isConnecting = false
    if resets { reset() }
    defer { if upstream(on: 0) != nil { setUpstream(nil, on: 0) } }
    return upstream(on: 0)
  }

  /// Subscribes to the stream whose first value resets this one, or requests what the subscribers want now.
  override func resume(_ effects: Effects) {
    guard let number = state.awaited else { return ask(effects.execution) }
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
    let isAskedForAll = (state.asked ?? .unlimited).isUnlimited
    _ = state.asked?.takeOne()
    for subscriber in subscribers where !subscriber.isEnded {
      subscriber.undeliveredCount += 1
      effects.execution.stack.push(Work(.input, subscriber, value: value))
    }
    if !isAskedForAll || subscribers.contains(where: { $0.room == .none }) { effects.resume() }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    // The completion of a stream that resets this one has no effect.
    if port > 0 { return }
    let told = subscribers
    subscribers = []
    state.hasAsked = false
    state.asked = Demand.none
    isConnecting = false
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

/// A subscription to a shared stream. Values without demand wait; the shared stream requests no more than can wait.
final class SharedStage: Stage {
  private let sharing: Sharing
  let number: Int
  @exclusivity(unchecked) private var backlog = Backlog()
  /// Number of values of the shared stream that are on their way to this subscriber.
  @exclusivity(unchecked) var undeliveredCount = 0

  /// Maximum number of values that wait for one subscriber.
  static let limit = Backlog.defaultLimit

  init(_ sharing: Sharing, number: Int, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    self.sharing = sharing
    self.number = number
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  /// The shared stream of the subscription, created for the first subscriber.
  var hub: MulticastStage {
    if let hub = frame.hubs[number] { return hub }
    let hub = MulticastStage(sharing, node: node, frame: frame)
    frame.hubs[number] = hub
    return hub
  }

  func keep(_ value: Value) { backlog.append(value) }

  var hasAsked: Bool { backlog.hasAsked == true || backlog.demand > .none }

  /// Unmet demand.
  var demand: Demand { backlog.demand.isUnlimited ? .unlimited : Demand(backlog.demand.count - undeliveredCount) }

  /// Number of values that can still be delivered, or wait.
  var room: Demand {
    let room = backlog.room(limit: max(Self.limit, sharing.capacity))
    return room.isUnlimited ? room : Demand(room.count - undeliveredCount)
  }

  /// The failure of a full queue.
  func overflow(_ value: Value?) -> StreamFailure {
    .beyondLimit(
      Self.limit, "value", " waiting for one subscriber while another one needs more", of: "share",
      pointer: node.pointer, value: value)
  }

  func end(_ completion: Completion, _ effects: Effects) { backlog.end(completion, effects, keeping: true) }

  override func start(_ effects: Effects) { hub.join(self, effects) }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    backlog.ask(demand)
    backlog.hasAsked = true
    backlog.drain(effects)
    hub.ask(effects.execution)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    undeliveredCount = max(0, undeliveredCount - 1)
    if backlog.takeOne() { return effects.publish(value) }
    guard backlog.count < max(Self.limit, sharing.capacity) else { throw overflow(value) }
    backlog.append(value)
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    backlog.end(completion, effects, keeping: true)
  }

  override func leave(_ execution: Execution) -> Stage? { frame.hubs[number]?.leave(self, execution) }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: backlog) }

  override var endsWithDemand: Bool { backlog.isEnding }

  override func saveState() throws -> Value { try ValueEncoder().encode(backlog) }

  override func restoreState(_ value: Value) throws(Diagnostics) { backlog = try Self.decode(value) }
}
