internal import StreamCore
internal import StreamRuntime

/// The values of upstream as they come, and one more at the end that the operator makes: it waits until somebody has
/// asked for it.
struct TrailingValue: Codable, Sendable {
  private var demand = Demand.none
  private var closing: Value?

  mutating func publish(_ value: Value, _ effects: Effects) {
    _ = demand.takeOne()
    effects.publish(value)
  }

  /// Upstream has ended: publishes the value and finishes.
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
