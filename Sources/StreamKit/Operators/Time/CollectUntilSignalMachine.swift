internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// Lists that other streams begin and complete.
///
/// Port 0 is the upstream, port 1 the stream that rules; with `toggle` each open list has a port for its `closing`.
struct CollectUntilSignalMachine: Machine {
  enum Rule: Sendable {
    /// Each value completes a list and begins the next.
    case signal
    /// The same, of a stream that is subscribed to anew for every list.
    case eachSignal
    /// Each value begins a list, and a stream that completes it.
    case toggle
  }

  struct State: Codable, Sendable {
    /// The lists that take values, oldest first.
    var open: [OpenList] = []
    var ports = InnerPorts(first: 2)
    var lists = PendingLists()
    /// How many lists have been begun.
    @Counted var listCount: Int64 = 0
    var hasBegun = false
  }

  struct OpenList: Codable, Sendable {
    let port: Int
    var values: [Value] = []
  }

  private static let signal = 1

  let rule: Rule
  let limit: Int
  var state = State()

  init(rule: Rule, limit: Int) {
    self.rule = rule
    self.limit = limit
  }

  func problem(with saved: State) -> String? {
    if let problem = saved.ports.problem(beside: state.ports) { return problem }
    guard case .toggle = rule else { return nil }
    return saved.open.allSatisfy { saved.ports.active.contains($0.port) } ? nil : "has lists that nothing closes"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port <= Self.signal ? upstream == port : upstream == 2 && state.ports.hasGiven(port)
  }

  mutating func start(_ answers: Answers) {
    switch rule {
    case .signal:
      beginList()
      answers.subscribe(to: 0)
      answers.subscribe(to: Self.signal)
    case .eachSignal:
      beginList()
      subscribeToSignal(answers)
      answers.subscribe(to: 0)
    case .toggle:
      answers.subscribe(to: Self.signal)
      answers.subscribe(to: 0)
    }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.lists.request(demand, answers)
    guard !state.hasBegun else { return }
    state.hasBegun = true
    switch rule {
    case .signal:
      answers.request(.unlimited, from: 0)
      answers.request(.unlimited, from: Self.signal)
    case .eachSignal:
      answers.request(Demand(1), from: Self.signal)
      answers.request(.unlimited, from: 0)
    case .toggle:
      answers.request(.unlimited, from: Self.signal)
      answers.request(.unlimited, from: 0)
    }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    switch port {
    case 0:
      try requireRoom(for: state.open.count { !$0.values.isEmpty }, value)
      for index in state.open.indices { state.open[index].values.append(value) }
    case Self.signal:
      try requireRoom(for: 1, value)
      try begin(for: value, answers)
    default:
      complete(port, answers)
    }
  }

  /// The stream that rules has published.
  private mutating func begin(for value: Value, _ answers: Answers) throws(StreamFailure) {
    switch rule {
    case .signal:
      completeAll()
      beginList()
      state.lists.drain(answers)
    case .eachSignal:
      answers.cancel(Self.signal)
      completeAll()
      beginList()
      state.lists.drain(answers)
      subscribeToSignal(answers)
      answers.request(Demand(1), from: Self.signal)
    case .toggle:
      let port = state.ports.take()
      state.open.append(OpenList(port: port))
      answers.subscribe(to: 2, on: port, capturing: [value, .int(state.listCount)])
      answers.request(Demand(1), from: port)
      state.listCount += 1
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    guard port == 0 else { return }
    answers.cancel(Self.signal)
    if case .toggle = rule {
      for list in state.open { answers.cancel(list.port) }
    }
    completeAll()
    state.lists.end(completion, answers)
  }

  private mutating func beginList() {
    state.open.append(OpenList(port: Self.signal))
    state.listCount += 1
  }

  private func subscribeToSignal(_ answers: Answers) {
    answers.subscribe(to: 1, on: Self.signal, capturing: [.int(state.listCount - 1)])
  }

  private mutating func completeAll() {
    for list in state.open { state.lists.add(list.values) }
    state.open = []
  }

  /// The list whose `closing` has this port is complete.
  private mutating func complete(_ port: Int, _ answers: Answers) {
    guard let place = state.open.firstIndex(where: { $0.port == port }) else { return }
    answers.cancel(port)
    state.ports.end(port)
    state.lists.add(state.open.remove(at: place).values)
    state.lists.drain(answers)
  }

  /// - Parameter count: how many more there will be. A list without values counts as one.
  private func requireRoom(for count: Int, _ value: Value) throws(StreamFailure) {
    let held = state.open.reduce(state.lists.heldCount) { $0 + max(1, $1.values.count) }
    guard held + count <= limit else {
      throw StreamFailure(.limitExceeded, "'collectUntil' has its limit of \(limit) values in its lists", value: value)
    }
  }
}
