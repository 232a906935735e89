internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Complete lists that wait for demand, followed by the finish.
struct PendingLists: Codable, Sendable {
  private(set) var demand = Demand.none
  private var lists: Deque<Value> = []
  /// The number of values that each of `lists` counts as, if they are results of lists; empty otherwise.
  private var counts: Deque<Int> = []
  private var ending: Completion?
  /// Number of values in the lists; an empty list counts as one.
  private(set) var heldCount = 0

  private enum CodingKeys: String, CodingKey { case demand, lists, counts, ending }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    demand = try container.decode(Demand.self, forKey: .demand)
    lists = try container.decode(Deque<Value>.self, forKey: .lists)
    counts = try container.decodeIfPresent(Deque<Int>.self, forKey: .counts) ?? []
    ending = try container.decodeIfPresent(Completion.self, forKey: .ending)
    guard counts.isEmpty || counts.count == lists.count, counts.allSatisfy({ $0 >= 0 && $0 <= 1_000_000_000 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts, in: container, debugDescription: "the counts of values do not belong to the lists")
    }
    heldCount = lists.indices.reduce(0) { $0 + count(of: $1) }
  }

  mutating func request(_ more: Demand, _ effects: Effects) {
    demand += more
    drain(effects)
  }

  /// Adds a complete list, which `drain` publishes.
  mutating func add(_ list: [Value]) {
    lists.append(.list(list))
    heldCount += max(1, list.count)
  }

  /// Adds the result for a complete list of so many values.
  mutating func add(_ result: Value, of count: Int) {
    lists.append(result)
    counts.append(count)
    heldCount += max(1, count)
  }

  /// The number of values that one of the lists counts as.
  private func count(of index: Int) -> Int {
    if index < counts.count { return max(1, counts[index]) }
    guard case .list(let list) = lists[index] else { return 1 }
    return max(1, list.count)
  }

  /// Throws if a number of values does not fit in beside the complete lists and the open ones, of these sizes. An empty
  /// list counts as one value.
  func requireRoom(
    for count: Int, beside open: some Sequence<Int>, limit: Int, owner: String, _ value: Value?
  ) throws(StreamFailure) {
    guard open.reduce(heldCount, { $0 + max(1, $1) }) + count <= limit else {
      throw .beyondLimit(limit, "value", " in its arrays", of: owner, value: value)
    }
  }

  /// Publishes the requested lists, and the finish after the last one.
  mutating func drain(_ effects: Effects) {
    while !lists.isEmpty, demand.takeOne() {
      heldCount -= count(of: 0)
      guard let list = lists.popFirst() else { break }
      _ = counts.popFirst()
      effects.publish(list)
    }
    if lists.isEmpty, let ending { effects.complete(ending) }
  }

  /// Ends the operator: a finish follows the last list, a failure is published at once.
  mutating func end(_ completion: Completion, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    ending = completion
    drain(effects)
  }
}

extension PendingLists: DemandCounting {
  var unansweredDemand: Demand { demand }
}
