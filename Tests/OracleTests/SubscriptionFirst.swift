import StreamCombine

/// Passes everything on, but sees to it that a subscription comes before the end.
///
/// NB: OpenCombine's `zip` and `prefix(untilOutputFrom:)` may end before, which other operators of it stop the process
/// for. And `zip` must be kept for as long as its upstreams run: they know it as `unowned`.
struct SubscriptionFirst<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let keep: (any Subscription) -> Void

  func receive(subscriber: some Subscriber<Output, Failure>) { upstream.subscribe(Inner(subscriber, keep)) }

  private final class Inner<Downstream: Subscriber<Output, Failure>>: Subscriber {
    private let downstream: Downstream
    private let keep: (any Subscription) -> Void
    private var hasSubscription = false

    init(_ downstream: Downstream, _ keep: @escaping (any Subscription) -> Void) {
      self.downstream = downstream
      self.keep = keep
    }

    func receive(subscription: any Subscription) {
      keep(subscription)
      guard !hasSubscription else { return subscription.cancel() }
      hasSubscription = true
      downstream.receive(subscription: subscription)
    }

    func receive(_ value: Output) -> Subscribers.Demand { downstream.receive(value) }

    func receive(completion: Subscribers.Completion<Failure>) {
      if !hasSubscription { receive(subscription: Subscriptions.empty) }
      downstream.receive(completion: completion)
    }
  }
}
