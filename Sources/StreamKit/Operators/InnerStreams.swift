internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// The running streams of an operator, whose values are published in order of arrival.
///
/// Concurrent streams are asked for one value at a time, and values without demand are buffered, as in Combine's
/// `flatMap`. A single stream gets all unmet demand, as in Combine's `switchToLatest`.
struct InnerStreams: Codable, Sendable {
  private(set) var demand = Demand.none
  private var ports: InnerPorts
  private let isOneAtATime: Bool
  /// Values that wait for demand, with the ports to request from again.
  private var surplus: Deque<Surplus> = []
  /// Whether waiting values are being published; new values then wait behind them.
  private var isDraining = false

  private struct Surplus: Codable, Sendable {
    let port: Int
    let value: Value
  }

  /// Maximum number of waiting values: a bound for operators that start ever more streams without demand.
  private static let surplusLimit = 1_000_000

  /// - Parameter first: The first port; each further one adds `stride`.
  init(first: Int = 1, stride: Int = 1, oneAtATime: Bool = false) {
    ports = InnerPorts(first: first, stride: stride)
    isOneAtATime = oneAtATime
  }

  /// All values are requested.
  init(_ ports: InnerPorts) {
    self.ports = ports
    isOneAtATime = false
    demand = .unlimited
  }

  /// Creates the state in which one stream runs on a port, or has ended while the operator still feeds it.
  ///
  /// - Parameter demand: The unmet demand: nothing, or all values.
  init(_ ports: InnerPorts, _ demand: Demand) {
    self.init(ports)
    self.demand = demand
  }

  /// Sets the state in which all values are requested and no stream runs.
  ///
  /// - Parameter hasStreams: Whether streams have run.
  mutating func passThrough(hasStreams: Bool) {
    demand = .unlimited
    if hasStreams, ports.isUnused { ports.end(ports.take()) }
  }

  /// Whether all values are requested, no stream runs, and no value waits.
  var isAwaitingStreams: Bool { demand.isUnlimited && !isDraining && isEmpty && ports.isIdle }

  /// Whether the stream on a port runs, or has ended while the operator still feeds it; nil if another port is used, a
  /// value waits, or not all values are requested.
  func isOnly(_ port: Int) -> Bool? {
    guard demand.isUnlimited, surplus.isEmpty, !isDraining, !isOneAtATime, ports.usesOnly(port) else { return nil }
    return ports.active.contains(port)
  }

  /// The use of the ports; nil unless all values are requested, and none waits.
  var portUse: (isRunning: [Bool], free: [Int])? {
    demand.isUnlimited && surplus.isEmpty && !isDraining && !isOneAtATime ? ports.use : nil
  }

  /// Describes the error in saved streams; nil if they are valid.
  func problem(beside first: InnerStreams) -> String? {
    if let problem = ports.problem(beside: first.ports) { return problem }
    // Each waiting value holds its port, which is released after the last one.
    let waiting = Dictionary(surplus.map { ($0.port, 1) }, uniquingKeysWith: +)
    return waiting.allSatisfy { ports.isHeld($0, times: $1) } ? nil : "has values that wait on no port"
  }

  /// Whether a port has been allocated at some time.
  func hasGiven(_ port: Int) -> Bool { ports.hasGiven(port) }

  /// Whether the stream on a port runs, or its port is held.
  func uses(_ port: Int) -> Bool { ports.active.contains(port) || ports.isHeld(port) }

  /// Number of running streams.
  var count: Int { ports.count }

  /// Whether no stream runs and no value waits.
  var isEmpty: Bool { ports.count == 0 && surplus.isEmpty }

  /// Whether a value would be published at once.
  var wantsValues: Bool { surplus.isEmpty && !isDraining && demand > .none }

  /// Subscribes to the upstream of this number for a value; returns its port.
  @discardableResult
  mutating func open(_ upstream: Int, capturing values: [Value], _ effects: Effects) -> Int {
    let port = ports.take()
    effects.subscribe(to: upstream, on: port, capturing: values)
    effects.request(demand.isUnlimited || isOneAtATime ? demand : Demand(1), from: port)
    return port
  }

  /// Replaces all running streams with a new one.
  ///
  /// NB: the new stream gets an unused port, because requests are addressed to ports.
  mutating func replaceAll(by upstream: Int, capturing values: [Value], _ effects: Effects) {
    let before = ports.removeAll()
    for port in before { effects.cancel(port) }
    surplus = []
    isDraining = false
    open(upstream, capturing: values, effects)
    ports.recycle(before)
  }

  /// Marks the stream on a port as ended. The port is reused, unless the operator still feeds values to it.
  mutating func close(_ port: Int, keepingPort: Bool = false) {
    if keepingPort { ports.hold(port) }
    ports.end(port)
  }

  /// Releases a port that is no longer fed, if its stream has ended.
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
        .limitExceeded, "more than \(Self.surplusLimit) values of inner streams wait for demand", value: value)
    }
    surplus.append(Surplus(port: port, value: value))
    ports.hold(port)
  }

  /// Adds demand and publishes the waiting values. As in Combine, each stream is asked again right after its value is
  /// published, so that none gets ahead. The caller calls `resume`, too.
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

  /// Continues after the last published value, and the requests it caused, have been delivered.
  mutating func resume(_ effects: Effects) {
    if isDraining { drain(effects) }
  }

  /// Continues with upstream, whose values an operator feeds to the streams: one value is requested at a time, unless
  /// demand is unlimited, because one value may become many.
  func proceed(afterUpstream isUpstreamDone: Bool, isAsking: inout Bool, _ effects: Effects) {
    if isUpstreamDone { return finish(ifDone: true, effects) }
    if demand.isUnlimited {
      effects.request(.unlimited, from: 0)
    } else if !isAsking, wantsValues {
      isAsking = true
      effects.request(Demand(1), from: 0)
    }
  }

  /// Finishes the operator after upstream and the last stream.
  func finish(ifDone isUpstreamDone: Bool, _ effects: Effects) {
    if isUpstreamDone, isEmpty { effects.finish() }
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
