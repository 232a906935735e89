import StreamCombine

/// A publisher that is asked for everything, and whose values wait for demand: what a subject, `debounce` and `throttle`
/// of ours do. A finish follows the values that wait, a failure does not wait.
struct WaitingPublisher<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  /// Whether values wait from the subscription on, as those of a subject do, or from the first demand.
  let asksAtOnce: Bool

  func receive(subscriber: some Subscriber<Output, Failure>) { upstream.subscribe(Waiting(subscriber, asksAtOnce)) }
}

private final class Waiting<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let downstream: Downstream
  private var subscription: (any Subscription)?
  private var demand = Subscribers.Demand.none
  private var values: [Input] = []
  private var isFinished = false
  private var isOver = false
  private var isDraining = false

  private let asksAtOnce: Bool

  init(_ downstream: Downstream, _ asksAtOnce: Bool) {
    self.downstream = downstream
    self.asksAtOnce = asksAtOnce
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    downstream.receive(subscription: self)
    if asksAtOnce, !isOver { subscription.request(.unlimited) }
  }

  func request(_ demand: Subscribers.Demand) {
    guard !isOver else { return }
    self.demand += demand
    drain()
    if !isOver, !asksAtOnce { subscription?.request(.unlimited) }
  }

  func receive(_ value: Input) -> Subscribers.Demand {
    guard !isOver else { return .none }
    values.append(value)
    drain()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    if case .failure = completion {
      isOver = true
      return downstream.receive(completion: completion)
    }
    isFinished = true
    drain()
  }

  func cancel() {
    isOver = true
    subscription?.cancel()
    subscription = nil
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    while !isOver, !values.isEmpty, demand > .none {
      demand -= 1
      demand += downstream.receive(values.removeFirst())
    }
    isDraining = false
    if !isOver, values.isEmpty, isFinished {
      isOver = true
      downstream.receive(completion: .finished)
    }
  }
}
