internal import StreamCore
internal import StreamEngine

/// The rule that opens and closes windows.
enum WindowRule: Sendable {
  /// A number of values; the next window starts after `every` values.
  case count(Int, every: Int)
  /// A length of time, and at most `count` values; the next window starts after `every`, or when the previous one
  /// closes.
  case time(Interval, every: Interval?, count: Int)
  /// Windows aligned to the clock. Without values they exist only if `emitsEmpty`.
  case clock(ClockWindows, emitsEmpty: Bool)
  /// A stream: each value closes a window and opens the next one.
  case signal
  /// A stream that is subscribed to again for every window.
  case eachSignal
  /// A stream whose values open windows, and a stream for each window that closes it.
  case toggle
  /// An expression that is true for the last value.
  case last
}

/// Port 0 is upstream, port 1 the stream with the signals. A window has an even port from 2 on; its `closing` has the
/// next one.
struct WindowMachine: LoweredMachine {
  struct State: Codable, Sendable {
    var streams = InnerStreams(first: 2, stride: 2)
    /// The open windows, oldest first.
    var open: [OpenWindow] = []
    /// The progress of windows that are aligned to the clock; nil for other windows.
    var clock: ClockWindowProgress?
    /// Number of windows opened.
    @Counted var windowCount: Int64 = 0
    /// Number of values received.
    @Counted var index: Int64 = 0
    var isAsking = false
    var isUpstreamDone = false
    /// Whether the stream with the signals is subscribed to after upstream has been asked.
    var awaitsSignal = false
    /// Number of values that a `resume` signal follows, while the stream with the signals waits.
    @Counted var resuming = 0
  }

  struct OpenWindow: Codable, Sendable {
    let port: Int
    @Counted var count = 0
    /// The bounds of a window that is aligned to the clock.
    var bounds: ClockWindows.Bounds?
  }

  /// The timer that opens windows. The timer that closes a window has the number of its port.
  private static let beginning = 0
  private static let signalPort = 1

  let rule: WindowRule
  let last: PlannedExpression?
  let limit: Int
  /// The slot of the variable of a window's operators.
  let firstSlot: Int
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

  // NB: RxJS's order of events at one instant: the timer of a window, a value of upstream, a value of `stream`.
  mutating func start(_ effects: Effects) throws(StreamFailure) {
    let isRequestPending = effects.isRequestPending
    switch rule {
    case .toggle: ruleBySignal(effects)
    case .eachSignal:
      // Asked before downstream asks, a signal at once would end windows without end.
      state.awaitsSignal = isRequestPending
      try openWindow(effects)
    // A window opens with its first value.
    case .last: break
    case .clock(_, let emitsEmpty):
      // Behind what happens at this instant: with the values of the first instant, time is known.
      if emitsEmpty { effects.setTimer(Self.beginning, at: effects.now) }
    default: try openWindow(effects)
    }
    if case .time(_, let every?, _) = rule { effects.setTimer(Self.beginning, at: effects.now + every) }
    effects.subscribe(to: 0)
    if case .signal = rule {
      // A cold upstream runs to its end before the signals start.
      state.awaitsSignal = isRequestPending
      if !state.awaitsSignal { ruleBySignal(effects) }
    }
  }

  private func ruleBySignal(_ effects: Effects) {
    effects.subscribe(to: 2, on: Self.signalPort)
    effects.request(.unlimited, from: Self.signalPort)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.streams.request(demand, effects)
    if case .eachSignal = rule, state.awaitsSignal {
      state.awaitsSignal = false
      effects.request(Demand(1), from: Self.signalPort)
    }
    proceed(effects)
    if state.awaitsSignal { effects.resume() }
  }

  private mutating func openWindow(
    _ effects: Effects, for value: Value? = nil, bounds: ClockWindows.Bounds? = nil
  ) throws(StreamFailure) {
    guard state.open.count < limit else {
      throw .beyondLimit(limit, "open window", of: "window", value: value)
    }
    let port = state.streams.open(1, capturing: [.int(state.windowCount)] + (bounds?.variables ?? []), effects)
    state.windowCount += 1
    state.open.append(OpenWindow(port: port, bounds: bounds))
    if let bounds { effects.setTimer(port, at: effects.time(of: bounds.end)) }
    switch rule {
    case .time(let length, _, _): effects.setTimer(port, at: effects.now + length)
    case .eachSignal:
      effects.subscribe(to: 2, on: Self.signalPort)
      if !state.awaitsSignal { effects.request(Demand(1), from: Self.signalPort) }
    case .toggle:
      effects.subscribe(to: 3, on: port + 1, capturing: [value ?? .null])
      effects.request(Demand(1), from: port + 1)
    default: break
    }
  }

  /// Closes a window: it takes no more values.
  private mutating func close(_ port: Int, _ effects: Effects) {
    guard let place = state.open.firstIndex(where: { $0.port == port }) else { return }
    state.open.remove(at: place)
    effects.cancelTimer(port)
    if case .toggle = rule { effects.cancel(port + 1) }
    effects.endFeed(.finished, to: port)
    state.streams.free(port)
  }

  /// Closes the windows aligned to the clock that are over, and opens those that hold the present.
  private mutating func roll(_ windows: ClockWindows, _ value: Value?, _ effects: Effects) throws(StreamFailure) {
    var progress = state.clock ?? ClockWindowProgress()
    guard let opening = progress.opening(windows, limit: limit, effects) else { return }
    state.clock = progress
    let present = effects.present
    for window in state.open where window.bounds.map({ $0.end <= present }) ?? false { close(window.port, effects) }
    for bounds in opening { try openWindow(effects, for: value, bounds: bounds) }
  }

