internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// Lists that an operator has made: published as they are asked for, the end after the last of them.
struct PendingLists: Codable, Sendable {
  private(set) var demand = Demand.none
  private var lists: Deque<[Value]> = []
  private var ending: Completion?
  /// How many values the lists hold, an empty list counting as one.
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

  /// A list is complete; `drain` publishes it.
  mutating func add(_ list: [Value]) {
    lists.append(list)
    heldCount += max(1, list.count)
  }

  /// Publishes what is asked for, and the end once nothing is left.
  mutating func drain(_ effects: Effects) {
    while !lists.isEmpty, demand.takeOne() {
      guard let list = lists.popFirst() else { break }
      heldCount -= max(1, list.count)
      effects.publish(.list(list))
    }
    if lists.isEmpty, let ending { effects.complete(ending) }
  }

  /// No more lists will come: a finish follows the last of them, a failure comes at once.
  mutating func end(_ completion: Completion, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    ending = completion
    drain(effects)
  }
}

extension PendingLists: DemandCounting {
  var unansweredDemand: Demand { demand }
}
