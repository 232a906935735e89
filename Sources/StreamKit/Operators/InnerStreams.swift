internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// The streams that an operator has started: what they publish goes on as it comes, as far as it is asked for.
///
/// Where several run, each is asked for one value at a time, and what nobody has asked for waits, as in Combine's
/// `flatMap`. Where one runs, it is asked for what has not been answered yet, as in Combine's `switchToLatest`.
struct InnerStreams: Codable, Sendable {
  private(set) var demand = Demand.none
  private var ports: InnerPorts
  private let isOneAtATime: Bool
  /// Values that came while nobody asked, with the ports to ask again.
  private var surplus: Deque<Surplus> = []
  /// Whether what waits is being published: what comes meanwhile waits behind it.
  private var isDraining = false

  private struct Surplus: Codable, Sendable {
    let port: Int
    let value: Value
  }

  /// The most values that wait: a bound for what starts ever more streams while nobody asks.
  private static let surplusLimit = 1_000_000

  /// - Parameter first: the first port; the others follow, each `stride` further.
  init(first: Int = 1, stride: Int = 1, oneAtATime: Bool = false) {
    ports = InnerPorts(first: first, stride: stride)
    isOneAtATime = oneAtATime
  }

  /// Describes the error in saved streams; nil if they are valid.
  func problem(beside first: InnerStreams) -> String? {
    if let problem = ports.problem(beside: first.ports) { return problem }
    // Each value that waits holds its port, which is given back after the last.
    let waiting = Dictionary(surplus.map { ($0.port, 1) }, uniquingKeysWith: +)
    return waiting.allSatisfy { ports.isHeld($0, times: $1) } ? nil : "has values that wait on no port"
  }

  /// Whether a port has been given out, and perhaps back.
  func hasGiven(_ port: Int) -> Bool { ports.hasGiven(port) }

  /// Whether the stream on a port is at work, or its port is held.
  func uses(_ port: Int) -> Bool { ports.active.contains(port) || ports.isHeld(port) }

  /// How many are at work.
  var count: Int { ports.count }

  /// Whether none is at work and all has been published.
  var isEmpty: Bool { ports.count == 0 && surplus.isEmpty }

  /// Whether a value would be published at once.
  var wantsValues: Bool { surplus.isEmpty && !isDraining && demand > .none }

  /// Starts the upstream of this number for a value; gives its port.
  @discardableResult
  mutating func open(_ upstream: Int, capturing values: [Value], _ effects: Effects) -> Int {
    let port = ports.take()
    effects.subscribe(to: upstream, on: port, capturing: values)
    effects.request(demand.isUnlimited || isOneAtATime ? demand : Demand(1), from: port)
    return port
  }

  /// Starts the upstream of this number in place of all that are at work.
  ///
  /// NB: on another port than theirs, since what is asked of a port is asked of the stream that is there now.
  mutating func replaceAll(by upstream: Int, capturing values: [Value], _ effects: Effects) {
    let before = ports.removeAll()
    for port in before { effects.cancel(port) }
    surplus = []
    isDraining = false
    open(upstream, capturing: values, effects)
    ports.giveBack(before)
  }

  /// The stream on a port has ended. Its port is used again, unless something is still fed to it in vain.
  mutating func close(_ port: Int, keepingPort: Bool = false) {
    if keepingPort { ports.hold(port) }
    ports.end(port)
  }

  /// Nothing is fed any more to the stream on a port: its port is free if it has ended.
  mutating func free(_ port: Int) {
    if !ports.active.contains(port) { ports.letGo(port) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if !isDraining, demand.takeOne() {
      effects.publish(value)
      if !isOneAtATime { effects.request(Demand(1), from: port) }
      return
    }
    guard surplus.count < Self.surplusLimit else {
      throw StreamFailure(
        .limitExceeded, "more than \(Self.surplusLimit) values of inner streams wait to be asked for", value: value)
    }
    surplus.append(Surplus(port: port, value: value))
    ports.hold(port)
  }

  /// More is asked for: publishes what waits, asking the streams again, as Combine does: each as its value goes out, so
  /// that none gets ahead of the others. Whoever calls this calls `resume` too.
  mutating func request(_ more: Demand, _ effects: Effects) {
    demand += more
    if demand.isUnlimited {
      while let first = surplus.popFirst() {
        effects.publish(first.value)
        ports.letGo(first.port)
      }
    } else if !isDraining {
      drain(effects)
    }
    if demand.isUnlimited || isOneAtATime {
      for port in ports.active.sorted() { effects.request(demand.isUnlimited ? demand : more, from: port) }
    }
  }

  /// What was published before has been delivered, and what it was asked for.
  mutating func resume(_ effects: Effects) {
    if isDraining { drain(effects) }
  }

  private mutating func drain(_ effects: Effects) {
    isDraining = !surplus.isEmpty && demand.takeOne()
    guard isDraining, let first = surplus.popFirst() else { return }
    effects.publish(first.value)
    if ports.letGo(first.port) { effects.request(Demand(1), from: first.port) }
    effects.resume()
  }
}

extension InnerStreams: DemandCounting {
  var unansweredDemand: Demand { demand }
}
