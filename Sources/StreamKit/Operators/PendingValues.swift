internal import DequeModule
internal import StreamCore
internal import StreamEngine

/// The values that an operator publishes after upstream has finished, as far as there is demand.
struct PendingValues: Codable, Sendable {
  var values: Deque<Value> = []
  private var demand = Demand.none
  private var isRequested = false
  private(set) var isFinal = false

  init() {}

  /// Restores the state from a fused segment, with at most one value.
  init(_ value: Value?, _ summary: SegmentSummary) {
    if let value { values.append(value) }
    demand = summary.demand
    isRequested = demand > .none
    isFinal = summary.isWaiting
  }

  var summary: SegmentSummary {
    SegmentSummary(demand: demand, isWaiting: isFinal, result: isFinal ? values.first : nil)
  }

  /// Ends the operator after upstream: publishes the requested values and finishes with the last one, or, without
  /// values, as soon as there is demand; or fails without them.
  mutating func end(_ completion: Completion, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    isFinal = true
    drain(effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    self.demand += demand
    isRequested = isRequested || demand > .none
    if isFinal { drain(effects) }
  }

  private mutating func drain(_ effects: Effects) {
    while let first = values.first, demand.takeOne() {
      values.removeFirst()
      effects.publish(first)
    }
    if values.isEmpty, isRequested { effects.finish() }
  }
}

extension PendingValues: DemandCounting {
  var unansweredDemand: Demand { demand }
}
