import StreamCombine

/// Passes everything on, but may do something else with a request or a value.
final class Relay<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let downstream: Downstream
  private let request: (Subscribers.Demand, any Subscription) -> Void
  private let deliver: (Input, Downstream, (any Subscription)?) -> Subscribers.Demand
  private var subscription: (any Subscription)?

  init(
    _ downstream: Downstream,
    request: @escaping (Subscribers.Demand, any Subscription) -> Void = { $1.request($0) },
    deliver: @escaping (Input, Downstream, (any Subscription)?) -> Subscribers.Demand = { value, downstream, _ in
      downstream.receive(value)
    }
  ) {
    self.downstream = downstream
    self.request = request
    self.deliver = deliver
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ value: Input) -> Subscribers.Demand { deliver(value, downstream, subscription) }
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
  func request(_ demand: Subscribers.Demand) { if let subscription { request(demand, subscription) } }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// A publisher that is asked with a request of its own for what is asked for in answer to a value.
struct RequestingPublisher<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(
      Relay(
        subscriber,
        deliver: { value, downstream, subscription in
          let demand = downstream.receive(value)
          if demand > .none { subscription?.request(demand) }
          return .none
        }))
  }
}
