internal import DequeModule
internal import StreamCore

/// The values that wait for demand: the buffer that a subject keeps for each subscriber.
struct Backlog: Codable {
  /// Maximum number of values that wait for one subscriber, unless a field says otherwise.
  static let defaultLimit = 1_024

  private(set) var demand = Demand.none
  private(set) var waiting: Deque<Value> = []
  private var ending: Completion?
  /// Whether the subscriber of a shared stream has requested values; nil for other subscribers.
  var hasAsked: Bool?

  /// Whether a value would be published immediately.
  var wantsValues: Bool { demand > .none && waiting.isEmpty }

  /// Whether exactly this demand is outstanding, and neither a value nor a completion waits.
  func isWaiting(for demand: Demand) -> Bool { self.demand == demand && waiting.isEmpty && ending == nil }

  /// Whether the completion waits for demand.
  var isEnding: Bool { ending != nil }

  var count: Int { waiting.count }

  /// Number of values that it can still take if at most `limit` values may wait.
  func room(limit: Int) -> Demand { demand + Demand(limit - waiting.count) }

  mutating func ask(_ more: Demand) { demand += more }

  /// Consumes one value of the demand. Returns false if there is none or if other values wait.
  mutating func takeOne() -> Bool { waiting.isEmpty && demand.takeOne() }

  mutating func append(_ value: Value) { waiting.append(value) }

  mutating func removeFirst() { _ = waiting.popFirst() }

  /// Publishes waiting values up to the demand, and the completion after the last of them.
  mutating func drain(_ effects: Effects) {
    while !waiting.isEmpty, demand.takeOne() {
      if let value = waiting.popFirst() { effects.publish(value) }
    }
    if waiting.isEmpty, let ending { effects.complete(ending) }
  }

  /// Completes: a finish follows the waiting values; a failure does not wait for them unless `keeping` is true.
  mutating func end(_ completion: Completion, _ effects: Effects, keeping: Bool = false) {
    if !waiting.isEmpty, keeping || completion == .finished {
      ending = completion
    } else {
      effects.complete(completion)
    }
  }
}
