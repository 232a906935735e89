import StreamCombine

/// What is known of an operator that is to ask again for what it leaves out.
final class MakingGood {
  /// How many values it has passed on.
  var passedCount = 0
  var subscription: (any Subscription)?
}

/// A publisher that is asked for another value in place of each that the operator after it leaves out.
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
