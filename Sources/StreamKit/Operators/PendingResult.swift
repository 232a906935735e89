internal import StreamCore
internal import StreamEngine

/// The result of an operator that summarizes its values. The result, and the finish with or without it, wait for
/// demand; a failure does not.
struct PendingResult: Codable, Sendable {
  private var isRequested = false
  /// Whether the result is known, but there is no demand yet.
  private var isWaiting = false
  private var result: Value?

  init() {}

  /// Restores the state from a fused segment.
  init(_ summary: SegmentSummary) {
    isRequested = summary.demand > .none
    isWaiting = summary.isWaiting
    result = summary.result
  }

  var summary: SegmentSummary {
    SegmentSummary(demand: isRequested ? Demand(1) : .none, isWaiting: isWaiting, result: result)
  }

  /// Ends the operator after upstream: publishes the result, if any, and finishes; or fails without it.
  mutating func end(_ completion: Completion, with result: Value?, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    hand(result, effects)
  }

  /// Ends the operator before upstream: cancels the ports, publishes the result and finishes.
  mutating func settle(_ result: Value, canceling ports: Int..., effects: Effects) {
    for port in ports { effects.cancel(port) }
    hand(result, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    guard demand > .none, !isRequested else { return }
    isRequested = true
    if isWaiting { hand(result, effects) }
  }

  private mutating func hand(_ result: Value?, _ effects: Effects) {
    self.result = result
    isWaiting = !isRequested
    guard isRequested else { return }
    if let result { effects.publish(result) }
    effects.finish()
  }
}

extension Effects {
  /// Subscribes to upstream with unlimited demand, as operators that summarize do.
  func subscribeToAll() {
    subscribe(to: 0)
    request(.unlimited, from: 0)
  }
}

extension PendingResult: DemandCounting {
  var unansweredDemand: Demand { isRequested ? Demand(1) : .none }
}
