internal import StreamCore
internal import StreamEngine

/// Merges the outputs of a file, whose values bear their names.
///
/// It publishes like `merge`: in order of arrival, and with at most one value of each output that waits for demand. A
/// port belongs to the name of an output for as long as a stream runs. So a swap can add and remove outputs: the swapped
/// stream is started again, subscribes to outputs that are new, and forgets those that are gone.
struct OutputsMachine: Machine {
  struct State: Codable, Sendable {
    /// The ports of the outputs that it has subscribed to, by name.
    var ports: [String: Int] = [:]
    /// The next port: none is used twice.
    var nextPort = 0
    var running: Set<Int> = []
    var demand = Demand.none
    var hasAsked = false
    /// Whether outputs are being started, one after the other.
    var isBeginning = false
    /// Values without demand, at most one per port, in order of arrival.
    var held: [HeldValue] = []
  }

  /// The names of the outputs, by upstream.
  let names: [String]
  var state = State()

  init(_ names: [String]) { self.names = names }

  func problem(with saved: State) -> String? {
    let ports = Set(saved.ports.values)
    guard ports.count == saved.ports.count, ports.allSatisfy({ (0..<saved.nextPort).contains($0) }),
      saved.running.isSubset(of: ports), saved.held.allSatisfy({ ports.contains($0.port) })
    else { return "names streams that do not exist" }
    return nil
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    names.indices.contains(upstream) && state.ports[names[upstream]] == port
  }

  mutating func start(_ effects: Effects) {
    for (name, port) in state.ports where !names.contains(name) {
      state.ports[name] = nil
      state.running.remove(port)
      state.held.removeAll { $0.port == port }
    }
    // Each output is asked when it is subscribed to: a cold one runs to its end before the next one starts.
    if !effects.isRequestPending { begin(effects) }
  }

  /// Starts the outputs that have not been started, each after what the one before has caused.
  private mutating func begin(_ effects: Effects) {
    let upstream = names.firstIndex { state.ports[$0] == nil }
    state.isBeginning = upstream != nil
    guard let upstream else { return finishIfDone(effects) }
    let port = state.nextPort
    state.nextPort += 1
    state.ports[names[upstream]] = port
    state.running.insert(port)
    effects.subscribe(to: upstream, on: port)
    if state.hasAsked { ask(port, effects) }
    effects.resume()
  }

  mutating func resume(_ effects: Effects) { begin(effects) }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    if state.ports.isEmpty {
      state.hasAsked = true
      return begin(effects)
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

  // With unlimited demand every output has been asked for everything.
  func passesValues(on port: Int) -> Bool { state.demand.isUnlimited }

  mutating func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
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
    finishIfDone(effects)
  }

  private func ask(_ port: Int, _ effects: Effects) {
    effects.request(state.demand.isUnlimited ? .unlimited : Demand(1), from: port)
  }

  private func finishIfDone(_ effects: Effects) {
    if state.running.isEmpty, state.held.isEmpty, !state.isBeginning { effects.finish() }
  }
}
