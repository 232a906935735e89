internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the values of all streams in order of arrival.
  ///
  /// Finishes when all streams have finished.
  ///
  /// - Memory: at most one value of each stream that waits for demand.
  /// - SeeAlso: `mergeOrdered`, which publishes in order of value.
  public struct Merge: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Maximum number of streams that run at once, upstream included; the next one starts when one finishes. By default
    /// all run at once. An integer, 1 or more.
    public var maxPublishers: Int?

    public init(with: StreamReferences, maxPublishers: Int? = nil) {
      self.with = with
      self.maxPublishers = maxPublishers
    }
  }
}

extension Operator.Merge {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    let count = with.all.count + 1
    return MergeMachine(count: count, maxPublishers: min(maxPublishers ?? .max, count))
  }
}

private struct MergeMachine: Machine {
  struct State: Codable, Sendable {
    var running: Set<Int> = []
    /// The next stream to start.
    var next = 0
    var demand = Demand.none
    var hasAsked = false
    /// Whether the first streams are being started, one after the other.
    var isBeginning = false
    /// Values without demand, at most one per port, in order of arrival.
    var held: [HeldValue] = []
  }

  let count: Int
  let maxPublishers: Int
  var state = State()

  func problem(with saved: State) -> String? {
    let ports = saved.running.union(saved.held.map(\.port))
    guard (0...count).contains(saved.next), ports.allSatisfy({ (0..<count).contains($0) }) else {
      return "names streams that do not exist"
    }
    return nil
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port }

  mutating func start(_ effects: Effects) {
    // Each stream is asked when it is subscribed to: a cold one runs to its end before the next one starts.
    if !effects.isRequestPending { beginFirst(effects) }
  }

  /// Starts the first streams, each after what the one before has caused.
  private mutating func beginFirst(_ effects: Effects) {
    state.isBeginning = state.next < count && state.running.count < maxPublishers
    guard state.isBeginning else { return finishIfDone(effects) }
    beginNext(effects)
    effects.resume()
  }

  mutating func resume(_ effects: Effects) { beginFirst(effects) }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    if state.next == 0 {
      state.hasAsked = true
      return beginFirst(effects)
    }
    // All held values are published before more are requested, because a request may end the stream.
    var askAgain: [Int] = []
    while let first = state.held.first, state.demand.takeOne() {
      state.held.removeFirst()
      effects.publish(first.value)
      askAgain.append(first.port)
    }
    for port in askAgain { effects.request(Demand(1), from: port) }
    if state.demand.isUnlimited || !state.hasAsked {
      for port in state.running.sorted() { ask(port, effects) }
    }
    state.hasAsked = true
    finishIfDone(effects)
  }

  // With unlimited demand every stream has been asked for everything.
  func passesValues(on port: Int) -> Bool { state.demand.isUnlimited }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) -> Forwarding {
    if state.demand.isUnlimited { return .value }
    if state.demand.takeOne() {
      effects.publish(value)
      effects.request(Demand(1), from: port)
    } else {
      state.held.append(HeldValue(port: port, value: value))
    }
    return .nothing
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    state.running.remove(port)
    if state.next < count, !state.isBeginning { beginNext(effects) }
    finishIfDone(effects)
  }

  private mutating func beginNext(_ effects: Effects) {
    effects.subscribe(to: state.next)
    state.running.insert(state.next)
    if state.hasAsked { ask(state.next, effects) }
    state.next += 1
  }

  private func ask(_ port: Int, _ effects: Effects) {
    effects.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: port)
  }

  private func finishIfDone(_ effects: Effects) {
    if state.running.isEmpty, state.held.isEmpty, !state.isBeginning { effects.finish() }
  }
}

extension Operator.Merge {
  public static let spec = OperatorSpec(
    "merge", "Publishes the values of all streams in order of arrival.",
    memory: .constant("at most one value of each stream that waits for demand"),
    fields: [
      .required("with", .streams, "The other streams."),
      .optional(
        "maxPublishers", .count(1 ... .max),
        "Maximum number of streams that run at once, upstream included; the next one starts when one finishes. "
          + "By default all run at once."),
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins("two streams", #"{"merge": {"with": ["b"]}}"#, in: ["-a---b-|", "--x-y-----|"], out: "-ax-yb----|"),
      .joins("a failure ends the stream", #"{"merge": {"with": ["b"]}}"#, in: ["-a---b-|", "--x#"], out: "-ax#"),
      .joins(
        "two of three streams at once", #"{"merge": {"with": ["b", "c"], "maxPublishers": 2}}"#,
        in: ["-a-----|", "-x-|", "--p--q--|"], out: "-[ax]---q--|"),
      .rejects("no streams", #"{"merge": {}}"#, .missingField, at: "/merge"),
      .rejects(
        "a maximum of zero", #"{"merge": {"with": ["b"], "maxPublishers": 0}}"#, .outOfRange, at: "/merge/maxPublishers"
      ),
    ])
}
