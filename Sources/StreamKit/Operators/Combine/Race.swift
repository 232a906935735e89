internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the stream that is first to emit an event, and cancels the others.
  ///
  /// A finish or a failure counts as an event. At one instant the stream listed first wins.
  public struct Race: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences

    public init(with: StreamReferences) {
      self.with = with
    }
  }
}

extension Operator.Race {
  public var joined: [JoinedStream] { with.joined }
  /// A failure of a losing stream is ignored.
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return RaceMachine(count: with.all.count + 1)
  }
}

/// Subscribes to one stream after another, each after the synchronous events of the previous one have been delivered: a
/// stream that publishes on subscription wins before the next one starts.
private struct RaceMachine: Machine {
  struct State: Codable, Sendable {
    /// The winner's port.
    var winner: Int?
    /// Number of streams subscribed to.
    var started = 1
    var demand = Demand.none
    /// The ends of streams before the first request, by port; nil if there are none.
    var early: [Int: Completion]?
  }

  let count: Int
  var state = State()

  func problem(with saved: State) -> String? {
    let isWinner = saved.winner.map { (0..<count).contains($0) } ?? true
    let areEarly = (saved.early ?? [:]).keys.allSatisfy { (0..<count).contains($0) }
    return isWinner && areEarly && (1...count).contains(saved.started) ? nil : "names streams that do not exist"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port }

  mutating func start(_ effects: Effects) {
    // Without demand nothing wins by its value, and a subscription that waited for it would miss what is sent before.
    let isRequestPending = effects.isRequestPending
    effects.subscribe(to: 0)
    if !isRequestPending { effects.resume() }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    let isFirst = state.demand == .none
    state.demand += demand
    if let winner = state.winner { return effects.request(demand, from: winner) }
    // The streams in front of one that has ended can still win, with a value at once.
    for port in 0..<(state.early?.keys.min() ?? state.started) { effects.request(demand, from: port) }
    if isFirst { effects.resume() }
  }

  mutating func resume(_ effects: Effects) {
    guard state.winner == nil else { return }
    if state.demand > .none, let first = state.early?.min(by: { $0.key < $1.key }) {
      return effects.complete(first.value)
    }
    guard state.started < count else { return }
    effects.subscribe(to: state.started)
    effects.request(state.demand, from: state.started)
    state.started += 1
    effects.resume()
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    if state.winner == nil {
      state.winner = port
      for other in 0..<state.started where other != port { effects.cancel(other) }
    }
    effects.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    guard state.winner == nil, state.demand == .none else { return effects.complete(completion) }
    state.early = (state.early ?? [:]).merging([port: completion]) { first, _ in first }
  }
}

extension Operator.Race {
  public static let spec = OperatorSpec(
    "race", "Publishes the stream that is first to emit an event, and cancels the others.",
    fields: [.required("with", .streams, "The other streams.")],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins("the first stream wins", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--x-y---|"], out: "--x-y---|"),
      .joins("a finish wins, too", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--|"], out: "--|"),
      .joins(
        "a losing stream's failure is ignored", #"{"race": {"with": ["b"]}}"#, in: ["-a---b|", "---#"], out: "-a---b|"),
      .joins("at one instant upstream wins", #"{"race": {"with": ["b"]}}"#, in: ["-a-b|", "-x-y|"], out: "-a-b|"),
      .rejects("no other stream", #"{"race": {"with": []}}"#, .outOfRange, at: "/race/with"),
    ])
}
