internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// Complete lists that wait for demand, followed by the finish.
struct PendingLists: Codable, Sendable {
  private(set) var demand = Demand.none
  private var lists: Deque<[Value]> = []
  private var ending: Completion?
  /// Number of values in the lists; an empty list counts as one.
  private(set) var heldCount = 0

  private enum CodingKeys: String, CodingKey { case demand, lists, ending }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    demand = try container.decode(Demand.self, forKey: .demand)
    lists = try container.decode(Deque<[Value]>.self, forKey: .lists)
    ending = try container.decodeIfPresent(Completion.self, forKey: .ending)
    heldCount = lists.reduce(0) { $0 + max(1, $1.count) }
  }

  mutating func request(_ more: Demand, _ effects: Effects) {
    demand += more
    drain(effects)
  }

  /// Adds a complete list, which `drain` publishes.
  mutating func add(_ list: [Value]) {
    lists.append(list)
    heldCount += max(1, list.count)
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
      guard let list = lists.popFirst() else { break }
      heldCount -= max(1, list.count)
      effects.publish(.list(list))
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
