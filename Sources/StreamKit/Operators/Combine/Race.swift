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
  }
}

extension Operator.Race {
  public var joined: [JoinedStream] { with.joined }
  /// That of a loser is not heard.
  public var handlesFailures: Bool { true }

  public func validate() throws(Diagnostic) { try with.requireOne() }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    return RaceMachine(count: with.all.count + 1)
  }
}

private struct RaceMachine: Machine {
  struct State: Codable, Sendable {
    /// The port that won.
    var winner: Int?
    /// How many streams have been subscribed to. The first is at the start; each of the others when the one before it
    /// has been asked for values, and has not won with them at once.
    var begun = 1
    var demand = Demand.none
  }

  let count: Int
  var state = State()

  mutating func request(_ demand: Demand, _ answers: Answers) {
    if let winner = state.winner { return answers.request(demand, from: winner) }
    let isFirst = state.demand == .none
    state.demand += demand
    // The first that answers cancels the others, which are then asked for nothing.
    for port in 0..<state.begun { answers.request(demand, from: port) }
    if isFirst { answers.resume() }
  }

  mutating func resume(_ answers: Answers) {
    guard state.winner == nil, state.begun < count else { return }
    answers.subscribe(to: state.begun)
    answers.request(state.demand, from: state.begun)
    answers.resume()
    state.begun += 1
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if state.winner == nil {
      state.winner = port
      for other in 0..<state.begun where other != port { answers.cancel(other) }
    }
    answers.publish(value)
  }
}

extension Operator.Race {
  public static let spec = OperatorSpec(
    "race", "Follows the stream that says something first, and cancels the others.",
    fields: [.required("with", .streams, "The other streams: names, or models in place.")],
    examples: [
      .joins("the first wins", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--x-y---|"], out: "--x-y---|"),
      .joins("the end is something, too", #"{"race": {"with": ["b"]}}"#, in: ["---a-b-|", "--|"], out: "--|"),
      .joins(
        "the loser's failure is not heard", #"{"race": {"with": ["b"]}}"#, in: ["-a---b|", "---#"], out: "-a---b|"),
      .joins("at one instant the upstream", #"{"race": {"with": ["b"]}}"#, in: ["-a-b|", "-x-y|"], out: "-a-b|"),
      .rejects("with nobody", #"{"race": {"with": []}}"#, .outOfRange, at: "/race/with"),
    ])
}
