public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the last values of all streams together once all have finished.
  ///
  /// A stream that finishes without a value finishes the whole at once, without a value. A failure of any stream fails
  /// the whole.
  ///
  /// - Memory: the newest value of each stream.
  public struct ForkJoin: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names of the values, upstream's first. With names, an object is published instead of an array.
    public var names: [String]?
    /// Returns the value to publish. `values` is the list of all values; each name is a variable, too. Variables:
    /// `values`, the names.
    public var expression: CELExpression?

    public init(with: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil) {
      self.with = with
      self.names = names
      self.expression = expression
    }
  }
}

extension Operator.ForkJoin {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    return ForkJoinMachine(
      output: try JoinOutput(names: names, expression: expression, count: count, &context),
      state: ForkJoinMachine.State(latest: LatestValues(count: count)))
  }
}

private struct ForkJoinMachine: Machine {
  struct State: Codable, Sendable {
    var latest: LatestValues
    var result = PendingResult()
  }

  let output: JoinOutput
  var state: State

  func problem(with saved: State) -> String? { saved.latest.problem(of: state.latest.count) }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.latest.count }

  mutating func start(_ effects: Effects) {
    for port in state.latest.values.indices {
      effects.subscribe(to: port)
      effects.request(.unlimited, from: port)
    }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { state.latest.set(value, at: port) }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .finished = completion, state.latest.hasPublished(port) else { return effects.complete(completion) }
    state.latest.finish(port)
    guard state.latest.isDone else { return }
    let values = state.latest.values
    let result = try effects.skippingFailure { () throws(StreamFailure) in try output.make(values, effects) }
    if let result { state.result.end(.finished, with: result, effects) } else { effects.finish() }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }
}

extension Operator.ForkJoin {
  public static let spec = OperatorSpec(
    "forkJoin", "Publishes the last values of all streams together once all have finished.",
    memory: .constant("the newest value of each stream"),
    fields: FieldSpec.joining,
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "the last value of each stream", #"{"forkJoin": {"with": ["b"]}}"#, in: ["-a-b-|", "--x---y--|"],
        out: "---------(p|)",
        values: ["p": ["b", "y"]]),
      .joins(
        "an object with names", #"{"forkJoin": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "-x|"],
        out: "--(p|)",
        values: ["p": ["left": "a", "right": "x"]]),
      .joins("a stream without a value", #"{"forkJoin": {"with": ["b"]}}"#, in: ["-a---|", "--|"], out: "--|"),
      .joins("a stream that fails", #"{"forkJoin": {"with": ["b"]}}"#, in: ["-a---|", "--x#"], out: "---#"),
      .rejects("no other stream", #"{"forkJoin": {"with": []}}"#, .outOfRange, at: "/forkJoin/with"),
    ])
}
