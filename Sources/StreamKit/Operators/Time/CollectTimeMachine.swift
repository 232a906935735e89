internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// Collects values into lists for intervals of equal length. The oldest list closes first, so one timer suffices.
struct CollectTimeMachine: Machine {
  struct State: Codable, Sendable {
    /// The open lists, oldest first.
    var open: Deque<OpenList> = []
    var lists = PendingLists()
    var ending: Completion?
  }

  struct OpenList: Codable, Sendable {
    let deadline: StreamTime
    let ticket: Int64
    var values: [Value] = []
  }

  private static let closing = 0
  private static let opening = 1
  private static let delivery = 2

  let span: Interval
  let size: Int
  /// The time between the starts of two lists; nil if each starts at the end of the previous one.
  let every: Interval?
  let emitsEmpty: Bool
  let limit: Int
  var state = State()

  mutating func start(_ effects: Effects) {
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
    try requireRoom(for: state.open.count { !$0.values.isEmpty }, value)
    for index in state.open.indices { state.open[index].values.append(value) }
    while let first = state.open.first, first.values.count >= size {
      closeFirst(effects)
      effects.setTimer(Self.delivery, at: effects.now)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    effects.cancelTimer(Self.closing)
    effects.cancelTimer(Self.opening)
    if case .finished = completion {
      for list in state.open { complete(list) }
    }
    state.open = []
    state.ending = completion
    effects.setTimer(Self.delivery, at: effects.now)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    switch timer {
    case Self.closing:
      closeFirst(effects)
    case Self.opening:
      try requireRoom(for: 1)
      open(effects)
      if let every { effects.setTimer(Self.opening, at: effects.now + every) }
      return
    default: break
    }
    state.lists.drain(effects)
    if let ending = state.ending { state.lists.end(ending, effects) }
  }

  private mutating func open(_ effects: Effects) {
    let list = OpenList(deadline: effects.now + span, ticket: effects.takeTicket())
    if state.open.isEmpty { effects.setTimer(Self.closing, at: list.deadline, ticket: list.ticket) }
    state.open.append(list)
  }

  private mutating func closeFirst(_ effects: Effects) {
    guard let list = state.open.popFirst() else { return }
    complete(list)
    if let next = state.open.first {
      effects.setTimer(Self.closing, at: next.deadline, ticket: next.ticket)
    } else {
      effects.cancelTimer(Self.closing)
    }
    if every == nil { open(effects) }
  }

  private mutating func complete(_ list: OpenList) {
    if emitsEmpty || !list.values.isEmpty { state.lists.add(list.values) }
  }

  private func requireRoom(for count: Int, _ value: Value? = nil) throws(StreamFailure) {
    try state.lists.requireRoom(
      for: count, beside: state.open.lazy.map(\.values.count), limit: limit, owner: "collectTime", value)
  }
}
