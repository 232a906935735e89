internal import DequeModule
internal import StreamCore

/// The values that wait for a subscriber which has asked for none: what subjects keep for each of theirs.
struct Backlog: Codable {
  private(set) var demand = Demand.none
  private(set) var waiting: Deque<Value> = []
  private var ending: Completion?

  /// Whether a value would be published at once.
  var wantsValues: Bool { demand > .none && waiting.isEmpty }

  /// Whether so much has been requested, and no value waits.
  func isWaiting(for demand: Demand) -> Bool { self.demand == demand && waiting.isEmpty && ending == nil }

  var count: Int { waiting.count }

  mutating func ask(_ more: Demand) { demand += more }

  /// Takes one of what is asked for, if there is something.
  mutating func takeOne() -> Bool { waiting.isEmpty && demand.takeOne() }

  mutating func append(_ value: Value) { waiting.append(value) }

  mutating func removeFirst() { _ = waiting.popFirst() }

  /// Publishes what waits as far as it was asked for, and the end after the last of it.
  mutating func drain(_ effects: Effects) {
    while !waiting.isEmpty, demand.takeOne() {
      if let value = waiting.popFirst() { effects.publish(value) }
    }
    if waiting.isEmpty, let ending { effects.complete(ending) }
  }

  /// The end: a finish after what waits, a failure at once, unless what waits is to be heard before it too.
  mutating func end(_ completion: Completion, _ effects: Effects, keeping: Bool = false) {
    if !waiting.isEmpty, keeping || completion == .finished {
      ending = completion
    } else {
      effects.complete(completion)
    }
  }
}
