internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// The streams that an operator has started and merges: what they publish goes on as it comes, as far as it is asked for.
///
/// Each has a port of its own, used again when it has ended.
struct InnerStreams: Codable, Sendable {
  private(set) var demand = Demand.none
  private(set) var active: Set<Int> = []
  private var freePorts: [Int] = []
  private var lastPort: Int
  /// How far ports are apart: an operator may have ports of its own between them.
  private let stride: Int
  /// Values that came while nobody asked, with the ports to ask again.
  private var surplus: Deque<Surplus> = []

  private struct Surplus: Codable, Sendable {
    let port: Int
    let value: Value
  }

  /// - Parameter first: the first port; the others follow, each `stride` further.
  init(first: Int = 1, stride: Int = 1) {
    lastPort = first - stride
    self.stride = stride
  }

  /// Whether none is at work and all has been published.
  var isEmpty: Bool { active.isEmpty && surplus.isEmpty }

  /// Whether a value would be published at once.
  var wantsValues: Bool { surplus.isEmpty && demand > .none }

  /// Starts the upstream of this number for a value; gives its port.
  mutating func open(_ upstream: Int, capturing values: [Value], _ answers: Answers) -> Int {
    let port = freePorts.popLast() ?? lastPort + stride
    lastPort = max(lastPort, port)
    active.insert(port)
    answers.subscribe(to: upstream, on: port, capturing: values)
    answers.request(demand.isUnlimited ? .unlimited : Demand(1), from: port)
    return port
  }

  /// The stream on a port has ended. Its port is used again, unless something is still fed to it in vain.
  mutating func close(_ port: Int, keepingPort: Bool = false) {
    if active.remove(port) != nil, !keepingPort { freePorts.append(port) }
  }

  /// Nothing is fed any more to the stream on a port: its port is free if it has ended.
  mutating func free(_ port: Int) {
    if !active.contains(port) { freePorts.append(port) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    if demand.takeOne() {
      answers.publish(value)
      answers.request(Demand(1), from: port)
    } else {
      surplus.append(Surplus(port: port, value: value))
    }
  }

  /// More is asked for: publishes what waits, then asks the streams again.
  mutating func request(_ more: Demand, _ answers: Answers) {
    demand += more
    // Everything is published before anything is asked for: what comes in answer may be the end.
    var askAgain: [Int] = []
    while let first = surplus.first, demand.takeOne() {
      surplus.removeFirst()
      answers.publish(first.value)
      askAgain.append(first.port)
    }
    for port in askAgain where active.contains(port) { answers.request(Demand(1), from: port) }
    if demand.isUnlimited {
      for port in active.sorted() { answers.request(.unlimited, from: port) }
    }
  }
}
