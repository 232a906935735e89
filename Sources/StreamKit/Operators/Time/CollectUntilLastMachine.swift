internal import StreamCore
internal import StreamEngine

/// Collects values into lists that end when an expression is true.
struct CollectUntilLastMachine: Machine {
  struct State: Codable, Sendable {
    var values: [Value] = []
    /// The number of the next value.
    @Counted var index: Int64 = 0
    var lists = PendingLists()
  }

  let last: PlannedExpression
  let limit: Int
  var state = State()

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.lists.request(demand, effects)
    effects.request(demand, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    try state.lists.requireRoom(
      for: 1 + state.values.count, beside: EmptyCollection(), limit: limit, owner: "collectUntil", value)
    let isLast = try last.truth(of: last.evaluate(effects, value, index: index), for: value)
    state.values.append(value)
    if isLast {
      completeList()
      state.lists.drain(effects)
    } else {
      // The value did not complete a list, so one more is needed.
      effects.request(Demand(1), from: 0)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    if !state.values.isEmpty { completeList() }
    state.lists.end(completion, effects)
  }

  private mutating func completeList() {
    state.lists.add(state.values)
    state.values = []
  }
}
