internal import CEL
internal import StreamCore
internal import StreamRuntime

/// What opens and closes windows.
enum WindowRule: Sendable {
  /// So many values; the next begins after `every` values.
  case count(Int, every: Int)
  /// So long, and at most `count` values; the next begins after `every`, or when the one before has closed.
  case time(Interval, every: Interval?, count: Int)
  /// A stream: each value closes a window and opens the next.
  case signal
  /// A stream that is subscribed to anew for every window.
  case eachSignal
  /// A stream that opens, and one for each window that closes it.
  case toggle
  /// An expression that is true for the last value.
  case last
}

/// Port 0 is the upstream, 1 the stream that rules; a window has an even port from 2 on, its `closing` the one after.
struct WindowMachine: Machine {
  struct State: Codable, Sendable {
    var streams = InnerStreams(first: 2, stride: 2)
    /// The windows that take values, oldest first.
    var open: [OpenWindow] = []
    /// How many windows there have been.
    @Counted var windowCount: Int64 = 0
    /// How many values there have been.
    @Counted var index: Int64 = 0
    var isAsking = false
    var isUpstreamDone = false
  }

  struct OpenWindow: Codable, Sendable {
    let port: Int
    @Counted var count = 0
  }

  /// The timer by which windows begin; a window's own has the number of its port.
  private static let beginning = 0
  private static let signalPort = 1

  let rule: WindowRule
  let last: PlannedExpression?
  let limit: Int
  var state = State()

  func problem(with saved: State) -> String? {
    if let problem = saved.streams.problem(beside: state.streams) { return problem }
    let ports = Set(saved.open.map(\.port))
    return ports.count == saved.open.count && ports.allSatisfy(saved.streams.uses)
      ? nil : "has windows without a stream"
  }

  func canBeFed(by upstream: Int, on port: Int) -> Bool {
    switch port {
    case 0: upstream == 0
    case Self.signalPort: upstream == 2
    case _ where port % 2 == 0: upstream == 1 && state.streams.hasGiven(port)
    default: upstream == 3 && state.streams.hasGiven(port - 1)
    }
  }

  // NB: the order of RxJS: of one moment, a window's time comes before a value of upstream, and a value before what
  // `stream` says.
  mutating func start(_ answers: Answers) throws(StreamFailure) {
    if case .toggle = rule { ruleBySignal(answers) } else { try openWindow(answers) }
    if case .time(_, let every?, _) = rule { answers.setTimer(Self.beginning, at: answers.now + every) }
    answers.subscribe(to: 0)
    if case .signal = rule { ruleBySignal(answers) }
  }

  private func ruleBySignal(_ answers: Answers) {
    answers.subscribe(to: 2, on: Self.signalPort)
    answers.request(.unlimited, from: Self.signalPort)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    state.streams.request(demand, answers)
    askUpstream(answers)
    finishIfDone(answers)
  }

  private mutating func openWindow(_ answers: Answers, for value: Value? = nil) throws(StreamFailure) {
    guard state.open.count < limit else {
      throw StreamFailure(.limitExceeded, "'window' has its limit of \(limit) open windows", value: value)
    }
    let port = state.streams.open(1, capturing: [.int(state.windowCount)], answers)
    state.windowCount += 1
    state.open.append(OpenWindow(port: port))
    switch rule {
    case .time(let length, _, _): answers.setTimer(port, at: answers.now + length)
    case .eachSignal:
      answers.subscribe(to: 2, on: Self.signalPort)
      answers.request(Demand(1), from: Self.signalPort)
    case .toggle:
      answers.subscribe(to: 3, on: port + 1, capturing: [value ?? .null])
      answers.request(Demand(1), from: port + 1)
    default: break
    }
  }

  /// The window takes no more values.
  private mutating func close(_ port: Int, _ answers: Answers) {
    guard let place = state.open.firstIndex(where: { $0.port == port }) else { return }
    state.open.remove(at: place)
    answers.cancelTimer(port)
    if case .toggle = rule { answers.cancel(port + 1) }
    answers.endFeed(.finished, to: port)
    state.streams.free(port)
  }

  private mutating func closeAll(_ answers: Answers) {
    for window in state.open { close(window.port, answers) }
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    switch port {
    case 0: try take(value, answers)
    case Self.signalPort: try signal(value, answers)
    case _ where port % 2 == 0: try state.streams.receive(value, on: port, answers)
    default: close(port - 1, answers)
    }
  }

  private mutating func take(_ value: Value, _ answers: Answers) throws(StreamFailure) {
    var isLast = false
    if let last { isLast = try last.truth(of: last.evaluate(answers, value, index: state.index), for: value) }
    state.isAsking = false
    state.index += 1
    for place in state.open.indices {
      state.open[place].count += 1
      answers.feed(value, to: state.open[place].port)
    }
    switch rule {
    case .count(let size, let every):
      if let first = state.open.first, first.count >= size { close(first.port, answers) }
      if state.index % Int64(every) == 0 { try openWindow(answers) }
    case .time(_, let every, let size):
      for window in state.open where window.count >= size {
        close(window.port, answers)
        if every == nil { try openWindow(answers) }
      }
    case .last where isLast:
      closeAll(answers)
      try openWindow(answers)
    default: break
    }
    if !state.streams.demand.isUnlimited { answers.resume() }
  }

  /// The stream that rules has said something.
  private mutating func signal(_ value: Value, _ answers: Answers) throws(StreamFailure) {
    switch rule {
    case .toggle: try openWindow(answers, for: value)
    default:
      if case .eachSignal = rule { answers.cancel(Self.signalPort) }
      closeAll(answers)
      try openWindow(answers)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) throws(StreamFailure) {
    if case .failure = completion { return answers.complete(completion) }
    switch port {
    case 0:
      state.isUpstreamDone = true
      answers.cancel(Self.signalPort)
      answers.cancelTimer(Self.beginning)
      closeAll(answers)
    case Self.signalPort:
      if case .eachSignal = rule {
        closeAll(answers)
        try openWindow(answers)
      }
    case _ where port % 2 == 0:
      state.streams.close(port, keepingPort: state.open.contains { $0.port == port })
    default: break
    }
    finishIfDone(answers)
  }

  mutating func fire(_ timer: Int, _ answers: Answers) throws(StreamFailure) {
    guard case .time(_, let every, _) = rule else { return }
    if timer == Self.beginning {
      try openWindow(answers)
      if let every { answers.setTimer(Self.beginning, at: answers.now + every) }
    } else {
      close(timer, answers)
      if every == nil { try openWindow(answers) }
    }
  }

  mutating func resume(_ answers: Answers) {
    state.streams.resume(answers)
    askUpstream(answers)
    finishIfDone(answers)
  }

  /// One value at a time, unless all are asked for: a value may become many.
  private mutating func askUpstream(_ answers: Answers) {
    guard !state.isUpstreamDone else { return }
    if state.streams.demand.isUnlimited {
      answers.request(.unlimited, from: 0)
    } else if !state.isAsking, state.streams.wantsValues {
      state.isAsking = true
      answers.request(Demand(1), from: 0)
    }
  }

  private func finishIfDone(_ answers: Answers) {
    if state.isUpstreamDone, state.streams.isEmpty { answers.finish() }
  }
}
