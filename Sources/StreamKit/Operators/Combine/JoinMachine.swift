internal import DequeModule
@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// A hash join: ports 0 and 1 are the streams, and each open window has a further one. Without keys, all values have the
/// same.
struct JoinMachine: Machine {
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
    var open = JoinWindows()
    @Counted var index: Int64 = 0
    var isDone = false

    /// Whether new values of the other side may still form pairs.
    var hasFuture: Bool { !isDone || !open.isEmpty }
  }

  /// The key of each side's values; nil without keys.
  let keys: [PlannedExpression]?
  let pair: PlannedExpression?
  /// Whether values without a partner are published, by port.
  let isOuter: [Bool]
  /// The length of all windows; nil if streams end them.
  let length: Interval?
  let limit: Int
  var state = State()

  init(
    keys: [PlannedExpression]?, pair: PlannedExpression?, isOuter: [Bool], length: Interval?, limit: Int
  ) {
    self.keys = keys
    self.pair = pair
    self.isOuter = isOuter
    self.length = length
    self.limit = limit
  }

  func problem(with saved: State) -> String? {
    guard saved.sides.count == state.sides.count, saved.owed.allSatisfy(saved.sides.indices.contains) else {
      return "has \(saved.sides.count) sides"
    }
    if saved.sides.contains(where: \.open.hasDuplicates) { return "has two windows on one port" }
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

  // MARK: Values

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard port < state.sides.count else {
      effects.cancel(port)
      return try close(port, effects)
    }
    guard state.sides[port].open.count < limit else {
      throw .beyondLimit(
        limit, "open window", of: "join", value: value,
        help: "raise 'limit', or close windows sooner: 'seconds', 'left' and 'right' say when")
    }
    let other = 1 - port
    let key = try keys.map { keys throws(StreamFailure) in try keys[port].evaluate(effects, value) }
    let mapKey = key.map(MapKey.init) ?? JoinWindows.onlyKey
    var pairs: [Value] = []
    if key?.isMissing != true, let partners = state.sides[other].open.windows(of: mapKey) {
      pairs.reserveCapacity(partners.count)
      for partner in partners {
        pairs.append(try make(port == 0 ? [value, partner.value] : [partner.value, value], effects))
      }
    }
    let isMatched = !pairs.isEmpty
    // Once the other stream has finished, a value that has no partner yet gets none.
    let isAlone = !isMatched && state.sides[other].isDone
    if isAlone, isOuter[port] { pairs.append(try make(alone: value, of: port, effects)) }
    guard state.waiting.count + pairs.count <= limit || state.demand.isUnlimited else {
      throw .beyondLimit(limit, "pair", " waiting for demand", of: "join", value: value)
    }
    state.waiting += pairs
    if isMatched { state.sides[other].open.noteMatch(of: mapKey) }
    state.owed.insert(port)
    let window = state.windows.take()
    state.sides[port].open.add(window, value, of: mapKey, hasPartner: isMatched || isAlone)
    let index = state.sides[port].index
    state.sides[port].index += 1
    if let length {
      effects.setTimer(window, at: effects.now + length)
    } else {
      // The pairs follow unless the window fails at once, as in RxJava and Reactor.
      effects.subscribe(to: port + 2, on: window, capturing: [value, .int(index)])
      effects.request(Demand(1), from: window)
    }
    state.paired += 1
    effects.resume()
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .failure = completion { return effects.complete(completion) }
    guard port < state.sides.count else { return try close(port, effects) }
    state.sides[port].isDone = true
    state.owed.remove(port)
    if isOuter[1 - port] {
      for value in state.sides[1 - port].open.takeUnmatched() { try add(alone: value, of: 1 - port, effects) }
    }
    publish(effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) { try close(timer, effects) }

  private mutating func close(_ window: Int, _ effects: Effects) throws(StreamFailure) {
    state.windows.end(window)
    for side in state.sides.indices {
      guard let closed = state.sides[side].open.close(window) else { continue }
      if isOuter[side], !closed.isMatched { try add(alone: closed.value, of: side, effects) }
      break
    }
    publish(effects)
  }

  // MARK: Results

  /// Publishes the requested pairs, and requests more values once no pair is left.
  private mutating func publish(_ effects: Effects) {
    while !state.waiting.isEmpty, state.demand.takeOne() { effects.publish(state.waiting.removeFirst()) }
    guard state.waiting.isEmpty else { return }
    guard hasFuture else { return effects.finish() }
    guard state.demand > .none else { return }
    for side in state.owed.sorted() where begun.contains(side) { effects.request(Demand(1), from: side) }
    state.owed.subtract(begun)
  }

  /// Whether more values may be published: pairs, or values that have no partner.
  private var hasFuture: Bool {
    let (left, right) = (state.sides[0], state.sides[1])
    return (!left.isDone && (isOuter[0] || right.hasFuture)) || (!right.isDone && (isOuter[1] || left.hasFuture))
  }

  private func make(_ values: [Value], _ effects: Effects) throws(StreamFailure) -> Value {
    guard let pair else { return .list(values) }
    return try pair.evaluate(effects, variables: values, value: .list(values))
  }

  /// Returns the result for a value without a partner, which is null.
  private func make(alone value: Value, of side: Int, _ effects: Effects) throws(StreamFailure) -> Value {
    try make(side == 0 ? [value, .null] : [.null, value], effects)
  }

  /// Adds the result for a value whose time is over.
  private mutating func add(alone value: Value, of side: Int, _ effects: Effects) throws(StreamFailure) {
    let result = try effects.skippingFailure { () throws(StreamFailure) in
      try make(alone: value, of: side, effects)
    }
    if let result { state.waiting.append(result) }
  }
}

extension Value {
  /// Whether a key has no partner: null, or a list with null in it, as the keys of SQL.
  fileprivate var isMissing: Bool {
    switch self {
    case .null: true
    case .list(let elements): elements.contains(.null)
    default: false
    }
  }
}
