internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Collects values into lists for intervals of equal length. The oldest list closes first, so one timer suffices.
struct CollectTimeMachine: Machine {
  struct State: Codable, Sendable {
    /// The open lists, oldest first.
    var open: Deque<OpenList> = []
    /// The lists that are full, and not delivered yet, with the tickets of their delivery; nil if there are none.
    var full: FullLists?
    var lists = PendingLists()
    var ending: Completion?
    /// The start of the first list that is open and empty, while no list has values and lists start at intervals of
    /// their own; nil otherwise. Such lists are opened when a value arrives.
    var emptySince: StreamTime?
    /// The progress of intervals that are aligned to the clock; nil for others.
    var clock: ClockWindowProgress?
  }

  struct OpenList: Codable, Sendable {
    var deadline: StreamTime
    var ticket: Int64
    var values: [Value] = []
    /// The bounds of an interval that is aligned to the clock.
    var bounds: ClockWindows.Bounds?
  }

  struct FullLists: Codable, Sendable {
    private(set) var lists: Deque<OpenList>
    /// Number of values in them.
    private(set) var valueCount: Int

    private enum CodingKeys: String, CodingKey { case lists }

    init(_ lists: Deque<OpenList>) {
      self.lists = lists
      valueCount = lists.reduce(0) { $0 + $1.values.count }
    }

    init(from decoder: any Decoder) throws {
      self.init(try decoder.container(keyedBy: CodingKeys.self).decode(Deque<OpenList>.self, forKey: .lists))
    }

    mutating func append(_ list: OpenList) {
      lists.append(list)
      valueCount += list.values.count
    }

    mutating func popFirst() -> OpenList? {
      guard let list = lists.popFirst() else { return nil }
      valueCount -= list.values.count
      return list
    }
  }

  private static let closing = 0
  private static let opening = 1
  private static let delivery = 2
  private static let ending = 3

  let span: Interval
  let size: Int
  /// The time between the starts of two lists; nil if each starts at the end of the previous one.
  let every: Interval?
  /// The intervals, if they are aligned to the clock.
  let windows: ClockWindows?
  /// Returns the result for an aligned interval; nil for the list of its values.
  let result: PlannedExpression?
  let emitsEmpty: Bool
  let limit: Int
  var state = State()

