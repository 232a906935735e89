public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the newest values of all streams, whenever one of them publishes.
  ///
  /// Begins when every stream has published; finishes when all have finished.
  ///
  /// - Memory: O(1), the newest value of each stream.
  /// - SeeAlso: `zip`, which uses every value once.
  public struct CombineLatest: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names for the values, the upstream's first.
    public var names: [String]?
    /// Gives what is published. Variables: `values`, and the names.
    public var expression: Expression?
  }
}

extension Operator.CombineLatest {
  public var joined: [JoinedStream] { with.joined }

  public func validate() throws(Diagnostic) { try with.requireOne() }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    return CombineLatestMachine(
      output: try JoinOutput(names: names, expression: expression, count: count, &context),
      state: CombineLatestMachine.State(
        latest: Array(repeating: .null, count: count), missing: Set(0..<count), running: Set(0..<count)))
  }
}

private struct CombineLatestMachine: Machine {
  struct State: Codable, Sendable {
    var latest: [Value]
    /// The ports that have not published yet.
    var missing: Set<Int>
    var running: Set<Int>
    var demand = Demand.none
  }

  let output: JoinOutput
  var state: State

  mutating func start(_ answers: Answers) {
    for port in state.latest.indices { answers.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.demand += demand
    for port in state.running.sorted() { answers.request(demand, from: port) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    var latest = state.latest
    latest[port] = value
    let isComplete = state.missing.isEmpty || state.missing == [port]
    // Without demand the value only takes its place.
    if isComplete, state.demand > .none {
      answers.publish(try output.make(latest, answers))
      _ = state.demand.takeOne()
    }
    state.latest = latest
    state.missing.remove(port)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    state.running.remove(port)
    if state.running.isEmpty { answers.finish() }
  }
}

extension Operator.CombineLatest {
  public static let spec = OperatorSpec(
    "combineLatest", "Publishes the newest values of all streams, whenever one of them publishes.",
    fields: FieldSpec.joining,
    examples: [
      .joins(
        "lists", #"{"combineLatest": {"with": ["b"]}}"#, in: ["-a---b-|", "--x-y---|"], out: "--p-qr--|",
        values: ["p": ["a", "x"], "q": ["a", "y"], "r": ["b", "y"]]),
      .joins(
        "named", #"{"combineLatest": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "--x|"],
        out: "--p|", values: ["p": ["left": "a", "right": "x"]]),
      .joins(
        "a stream without a value", #"{"combineLatest": {"with": ["b"]}}"#, in: ["-a|", "----|"], out: "----|"),
      .rejects("with nobody", #"{"combineLatest": {"with": []}}"#, .outOfRange, at: "/combineLatest/with"),
    ])
}
