import StreamCombine

/// The state of an operator that requests a replacement for each value that it drops.
final class MakingGood {
  /// How many values it has passed on.
  var passedCount = 0
  var subscription: (any Subscription)?
}

/// A publisher that gets a request for another value for each value that the operator after it drops.
struct CountedPublisher<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let makingGood: MakingGood

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(
      Relay(
        subscriber,
        deliver: { [makingGood] value, downstream, _ in
          let before = makingGood.passedCount
          let demand = downstream.receive(value)
          if makingGood.passedCount == before { makingGood.subscription?.request(.max(1)) }
          return demand
        }))
  }
}
