public import CEL
internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each pair of a value of this stream and a value of another stream whose windows overlap.
  ///
  /// Each value starts a stream, `left` or `right`; its window stays open until that stream publishes or finishes.
  /// Finishes as soon as no more pairs are possible. A failure of any stream fails the whole.
  ///
  /// - Order: a value is published in pairs with the open windows, oldest first.
  /// - Memory: open windows and pairs that downstream has not requested yet, bounded by `limit`.
  /// - Complexity: Each value is paired with every open window of the other stream: with n open windows on each side,
  ///   the work is quadratic in n. To join by a key, merge both streams first and split them with `groupBy`.
  public struct Join: OperatorDefinition {
    /// The other stream: an array with one element.
    public var with: StreamReferences
    /// Window of a value of this stream: open until this stream publishes or finishes. Its expressions see the value as
    /// `outer` and its number, from 0, as `outerIndex`.
    public var left: InnerStream
    /// Window of a value of the other stream, with the same variables.
    public var right: InnerStream
    /// Returns the value to publish instead of an array of both values. Variables: `left`, `right`.
    public var expression: CELExpression?
    /// Maximum number of open windows of each stream, and of pairs that wait for demand. One more fails the stream. An
    /// integer from 1 to 100000000. Default `100000`.
    public var limit: Int?

    public init(
      with: StreamReferences, left: InnerStream, right: InnerStream, expression: CELExpression? = nil, limit: Int? = nil
    ) {
      self.with = with
      self.left = left
      self.right = right
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.Join {
  public var joined: [JoinedStream] {
    with.joined + [
      left.joined("left", capturing: InnerStream.captures),
      right.joined("right", capturing: [.fixed("outer", .dyn), .fixed("outerIndex", .int)]),
    ]
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let other = context.joinedTypes.first ?? .dyn
    var pair: PlannedExpression?
    if let expression {
      let planned = try context.plan(
        expression, field: "expression", over: [Variable("left", context.inputType), Variable("right", other)])
      pair = planned
      context.outputType = planned.resultType
    } else {
      context.outputType = .list(context.inputType.joined(with: other))
    }
    return JoinMachine(pair: pair, limit: limit ?? Self.defaultLimit)
  }
}

private struct JoinMachine: Machine {
  struct State: Codable, Sendable {
    /// This stream and the other one, by port.
    var sides = [Side(), Side()]
    var windows = InnerPorts(first: 4)
    var demand = Demand.none
    /// Pairs that downstream has not requested yet.
    var waiting: Deque<Value> = []
    /// The sides from which another value must be requested.
    var owed: Set<Int> = [0, 1]
    /// Whether the other stream is subscribed to after this one has been asked.
    var awaitsOther = false
    /// Number of values whose pairs are published with the next `resume` signals.
    @Counted var paired: Int = 0
  }

  struct Side: Codable, Sendable {
    var open: Deque<Window> = []
    @Counted var index: Int64 = 0
    var isDone = false

    /// Whether new values of the other side may still form pairs.
    var hasFuture: Bool { !isDone || !open.isEmpty }
  }

  struct Window: Codable, Sendable {
    let port: Int
    let value: Value
  }

  let pair: PlannedExpression?
  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    guard saved.sides.count == state.sides.count, saved.owed.allSatisfy(saved.sides.indices.contains) else {
      return "has \(saved.sides.count) sides"
    }
    return saved.windows.problem(beside: state.windows)
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    port < state.sides.count ? upstream == port : (upstream == 2 || upstream == 3) && state.windows.hasGiven(port)
  }

  mutating func start(_ effects: Effects) {
    // A cold stream runs to its end before the other one starts.
    state.awaitsOther = effects.isRequestPending
    effects.subscribe(to: 0)
    if !state.awaitsOther { effects.subscribe(to: 1) }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    publish(effects)
    if state.demand.isUnlimited {
      for side in begun where !state.sides[side].isDone { effects.request(.unlimited, from: side) }
    }
    if state.awaitsOther { effects.resume() }
  }

  /// The sides that have been subscribed to.
  private var begun: Range<Int> { 0..<(state.awaitsOther ? 1 : 2) }

  mutating func resume(_ effects: Effects) {
    if state.paired > 0 {
      state.paired -= 1
    } else if state.awaitsOther {
      state.awaitsOther = false
      effects.subscribe(to: 1)
      if state.demand.isUnlimited {
        state.owed.remove(1)
        effects.request(.unlimited, from: 1)
      }
    }
    publish(effects)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard port < state.sides.count else {
      effects.cancel(port)
      return close(port, effects)
    }
    guard state.sides[port].open.count < limit else {
      throw .beyondLimit(limit, "open window", of: "join", value: value)
    }
    var pairs: [Value] = []
    for other in state.sides[1 - port].open {
      pairs.append(try make(port == 0 ? [value, other.value] : [other.value, value], effects))
    }
    guard state.waiting.count + pairs.count <= limit || state.demand.isUnlimited else {
      throw .beyondLimit(limit, "pair", " waiting for demand", of: "join", value: value)
    }
    state.waiting += pairs
    state.owed.insert(port)
    let window = state.windows.take()
    state.sides[port].open.append(Window(port: window, value: value))
    let index = state.sides[port].index
    state.sides[port].index += 1
    // The pairs follow unless the window fails at once, as in RxJava and Reactor.
    effects.subscribe(to: port + 2, on: window, capturing: [value, .int(index)])
    effects.request(Demand(1), from: window)
    state.paired += 1
    effects.resume()
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    guard port < state.sides.count else { return close(port, effects) }
    state.sides[port].isDone = true
    state.owed.remove(port)
    publish(effects)
  }

  private mutating func close(_ window: Int, _ effects: Effects) {
    for side in state.sides.indices {
      // The oldest window usually closes first, so the search is short.
      guard let place = state.sides[side].open.firstIndex(where: { $0.port == window }) else { continue }
      state.sides[side].open.remove(at: place)
      break
    }
    state.windows.end(window)
    publish(effects)
  }

  /// Publishes the requested pairs, and requests more values once no pair is left.
  private mutating func publish(_ effects: Effects) {
    while !state.waiting.isEmpty, state.demand.takeOne() { effects.publish(state.waiting.removeFirst()) }
    guard state.waiting.isEmpty else { return }
    let (left, right) = (state.sides[0], state.sides[1])
    let isPossible = (!left.isDone && right.hasFuture) || (!right.isDone && left.hasFuture)
    guard isPossible else { return effects.finish() }
    guard state.demand > .none else { return }
    for side in state.owed.sorted() where begun.contains(side) { effects.request(Demand(1), from: side) }
    state.owed.subtract(begun)
  }

  private func make(_ values: [Value], _ effects: Effects) throws(StreamFailure) -> Value {
    guard let pair else { return .list(values) }
    return try pair.evaluate(effects, variables: values, value: .list(values))
  }
}

extension Operator.Join {
  private static let defaultLimit = 100_000

  public static let spec = OperatorSpec(
    "join", "Publishes each pair of a value of this stream and a value of another stream whose windows overlap.",
    memory: .bounded("open windows and pairs that downstream has not requested yet", by: "limit"),
    work:
      "Each value is paired with every open window of the other stream: with n open windows on each side, the "
      + "work is quadratic in n. To join by a key, merge both streams first and split them with `groupBy`.",
    fields: [
      .required("with", .streams, "The other stream: an array with one element."),
      .required(
        "left", .stream,
        "Window of a value of this stream: open until this stream publishes or finishes. Its expressions see the "
          + "value as `outer` and its number, from 0, as `outerIndex`."),
      .required(
        "right", .stream, "Window of a value of the other stream, with the same variables."),
      .optional(
        "expression", .expression(["left", "right"]), "Returns the value to publish instead of an array of both values."
      ),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of open windows of each stream, and of pairs that wait for demand. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [.count("with", 1...1)],
    examples: [
      .joins(
        "values within three milliseconds of each other",
        #"""
        {"join": {"with": ["b"], "left": {"source": {"timer": {"every": 0.003, "count": 1}}},
                  "right": {"source": {"timer": {"every": 0.003, "count": 1}}}, "expression": "left + right"}}
        """#, in: ["-a----b-----|", "--x----y-|"], out: "--p----q--|", values: ["p": "ax", "q": "by"]),
      .joins(
        "each value with all earlier values of the other stream",
        #"{"join": {"with": ["b"], "left": {"source": {"never": {}}}, "right": {"source": {"empty": {}}}}}"#,
        in: ["-a--b-|", "--x--y--|"], out: "--p--[qr]--|",
        values: ["p": ["a", "x"], "q": ["a", "y"], "r": ["b", "y"]]),
      .joins(
        "a window that fails",
        #"{"join": {"with": ["b"], "left": {"source": {"marbles": {"diagram": "-#"}}}, "right": "c"}}"#,
        in: ["-a----|", "---x--|", "-------|"], out: "--#"),
      .rejects(
        "two other streams", #"{"join": {"with": ["b", "c"], "left": "d", "right": "d"}}"#, .outOfRange,
        at: "/join/with"),
      .rejects("no windows", #"{"join": {"with": ["b"]}}"#, .missingField, at: "/join"),
    ])
}
