internal import StreamCore

/// One thing that is to be done next.
struct Work {
  enum Kind: UInt8, Codable {
    case publish, finish, fail, subscribe, request, cancel, resume, start, demand, fire, input
  }

  var kind: Kind
  /// Whose work it is. For `publish`, `finish` and `fail` the stage that speaks, not the one that hears.
  var stage: Stage
  /// A port, or a timer.
  var number: Int
  /// Of `subscribe`: which of the node's upstreams.
  var upstream: Int
  var demand: Demand
  var value: Value
  var failure: StreamFailure?

  init(
    _ kind: Kind, _ stage: Stage, number: Int = 0, upstream: Int = 0, demand: Demand = .none, value: Value = .null,
    failure: StreamFailure? = nil
  ) {
    self.kind = kind
    self.stage = stage
    self.number = number
    self.upstream = upstream
    self.demand = demand
    self.value = value
    self.failure = failure
  }
}

/// What is to be done, the next on top: delivery is depth first without recursion, so a pipeline may be of any length.
final class WorkStack {
  /// NB: unchecked exclusivity: a stack belongs to one execution, which works on it from one place at a time.
  @exclusivity(unchecked) private(set) var items: [Work] = []

  var count: Int { items.count }

  func push(_ work: Work) { items.append(work) }

  func pop() -> Work? { items.popLast() }

  /// Turns round what was pushed since the stack had `mark` items, so that the first said is the first done.
  func arrange(since mark: Int) {
    if items.count - mark > 1 { items[mark...].reverse() }
  }

  /// Takes back what was pushed since the stack had `mark` items.
  func truncate(to mark: Int) {
    if items.count > mark { items.removeSubrange(mark...) }
  }

  func removeAll() { items.removeAll() }

  func restore(_ work: [Work]) { items = work }
}