  /// Opens the windows that hold the present, and sets the timer for the next start.
  private mutating func begin(_ windows: ClockWindows, _ effects: Effects) throws(StreamFailure) {
    try roll(windows, nil, effects)
    effects.setTimer(Self.beginning, at: effects.time(of: windows.nextStart(after: effects.present)))
  }

  private mutating func closeAll(_ effects: Effects) {
    for window in state.open { close(window.port, effects) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    switch port {
    case 0: try take(value, effects)
    case Self.signalPort: try signal(value, effects)
    case _ where port % 2 == 0: try state.streams.receive(value, on: port, effects)
    default: close(port - 1, effects)
    }
  }

  private mutating func take(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    let isLast = try last.map { last throws(StreamFailure) in
      try last.truth(of: last.evaluate(effects, value, index: index), for: value)
    }
    state.isAsking = false
    switch rule {
    case .last: if state.open.isEmpty { try openWindow(effects, for: value) }
    // A value at the end of a window belongs to the next one.
    case .clock(let windows, _): try roll(windows, value, effects)
    default: break
    }
    for place in state.open.indices {
      state.open[place].count += 1
      effects.feed(value, to: state.open[place].port)
    }
    switch rule {
    case .count(let size, let every):
      if let first = state.open.first, first.count >= size { close(first.port, effects) }
      if state.index % Int64(every) == 0 { try openWindow(effects) }
    case .time(_, let every, let size):
      for window in state.open where window.count >= size {
        close(window.port, effects)
        if every == nil { try openWindow(effects) }
      }
    case .last where isLast == true: closeAll(effects)
    default: break
    }
    if !state.streams.demand.isUnlimited {
      if state.awaitsSignal { state.resuming += 1 }
      effects.resume()
    }
  }

  /// Handles a value of the signal stream.
  private mutating func signal(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    switch rule {
    case .toggle: try openWindow(effects, for: value)
    default:
      if case .eachSignal = rule { effects.cancel(Self.signalPort) }
      closeAll(effects)
      try openWindow(effects)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .failure = completion { return effects.complete(completion) }
    switch port {
    case 0:
      state.isUpstreamDone = true
      effects.cancel(Self.signalPort)
      effects.cancelTimer(Self.beginning)
      // A stream that ends at its first instant, without a value here.
      if case .clock(let windows, emitsEmpty: true) = rule, state.clock == nil, effects.hasTime {
        try roll(windows, nil, effects)
      }
      closeAll(effects)
    case Self.signalPort:
      if case .eachSignal = rule {
        closeAll(effects)
        try openWindow(effects)
      }
    case _ where port % 2 == 0:
      state.streams.close(port, keepingPort: state.open.contains { $0.port == port })
    default: break
    }
    state.streams.finish(ifDone: state.isUpstreamDone, effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    if case .clock(let windows, _) = rule {
      if timer == Self.beginning { try begin(windows, effects) } else { close(timer, effects) }
      return
    }
    guard case .time(_, let every, _) = rule else { return }
    if timer == Self.beginning {
      try openWindow(effects)
      if let every { effects.setTimer(Self.beginning, at: effects.now + every) }
    } else {
      close(timer, effects)
      if every == nil { try openWindow(effects) }
    }
  }

  mutating func resume(_ effects: Effects) {
    if state.resuming > 0 {
      state.resuming -= 1
    } else if state.awaitsSignal {
      state.awaitsSignal = false
      if !state.isUpstreamDone { ruleBySignal(effects) }
    }
    state.streams.resume(effects)
    proceed(effects)
  }

  private mutating func proceed(_ effects: Effects) {
    state.streams.proceed(afterUpstream: state.isUpstreamDone, isAsking: &state.isAsking, effects)
  }
}

extension WindowMachine {
  /// Compiles to one program if windows have a fixed length, and neither overlap nor leave gaps.
  var lowering: Lowering<State>? {
    guard case .count(let length, let every) = rule, length == every else { return nil }
    let slots = SerialSlots(number: firstSlot)
    let lowering = SerialLowering<State>(length: length, slots: slots, port: \.open.first?.port) { progress, _ in
      State(progress, length)
    } progress: {
      $0.progress(length)
    }
    return .serial(lowering)
  }
}

extension WindowMachine.State {
  /// Creates the state. Windows alternate between two ports, because a window opens before the previous stream has ended.
  init(_ progress: SerialProgress, _ length: Int) {
    let isEven = progress.started % 2 == 0
    let (port, other) = isEven ? (4, 2) : (2, 4)
    let isRunning = isEven ? [false, progress.isRunning] : [progress.isRunning, false]
    let hasOther = progress.started > 1
    streams = InnerStreams(
      InnerPorts(hasOther ? isRunning : [progress.isRunning], free: hasOther ? [other] : [], first: 2, stride: 2),
      progress.isRequested ? .unlimited : .none)
    open = [WindowMachine.OpenWindow(port: port, count: progress.position)]
    windowCount = progress.started
    index = (progress.started - 1) * Int64(length) + Int64(progress.position)
  }

  /// The progress for windows of `length` values; nil if the state is not equivalent to progress.
  func progress(_ length: Int) -> SerialProgress? {
    guard open.count == 1, !isAsking, !isUpstreamDone, windowCount > 0, open[0].count >= 0, open[0].count < length,
      let isRunning = streams.isOnly(open[0].port)
    else { return nil }
    let (values, isOver) = (windowCount - 1).multipliedReportingOverflow(by: Int64(length))
    guard !isOver, index - values == Int64(open[0].count) else { return nil }
    return SerialProgress(started: windowCount, position: open[0].count, isRunning: isRunning)
  }
}

extension WindowMachine: CalendarMachine {
  var followsCalendar: Bool { if case .clock = rule { true } else { false } }
}
