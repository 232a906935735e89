internal import StreamCore
internal import StreamEngine

/// The values of upstream, followed by one value of the operator that waits for demand.
struct TrailingValue: Codable, Sendable {
  private var demand = Demand.none
  private var closing: Value?

  mutating func publish(_ value: Value, _ effects: Effects) {
    _ = demand.takeOne()
    effects.publish(value)
  }

  /// Publishes the value once there is demand, and finishes. Upstream has ended.
  mutating func close(with value: Value, _ effects: Effects) {
    if demand.takeOne() {
      effects.publish(value)
      effects.finish()
    } else {
      closing = value
    }
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    self.demand += demand
    guard let closing else { return effects.request(demand, from: 0) }
    guard self.demand.takeOne() else { return }
    self.closing = nil
    effects.publish(closing)
    effects.finish()
  }
}

extension TrailingValue: DemandCounting {
  var unansweredDemand: Demand { demand }
}
