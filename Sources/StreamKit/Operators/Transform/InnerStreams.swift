internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// The streams that an operator has started and whose values it publishes as they come.
///
/// Where several run, each is asked for one value at a time, and what nobody has asked for waits, as in Combine's
/// `flatMap`. Where one runs, it is asked for what has not been answered yet, as in Combine's `switchToLatest`.
struct InnerStreams: Codable, Sendable {
  private let isOneAtATime: Bool
  private var ports = InnerPorts()
  private var demand = Demand.none
  /// Values that came while nobody asked, in order of arrival.
  private var surplus: Deque<Surplus> = []

  private struct Surplus: Codable, Sendable {
    let port: Int
    let value: Value
  }

  /// The most values that wait: a bound for what starts ever more streams while nobody asks.
  private static let surplusLimit = 1_000_000

  init(oneAtATime: Bool) { isOneAtATime = oneAtATime }

  /// How many run.
  var count: Int { ports.count }

  /// Whether none runs and nothing waits.
  var isDone: Bool { ports.count == 0 && surplus.isEmpty }

  mutating func begin(capturing values: [Value], _ answers: Answers) {
    let port = ports.take()
    answers.subscribe(to: 1, on: port, capturing: values)
    answers.request(demand.isUnlimited || isOneAtATime ? demand : Demand(1), from: port)
  }

  /// Starts a stream in place of all others.
  ///
  /// NB: on another port than theirs, since what is asked of a port is asked of the stream that is there now.
  mutating func replaceAll(capturing values: [Value], _ answers: Answers) {
    let before = ports.removeAll()
    for port in before { answers.cancel(port) }
    surplus = []
    begin(capturing: values, answers)
    ports.giveBack(before)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    if demand.takeOne() {
      answers.publish(value)
      if !isOneAtATime { answers.request(Demand(1), from: port) }
      return
    }
    guard surplus.count < Self.surplusLimit else {
      throw StreamFailure(
        .limitExceeded, "more than \(Self.surplusLimit) values of inner streams wait to be asked for", value: value)
    }
    surplus.append(Surplus(port: port, value: value))
    ports.hold(port)
  }

  mutating func end(_ port: Int) { ports.end(port) }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    self.demand += demand
    // Everything is published before anything is asked for: what comes in answer may be the end.
    var askAgain: [Int] = []
    while let first = surplus.first, self.demand.takeOne() {
      surplus.removeFirst()
      answers.publish(first.value)
      if ports.letGo(first.port) { askAgain.append(first.port) }
    }
    for port in askAgain { answers.request(Demand(1), from: port) }
    if self.demand.isUnlimited || isOneAtATime {
      for port in ports.active.sorted() { answers.request(demand, from: port) }
    }
  }
}
