internal import StreamCore
internal import StreamEngine

/// Collects values into lists that other streams start and end.
///
/// Port 0 is upstream, port 1 the stream with the signals; with `toggle`, each open list has a port for its `closing`.
struct CollectUntilSignalMachine: Machine {
  enum Rule: Sendable {
    /// Each value ends a list and starts the next one.
    case signal
    /// The same, with a new subscription for every list.
    case eachSignal
    /// Each value starts a list and a stream that ends it.
    case toggle
  }

  struct State: Codable, Sendable {
    /// The open lists, oldest first.
    var open: [OpenList] = []
    var ports = InnerPorts(first: 2)
    var lists = PendingLists()
    /// Number of lists started.
    @Counted var listCount: Int64 = 0
    /// Whether upstream and the stream with the signals were subscribed to at the start.
    var hasSubscribed = false
    /// Number of these two that have been asked.
    var askedCount = 0
    var isUpstreamDone = false
  }

  struct OpenList: Codable, Sendable {
    let port: Int
    var values: [Value] = []
  }

  private static let signal = 1

  let rule: Rule
  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    if let problem = saved.ports.problem(beside: state.ports) { return problem }
    guard case .toggle = rule else { return nil }
    return saved.open.allSatisfy { saved.ports.active.contains($0.port) } ? nil : "has lists that no stream closes"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port <= Self.signal ? upstream == port : upstream == 2 && state.ports.hasGiven(port)
  }

  mutating func start(_ effects: Effects) {
    if case .toggle = rule {} else { beginList() }
    // Each stream is asked when it is subscribed to: a cold one runs to its end before the next one starts.
    guard !effects.isRequestPending else { return }
    state.hasSubscribed = true
    for port in order { subscribe(to: port, effects) }
  }

  /// The ports in the order of RxJS's subscriptions.
  private var order: [Int] { if case .signal = rule { [0, Self.signal] } else { [Self.signal, 0] } }

  private func subscribe(to port: Int, _ effects: Effects) {
    if port == Self.signal { subscribeToSignal(effects) } else { effects.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.lists.request(demand, effects)
    if state.askedCount == 0 { beginNext(effects) }
  }

  /// Asks the next stream that has not been asked.
  private mutating func beginNext(_ effects: Effects) {
    guard order.indices.contains(state.askedCount), !state.isUpstreamDone else { return }
    let port = order[state.askedCount]
    state.askedCount += 1
    if !state.hasSubscribed { subscribe(to: port, effects) }
    effects.request(port == Self.signal && rule == .eachSignal ? Demand(1) : .unlimited, from: port)
    effects.resume()
  }

  mutating func resume(_ effects: Effects) { beginNext(effects) }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    switch port {
    case 0:
      try requireRoom(for: state.open.count { !$0.values.isEmpty }, value)
      for index in state.open.indices { state.open[index].values.append(value) }
    case Self.signal:
      try requireRoom(for: 1, value)
      try begin(for: value, effects)
    default:
      complete(port, effects)
    }
  }

  /// Handles a value of the signal stream.
  private mutating func begin(for value: Value, _ effects: Effects) throws(StreamFailure) {
    switch rule {
    case .signal:
      completeAll()
      beginList()
      state.lists.drain(effects)
    case .eachSignal:
      effects.cancel(Self.signal)
      completeAll()
      beginList()
      state.lists.drain(effects)
      subscribeToSignal(effects)
      effects.request(Demand(1), from: Self.signal)
    case .toggle:
      let port = state.ports.take()
      state.open.append(OpenList(port: port))
      effects.subscribe(to: 2, on: port, capturing: [value, .int(state.listCount)])
      effects.request(Demand(1), from: port)
      state.listCount += 1
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    guard port == 0 else { return }
    state.isUpstreamDone = true
    effects.cancel(Self.signal)
    if case .toggle = rule {
      for list in state.open { effects.cancel(list.port) }
    }
    completeAll()
    state.lists.end(completion, effects)
  }

  private mutating func beginList() {
    state.open.append(OpenList(port: Self.signal))
    state.listCount += 1
  }

  private func subscribeToSignal(_ effects: Effects) {
    guard case .eachSignal = rule else { return effects.subscribe(to: Self.signal) }
    effects.subscribe(to: 1, on: Self.signal, capturing: [.int(state.listCount - 1)])
  }

  private mutating func completeAll() {
    for list in state.open { state.lists.add(list.values) }
    state.open = []
  }

  /// Ends the list whose `closing` has this port.
  private mutating func complete(_ port: Int, _ effects: Effects) {
    guard let place = state.open.firstIndex(where: { $0.port == port }) else { return }
    effects.cancel(port)
    state.ports.end(port)
    state.lists.add(state.open.remove(at: place).values)
    state.lists.drain(effects)
  }

  private func requireRoom(for count: Int, _ value: Value) throws(StreamFailure) {
    try state.lists.requireRoom(
      for: count, beside: state.open.lazy.map(\.values.count), limit: limit, owner: "collectUntil", value)
  }
}
