internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Starts a stream for each value and publishes the values of these streams: the machine of `flatMap`, `switchMap`,
/// `exhaustMap` and `mergeScan`.
///
/// Port 0 is upstream. A failure of any stream cancels the others.
struct FlattenMachine: LoweredMachine {
  struct State: Codable, Sendable {
    var inners: InnerStreams
    /// The values that wait to start a stream.
    var waiting: Deque<Value> = []
    /// Number of streams started.
    @Counted var index: Int64 = 0
    /// The last published value, if the streams see it as `acc`.
    var acc: Value?
    var nesting = NestingGuard()
    var hasAskedUpstream = false
    var isUpstreamDone = false
  }

  let name: String
  let strategy: Operator.FlatMap.Strategy
  let maxPublishers: Int
  /// Maximum number of waiting values.
  let limit: Int
  /// The slot of the first variable of the streams.
  let firstSlot: Int
  var state: State

  init(
    _ name: String, _ strategy: Operator.FlatMap.Strategy, maxPublishers: Int? = nil,
    limit: Int = Operator.FlatMap.defaultLimit, firstSlot: Int,
    accumulatingFrom initialValue: Value? = nil
  ) {
    self.name = name
    self.strategy = strategy
    self.maxPublishers = strategy == .concat ? 1 : maxPublishers ?? .max
    self.limit = limit
    self.firstSlot = firstSlot
    state = State(inners: InnerStreams(oneAtATime: strategy == .latest || strategy == .exhaust), acc: initialValue)
  }

  func problem(with saved: State) -> String? {
    if (saved.acc != nil) != (state.acc != nil) {
      return "has an accumulation where none is kept, or none where one is"
    }
    return saved.inners.problem(beside: state.inners)
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port == 0 ? upstream == 0 : upstream == 1 && state.inners.hasGiven(port)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard port == 0 else {
      if state.acc != nil {
        try state.nesting.check(value, owner: name)
        state.acc = value
      }
      return try state.inners.receive(value, on: port, effects)
    }
    switch strategy {
    case .merge, .concat:
      if state.inners.count < maxPublishers {
        state.inners.open(1, capturing: captures(value), effects)
      } else {
        state.waiting.append(value)
      }
    case .latest:
      state.inners.replaceAll(by: 1, capturing: captures(value), effects)
    case .exhaust:
      if state.inners.count == 0 { state.inners.open(1, capturing: captures(value), effects) }
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    if port == 0 {
      state.isUpstreamDone = true
    } else {
      state.inners.close(port)
      if let value = state.waiting.popFirst() { state.inners.open(1, capturing: captures(value), effects) }
      if maxPublishers < .max { effects.request(Demand(1), from: 0) }
    }
    finishIfDone(effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.inners.request(demand, effects)
    if !state.hasAskedUpstream {
      state.hasAskedUpstream = true
      effects.request(firstRequest, from: 0)
    }
    finishIfDone(effects)
  }

  mutating func resume(_ effects: Effects) {
    state.inners.resume(effects)
    finishIfDone(effects)
  }

  /// The requests of `maxPublishers` streams and of the values that wait.
  private var firstRequest: Demand { Demand(maxPublishers) + Demand(maxPublishers < .max ? limit : 0) }

  /// Compiles to one program if each stream publishes at most one value and ends at once.
  var lowering: Lowering<State>? {
    guard state.acc == nil else { return nil }
    let lowering = SerialLowering<State>(
      slots: SerialSlots(value: firstSlot, number: firstSlot + 1), requests: maxPublishers < .max ? firstRequest : nil
    ) { progress, old in
      guard progress.isRequested else { return old }
      var state = old
      state.index = progress.started
      state.hasAskedUpstream = true
      state.inners.passThrough(hasStreams: progress.started > 0)
      return state
    } progress: { state in
      guard state.inners.isAwaitingStreams, state.waiting.isEmpty, state.hasAskedUpstream, !state.isUpstreamDone else {
        return nil
      }
      return SerialProgress(started: state.index, position: 1, isRunning: false)
    }
    return .serial(lowering)
  }

  private mutating func captures(_ value: Value) -> [Value] {
    defer { state.index += 1 }
    let outer = [value, .int(state.index)]
    return state.acc.map { [$0] + outer } ?? outer
  }

  private func finishIfDone(_ effects: Effects) {
    if state.isUpstreamDone, state.waiting.isEmpty, state.inners.isEmpty { effects.finish() }
  }
}
