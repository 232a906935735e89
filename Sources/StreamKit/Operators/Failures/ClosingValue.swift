internal import StreamCore
internal import StreamRuntime

/// The values of upstream as they come, and one more at the end that the operator makes: it waits until somebody has
/// asked for it.
struct ClosingValue: Codable, Sendable {
  private var demand = Demand.none
  private var closing: Value?

  mutating func publish(_ value: Value, _ answers: Answers) {
    _ = demand.takeOne()
    answers.publish(value)
  }

  /// Upstream has ended: publishes the value and finishes.
  mutating func close(with value: Value, _ answers: Answers) {
    if demand.takeOne() {
      answers.publish(value)
      answers.finish()
    } else {
      closing = value
    }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    self.demand += demand
    guard let closing else { return answers.request(demand, from: 0) }
    guard self.demand.takeOne() else { return }
    self.closing = nil
    answers.publish(closing)
    answers.finish()
  }
}

extension ClosingValue: DemandCounting {
  var unansweredDemand: Demand { demand }
}
