public import CEL
internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Merges streams that are sorted into one sorted stream.
  ///
  /// A value is published once every stream that has not finished has one waiting: the smallest first, and among equal
  /// ones the value of the stream listed first. An unsorted stream is not sorted. Finishes when all streams have
  /// finished.
  ///
  /// - Memory: values of each stream that wait for the other streams, bounded by `limit`.
  /// - Failure: `S405` for values that cannot be ordered.
  /// - SeeAlso: `merge`, which publishes in order of arrival.
  public struct MergeOrdered: OperatorDefinition {
    /// The other streams.
    public var with: StreamReferences
    /// Returns the sort key. By default it is the value. Variable: `value`.
    public var by: CELExpression?
    /// Maximum number of values requested from each stream that wait for the other streams. An integer from 1 to
    /// 100000000. Default `1024`.
    public var limit: Int?

    public init(with: StreamReferences, by: CELExpression? = nil, limit: Int? = nil) {
      self.with = with
      self.by = by
      self.limit = limit
    }
  }
}

extension Operator.MergeOrdered {
  public var joined: [JoinedStream] { with.joined }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.reduce(context.inputType) { $0.joined(with: $1) }
    let key = try by.map { by throws(Diagnostics) in
      try context.plan(by, field: "by", over: [Variable("value", context.outputType)])
    }
    return MergeOrderedMachine(
      key: key, limit: limit ?? Self.defaultLimit,
      state: MergeOrderedMachine.State(streams: Array(repeating: .init(), count: with.all.count + 1)))
  }
}

private struct MergeOrderedMachine: Machine {
  struct State: Codable, Sendable {
    var streams: [Waiting]
    var demand = Demand.none
    var hasAsked = false
    /// A previous key; new keys must be comparable with it.
    var known: Value?
  }

  /// The waiting values of one stream.
  struct Waiting: Codable, Sendable {
    var entries: Deque<Entry> = []
    var isDone = false
  }

  struct Entry: Codable, Sendable {
    let key: Value
    let value: Value
  }

  let key: PlannedExpression?
  let limit: Int
  var state: State

  func problem(with saved: State) -> String? {
    let (found, count) = (saved.streams.count, state.streams.count)
    return found == count ? nil : "has \(found) queues for \(count) streams"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == port && port < state.streams.count }

  mutating func start(_ effects: Effects) {
    for port in state.streams.indices { effects.subscribe(to: port) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    publish(effects)
    guard !state.hasAsked else { return }
    state.hasAsked = true
    for port in state.streams.indices { effects.request(Demand(limit), from: port) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let entry = Entry(key: try key?.evaluate(effects, value) ?? value, value: value)
    guard entry.key.order(state.known ?? entry.key) != nil else { throw incomparable(entry) }
    state.known = entry.key
    state.streams[port].entries.append(entry)
    publish(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    state.streams[port].isDone = true
    publish(effects)
  }

  /// Publishes the values that are due, then requests as many from the streams that they came from.
  private mutating func publish(_ effects: Effects) {
    var published: [Int: Int] = [:]
    while state.demand > .none, let port = smallest, let first = state.streams[port].entries.popFirst() {
      _ = state.demand.takeOne()
      effects.publish(first.value)
      published[port, default: 0] += 1
    }
    if state.streams.allSatisfy({ $0.isDone && $0.entries.isEmpty }) { return effects.finish() }
    for (port, count) in published.sorted(by: { $0.key < $1.key }) { effects.request(Demand(count), from: port) }
  }

  /// The port with the smallest first value; nil if a running stream has none.
  private var smallest: Int? {
    var best: (port: Int, key: Value)?
    for (port, stream) in state.streams.enumerated() {
      guard let first = stream.entries.first else {
        if stream.isDone { continue }
        return nil
      }
      if let known = best, (first.key.exactOrder(known.key) ?? 0) >= 0 { continue }
      best = (port, first.key)
    }
    return best?.port
  }

  private func incomparable(_ entry: Entry) -> StreamFailure {
    let other = state.known.map { " after \($0.describedType)" } ?? ""
    return StreamFailure(
      .noSuchOverload, "'mergeOrdered' cannot order \(entry.key.describedType)\(other)", value: entry.value)
  }
}

extension Operator.MergeOrdered {
  private static let defaultLimit = 1_024

  public static let spec = OperatorSpec(
    "mergeOrdered", "Merges streams that are sorted into one sorted stream.",
    memory: .bounded("values of each stream that wait for the other streams", by: "limit"),
    fields: [
      .required("with", .streams, "The other streams."),
      .optional("by", .expression(["value"]), "Returns the sort key. By default it is the value."),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of values requested from each stream that wait for the other streams.",
        default: .of(defaultLimit)),
    ],
    rules: [.count("with", 1...Int.max)],
    examples: [
      .joins(
        "the smallest value first", #"{"mergeOrdered": {"with": ["b"]}}"#, in: ["-a-d-|", "--b-c---e|"],
        out: "--abc---[de]|"),
      .joins(
        "sorted by a key", #"{"mergeOrdered": {"with": ["b"], "by": "value.at"}}"#, in: ["-(ad|)", "--c|"],
        out: "--[ac](d|)",
        values: ["a": ["at": 1], "c": ["at": 2, "x": true], "d": ["at": 3]]),
      .joins(
        "a failure ends the stream", #"{"mergeOrdered": {"with": ["b"]}}"#, in: ["-a-#", "-------b|"], out: "---#"),
      .joins(
        "values that cannot be ordered", #"{"mergeOrdered": {"with": ["b"]}}"#, in: ["-a-|", "--n-|"], out: "--#",
        values: ["n": 1]),
      .rejects("no other stream", #"{"mergeOrdered": {"with": []}}"#, .outOfRange, at: "/mergeOrdered/with"),
    ])
}
