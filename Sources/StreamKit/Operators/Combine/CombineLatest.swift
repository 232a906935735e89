public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the newest values of all streams together whenever one of them publishes.
  ///
  /// The first combination follows once every stream has published. Finishes when all streams have finished.
  ///
  /// - Time: with `atomic`, a combination is published after all other events of its instant.
  /// - Memory: the newest value of each stream.
  /// - SeeAlso: `zip`, which uses each value once.
  public struct CombineLatest: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Names of the values, upstream's first. With names, an object is published instead of an array.
    public var names: [String]?
    /// Returns the value to publish. `values` is the list of all values; each name is a variable, too. Variables:
    /// `values`, the names.
    public var expression: CELExpression?
    /// Whether only the last combination of an instant is published. If the streams derive from one source, the earlier
    /// ones mix new values with outdated ones (a glitch). Default `false`.
    public var atomic: Bool?

    public init(with: StreamReferences, names: [String]? = nil, expression: CELExpression? = nil, atomic: Bool? = nil) {
      self.with = with
      self.names = names
      self.expression = expression
      self.atomic = atomic
    }
  }
}

extension Operator.CombineLatest {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let count = with.all.count + 1
    return CombineLatestMachine(
      output: try JoinOutput(names: names, expression: expression, count: count, &context),
      isAtomic: atomic ?? Self.defaultAtomic,
      state: CombineLatestMachine.State(latest: LatestValues(count: count)))
  }
}

private struct CombineLatestMachine: Machine {
  struct State: Codable, Sendable {
    var latest: LatestValues
    var demand = Demand.none
    /// Whether a combination is due at the end of this instant.
    var isPending = false
  }

  private static let endOfInstant = 0

  let output: JoinOutput
  let isAtomic: Bool
  var state: State

  func problem(with saved: State) -> String? { saved.latest.problem(of: state.latest.count) }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.latest.count }

  mutating func start(_ effects: Effects) {
    for port in state.latest.values.indices { effects.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    for port in state.latest.running.sorted() { effects.request(demand, from: port) }
  }

  var lowering: Lowering<State>? {
    guard !isAtomic, let program = output.program else { return nil }
    return .join(
      JoinLowering(
        program, .latest, values: { $0.demand.isUnlimited && $0.latest.isComplete ? $0.latest.values : nil },
        store: { $1.latest.set($0) }))
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    // Without demand a value is only stored.
    if !isAtomic, state.demand > .none, state.latest.isComplete(with: port) {
      value = try state.latest.combine(value, at: port, by: output, effects)
      _ = state.demand.takeOne()
      return .value
    }
    state.latest.set(value, at: port)
    if isAtomic, state.latest.isComplete {
      state.isPending = true
      effects.setTimer(Self.endOfInstant, at: effects.now)
    }
    return .nothing
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    state.latest.finish(port)
    if case .finished = completion, !state.latest.isDone { return }
    try publishPending(effects)
    effects.complete(completion)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) { try publishPending(effects) }

  private mutating func publishPending(_ effects: Effects) throws(StreamFailure) {
    guard state.isPending else { return }
    state.isPending = false
    guard state.demand > .none else { return }
    effects.publish(try output.make(state.latest.values, effects))
    _ = state.demand.takeOne()
  }
}

extension Operator.CombineLatest {
  private static let defaultAtomic = false

  public static let spec = OperatorSpec(
    "combineLatest", "Publishes the newest values of all streams together whenever one of them publishes.",
    memory: .constant("the newest value of each stream"),
    fields: FieldSpec.joining + [
      .optional(
        "atomic", .bool,
        "Whether only the last combination of an instant is published. If the streams derive from one source, "
          + "the earlier ones mix new values with outdated ones (a glitch).",
        default: .of(defaultAtomic))
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "arrays", #"{"combineLatest": {"with": ["b"]}}"#, in: ["-a---b-|", "--x-y---|"], out: "--p-qr--|",
        values: ["p": ["a", "x"], "q": ["a", "y"], "r": ["b", "y"]]),
      .joins(
        "objects with names", #"{"combineLatest": {"with": ["b"], "names": ["left", "right"]}}"#, in: ["-a|", "--x|"],
        out: "--p|", values: ["p": ["left": "a", "right": "x"]]),
      .joins(
        "a stream that never publishes", #"{"combineLatest": {"with": ["b"]}}"#, in: ["-a|", "----|"], out: "----|"),
      .joins(
        "two streams of one source: the intermediate combination is published",
        #"{"combineLatest": {"with": [{"source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value * 10"}}]}], "expression": "values[0] + values[1]"}}"#,
        in: ["-a-b-|"], out: "-p-[qr]-|", values: ["a": 1, "b": 2, "p": 11, "q": 12, "r": 22]),
      .joins(
        "with `atomic` it is not",
        #"{"combineLatest": {"with": [{"source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value * 10"}}]}], "expression": "values[0] + values[1]", "atomic": true}}"#,
        in: ["-a-b-|"], out: "-p-r-|", values: ["a": 1, "b": 2, "p": 11, "r": 22]),
      .joins(
        "a combination at the instant of the finish", #"{"combineLatest": {"with": ["b"], "atomic": true}}"#,
        in: ["-(ab|)", "-(xy|)"], out: "-(r|)", values: ["r": ["b", "y"]]),
      .rejects("no other stream", #"{"combineLatest": {"with": []}}"#, .outOfRange, at: "/combineLatest/with"),
    ])
}
