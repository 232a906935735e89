internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Collects a fixed number of values into lists that overlap or have gaps between them.
///
/// All open lists are suffixes of one window, which is the oldest list.
struct OverlappingCollectMachine: Machine {
  struct State: Codable, Sendable {
    var window: Deque<Value> = []
    /// Number of values to drop before the next list starts.
    @Counted var skipCount = 0
    var lists = PendingLists()
    var hasBegun = false
  }

  let size: Int
  let every: Int
  let limit: Int
  var state = State()

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.lists.request(demand, effects)
    effects.request(needed(for: demand), from: 0)
    state.hasBegun = true
  }

  /// The first list needs as many values as it holds; each further list needs `every` values.
  private func needed(for demand: Demand) -> Demand {
    guard !demand.isUnlimited, !state.hasBegun else { return demand * every }
    return Demand(size) + Demand(demand.count - 1) * every
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    guard state.skipCount == 0 else {
      state.skipCount -= 1
      return
    }
    state.window.append(value)
    guard state.window.count >= size else { return }
    state.lists.add(Array(state.window))
    state.window.removeFirst(min(every, size))
    state.skipCount = max(0, every - size)
    state.lists.drain(effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .finished = completion { try completeRest() }
    state.lists.end(completion, effects)
  }

  private mutating func completeRest() throws(StreamFailure) {
    let starts = stride(from: 0, to: state.window.count, by: every)
    var total = state.lists.heldCount
    for start in starts {
      total += state.window.count - start
      guard total <= limit else {
        throw .beyondLimit(limit, "value", " in the incomplete arrays at the finish", of: "collect")
      }
    }
    for start in starts { state.lists.add(Array(state.window.dropFirst(start))) }
    state.window = []
  }
}
