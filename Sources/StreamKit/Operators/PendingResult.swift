internal import StreamCore
internal import StreamRuntime

/// The one result of an operator that summarizes: held until somebody has asked for a value, and so is the finish that
/// comes with it, or alone where there is no result. A failure is not.
struct PendingResult: Codable, Sendable {
  private var isRequested = false
  /// Whether all is known, and nobody has asked yet.
  private var isWaiting = false
  private var result: Value?

  init() {}

  /// The same within a fused segment.
  init(_ summary: SegmentSummary) {
    isRequested = summary.demand > .none
    isWaiting = summary.isWaiting
    result = summary.result
  }

  var summary: SegmentSummary {
    SegmentSummary(demand: isRequested ? Demand(1) : .none, isWaiting: isWaiting, result: result)
  }

  /// Upstream has ended: publishes the result, if there is one, and finishes; or fails without it.
  mutating func end(_ completion: Completion, with result: Value?, _ effects: Effects) {
    if case .failure = completion { return effects.complete(completion) }
    hand(result, effects)
  }

  /// The result is known before the end: cancels what runs upstream, then publishes it and finishes.
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
  /// Subscribes to the upstream and asks for everything, as what summarizes does.
  func subscribeToAll() {
    subscribe(to: 0)
    request(.unlimited, from: 0)
  }
}

extension PendingResult: DemandCounting {
  var unansweredDemand: Demand { isRequested ? Demand(1) : .none }
}
