internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Follows the stream that says something first, and cancels the others.
  ///
  /// A finish or a failure is something, too. At one instant the stream that was named first wins.
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
  /// That of a loser is not heard.
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return RaceMachine(count: with.all.count + 1)
  }
}

/// Streams are subscribed to one after the other, each when what the one before says at once has been heard: one that
/// speaks at once wins before the next is subscribed to.
private struct RaceMachine: Machine {
  struct State: Codable, Sendable {
    /// The port that won.
    var winner: Int?
    /// How many are subscribed to.
    var started = 1
    var demand = Demand.none
  }

  let count: Int
  var state = State()

  func problem(with saved: State) -> String? {
    let isWinner = saved.winner.map { (0..<count).contains($0) } ?? true
    return isWinner && (1...count).contains(saved.started) ? nil : "names streams that do not exist"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    let isFirst = state.demand == .none
    state.demand += demand
    if let winner = state.winner { return effects.request(demand, from: winner) }
    for port in 0..<state.started { effects.request(demand, from: port) }
    if isFirst { effects.resume() }
  }

  mutating func resume(_ effects: Effects) {
    guard state.winner == nil, state.started < count else { return }
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
}

extension Operator.Race {
  public static let spec = OperatorSpec(
    "race", "Follows the stream that says something first, and cancels the others.",
    fields: [.required("with", .streams, "The other streams: names, or models in place.")],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins("the first wins", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--x-y---|"], out: "--x-y---|"),
      .joins("the end is something, too", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--|"], out: "--|"),
      .joins(
        "the loser's failure is not heard", #"{"race": {"with": ["b"]}}"#, in: ["-a---b|", "---#"], out: "-a---b|"),
      .joins("at one instant the upstream", #"{"race": {"with": ["b"]}}"#, in: ["-a-b|", "-x-y|"], out: "-a-b|"),
      .rejects("with nobody", #"{"race": {"with": []}}"#, .outOfRange, at: "/race/with"),
    ])
}