  mutating func start(_ effects: Effects) throws(StreamFailure) {
    if windows != nil {
      // Behind what happens at this instant: with the values of the first instant, time is known.
      if emitsEmpty { effects.setTimer(Self.opening, at: effects.now) }
      return effects.subscribe(to: 0)
    }
    if let every { effects.setTimer(Self.opening, at: effects.now + every) }
    open(effects)
    effects.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.lists.request(demand, effects)
    // If values fill lists of a fixed size, just enough values for the requested lists are requested.
    effects.request(size < .max && every == nil ? demand * size : .unlimited, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if let windows {
      // A value at the end of an interval belongs to the next one.
      try roll(windows, effects)
      state.lists.drain(effects)
    } else {
      try wake(effects)
    }
    try requireRoom(for: state.open.count { !$0.values.isEmpty }, value)
    for index in state.open.indices { state.open[index].values.append(value) }
    while let first = state.open.first, first.values.count >= size, var list = closeFirst(effects) {
      list.ticket = effects.takeTicket()
      if state.full == nil {
        effects.setTimer(Self.delivery, at: effects.now, ticket: list.ticket)
        state.full = FullLists([])
      }
      state.full?.append(list)
    }
  }

  /// Delivers the first list that is full; each has a time of its own among the timers of its instant.
  private mutating func deliver(_ effects: Effects) throws(StreamFailure) {
    guard let list = state.full?.popFirst() else { return }
    try complete(list, effects)
    if let next = state.full?.lists.first {
      effects.setTimer(Self.delivery, at: effects.now, ticket: next.ticket)
    } else {
      state.full = nil
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    effects.cancelTimer(Self.closing)
    effects.cancelTimer(Self.opening)
    if case .failure = completion { state.open = [] }
    state.ending = completion
    // Behind the lists that are full.
    effects.setTimer(Self.ending, at: effects.now)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    switch timer {
    case Self.closing:
      if let list = closeFirst(effects) { try complete(list, effects) }
    case Self.opening:
      if let windows {
        try begin(windows, effects)
        break
      }
      if rest(effects) { return }
      try requireRoom(for: 1)
      open(effects)
      if let every { effects.setTimer(Self.opening, at: effects.now + every) }
      return
    case Self.ending:
      // A stream that ends at its first instant, without a value here.
      if let windows, emitsEmpty, state.clock == nil, state.ending == .finished, effects.hasTime {
        try roll(windows, effects)
      }
      for list in state.open { try complete(list, effects) }
      state.open = []
    default: try deliver(effects)
    }
    state.lists.drain(effects)
    if timer == Self.ending, let ending = state.ending { state.lists.end(ending, effects) }
  }

  /// Closes the aligned intervals that are over, and opens those that hold the present.
  private mutating func roll(_ windows: ClockWindows, _ effects: Effects) throws(StreamFailure) {
    var progress = state.clock ?? ClockWindowProgress()
    guard let opening = progress.opening(windows, limit: limit, effects) else { return }
    state.clock = progress
    let present = effects.present
    while let end = state.open.first?.bounds?.end, end <= present, let list = closeFirst(effects) {
      try complete(list, effects)
    }
    for bounds in opening {
      try requireRoom(for: 1)
      let list = OpenList(deadline: effects.time(of: bounds.end), ticket: effects.takeTicket(), bounds: bounds)
      if state.open.isEmpty { effects.setTimer(Self.closing, at: list.deadline, ticket: list.ticket) }
      state.open.append(list)
    }
  }

  /// Opens the intervals that hold the present, and sets the timer for the next start.
  private mutating func begin(_ windows: ClockWindows, _ effects: Effects) throws(StreamFailure) {
    try roll(windows, effects)
    effects.setTimer(Self.opening, at: effects.time(of: windows.nextStart(after: effects.present)))
  }

  private mutating func open(_ effects: Effects) {
    let list = OpenList(deadline: effects.now + span, ticket: effects.takeTicket())
    if every == nil, !emitsEmpty {
      effects.setIdleTimer(Self.closing, at: list.deadline, every: span, ticket: list.ticket)
    } else if state.open.isEmpty {
      effects.setTimer(Self.closing, at: list.deadline, ticket: list.ticket)
    }
    state.open.append(list)
  }

  /// Begins to skip the starts of lists, if none has values and empty ones are not published. Returns whether it does.
  private mutating func rest(_ effects: Effects) -> Bool {
    guard let every, !emitsEmpty, state.open.allSatisfy(\.values.isEmpty) else { return false }
    state.emptySince = state.open.first.map { $0.deadline - span } ?? effects.now
    // Those of lists that end now or later.
    var firings = IdleFirings(limit: Int(span.nanoseconds / every.nanoseconds) + 1)
    for list in state.open { firings.append(at: list.deadline - span, ticket: list.ticket) }
    state.open = []
    effects.cancelTimer(Self.closing)
    let ticket = effects.takeTicket()
    firings.append(at: effects.now, ticket: ticket)
    effects.setIdleTimer(Self.opening, at: effects.now + every, every: every, ticket: ticket, firings: firings)
    return true
  }

  /// Sets the timers that a value needs, after intervals without values.
  private mutating func wake(_ effects: Effects) throws(StreamFailure) {
    guard let every else {
      guard state.open.first?.values.isEmpty == true, let next = effects.wakeIdleTimer(Self.closing) else { return }
      (state.open[0].deadline, state.open[0].ticket) = next
      return
    }
    let firings = effects.idleFirings(of: Self.opening)
    guard let since = state.emptySince, let next = effects.wakeIdleTimer(Self.opening) else { return }
    state.emptySince = nil
    var start = next.deadline - every
    var starts: [StreamTime] = []
    while start >= since, isOpen(start, next.deadline, firings, every, effects) {
      starts.append(start)
      try state.lists.requireRoom(for: starts.count, beside: [], limit: limit, owner: "collectTime", nil)
      start = start - every
    }
    for start in starts.reversed() {
      state.open.append(OpenList(deadline: start + span, ticket: effects.takeTicket()))
    }
    if let first = state.open.first { effects.setTimer(Self.closing, at: first.deadline, ticket: first.ticket) }
  }

  /// Whether a list that started at a time has not ended.
  ///
  /// A list that ends now is still open if the timer that starts the next one has not fired: for an event of the host
  /// that no timer asked for, and for a timer that was set before the list started.
  ///
  /// - Parameters:
  ///   - next: The start of the next list.
  ///   - firings: The last starts of lists before an event.
  private func isOpen(
    _ start: StreamTime, _ next: StreamTime, _ firings: IdleFirings?, _ every: Interval, _ effects: Effects
  ) -> Bool {
    let end = start + span
    guard end == effects.now else { return end > effects.now }
    if next == effects.now { return true }
    if next - every == effects.now { return false }
    guard let ticket = effects.timerTicket else { return true }
    return firings?.ticket(since: start).map { ticket < $0 } ?? true
  }

  private mutating func closeFirst(_ effects: Effects) -> OpenList? {
    guard let list = state.open.popFirst() else { return nil }
    if let next = state.open.first {
      // A stream that continues later has another time for the same instant.
      let deadline = next.bounds.map { effects.time(of: $0.end) } ?? next.deadline
      effects.setTimer(Self.closing, at: deadline, ticket: next.ticket)
    } else {
      effects.cancelTimer(Self.closing)
    }
    if every == nil, windows == nil { open(effects) }
    return list
  }

  private mutating func complete(_ list: OpenList, _ effects: Effects) throws(StreamFailure) {
    guard emitsEmpty || !list.values.isEmpty else { return }
    guard let result, let bounds = list.bounds else { return state.lists.add(list.values) }
    let value = try effects.skippingFailure { () throws(StreamFailure) in
      try result.evaluate(effects, variables: [.list(list.values)] + bounds.variables, value: nil)
    }
    if let value { state.lists.add(value, of: list.values.count) }
  }

  private func requireRoom(for count: Int, _ value: Value? = nil) throws(StreamFailure) {
    try state.lists.requireRoom(
      for: count + (state.full?.valueCount ?? 0), beside: state.open.lazy.map(\.values.count), limit: limit,
      owner: "collectTime", value)
  }
}

extension CollectTimeMachine: CalendarMachine {
  var followsCalendar: Bool { windows != nil }
}
