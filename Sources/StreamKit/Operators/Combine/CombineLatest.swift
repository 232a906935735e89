public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the newest values of all streams together whenever one of them publishes.
  ///
  /// The first combination follows once every stream has published. Finishes when all streams have finished.
  ///
  /// - Time: with `atomic`, a combination is published after all other events of its instant.
  /// - Memory: the newest value of each stream, and one that waits for demand.
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

private struct CombineLatestMachine: LoweredMachine {
  struct State: Codable, Sendable {
    var latest: LatestValues
    var demand = Demand.none
    /// Whether a combination is due at the end of this instant.
    var isPending = false
    var hasAsked: Bool?
    /// Values that arrived without demand, at most one of each stream, in order of arrival; nil if there are none.
    var held: [HeldValue]?
  }

  private static let endOfInstant = 0

  let output: JoinOutput
  let isAtomic: Bool
  var state: State

  func problem(with saved: State) -> String? {
    saved.latest.problem(of: state.latest.count) ?? HeldValue.problem(with: saved.held, on: 0..<state.latest.count)
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.latest.count }

  mutating func start(_ effects: Effects) {
    for port in state.latest.values.indices { effects.subscribe(to: port) }
  }

  // With finite demand each stream is asked for one value at a time, so that no combination is lost.
  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    state.demand += demand
    try publishPending(effects)
    try takeHeld(effects)
    if state.latest.isDone, state.held == nil, !state.isPending { return effects.finish() }
    guard state.demand.isUnlimited || state.hasAsked != true else { return }
    state.hasAsked = true
    for port in state.latest.running.sorted() {
      effects.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: port)
    }
  }

  var lowering: Lowering<State>? {
    guard !isAtomic, let program = output.program else { return nil }
    return .join(
      JoinLowering(
        program, .latest,
        values: { $0.demand.isUnlimited && $0.held == nil && $0.latest.isComplete ? $0.latest.values : nil },
        store: { $1.latest.set($0) }))
  }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if !isAtomic, state.demand.isUnlimited, state.held == nil, state.latest.isComplete(with: port) {
      value = try state.latest.combine(value, at: port, by: output, effects)
      return .value
    }
    if state.demand > .none, state.held == nil {
      try take(value, on: port, effects)
    } else {
      state.held = (state.held ?? []) + [HeldValue(port: port, value: value)]
    }
    return .nothing
  }

  /// Takes the values that have waited for demand; with `atomic`, one in each instant.
  private mutating func takeHeld(_ effects: Effects) throws(StreamFailure) {
    while state.demand > .none, !state.isPending, let first = state.held?.first {
      state.held = state.held?.dropFirst().unlessEmpty
      let taken: Void? = try effects.skippingFailure { () throws(StreamFailure) in
        try take(first.value, on: first.port, effects)
      }
      if taken == nil { requestNext(from: first.port, effects) }
    }
  }

  /// Takes a value that there is demand for, then requests the next one.
  private mutating func take(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if !isAtomic, state.latest.isComplete(with: port) {
      effects.publish(try state.latest.combine(value, at: port, by: output, effects))
      _ = state.demand.takeOne()
    } else {
      state.latest.set(value, at: port)
      if isAtomic, state.latest.isComplete, !state.isPending {
        state.isPending = true
        effects.setTimer(Self.endOfInstant, at: effects.now, ticket: effects.takeLastTicket())
      }
    }
    requestNext(from: port, effects)
  }

  private func requestNext(from port: Int, _ effects: Effects) {
    if state.latest.running.contains(port) { effects.request(Demand(1), from: port) }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    state.latest.finish(port)
    if case .finished = completion, !state.latest.isDone || state.held != nil { return }
    try publishPending(effects)
    if case .finished = completion, state.isPending { return }
    effects.complete(completion)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    try publishPending(effects)
    try takeHeld(effects)
    if state.latest.isDone, state.held == nil, !state.isPending { effects.finish() }
  }

  private mutating func publishPending(_ effects: Effects) throws(StreamFailure) {
    guard state.isPending, state.demand > .none else { return }
    state.isPending = false
    let values = state.latest.values
    let combination = try effects.skippingFailure { () throws(StreamFailure) in try output.make(values, effects) }
    guard let combination else { return }
    effects.publish(combination)
    _ = state.demand.takeOne()
  }
}

extension Operator.CombineLatest {
  private static let defaultAtomic = false

  public static let spec = OperatorSpec(
    "combineLatest", "Publishes the newest values of all streams together whenever one of them publishes.",
    memory: .constant("the newest value of each stream, and one that waits for demand"),
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
