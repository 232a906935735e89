import StreamCombine
import StreamCore

/// `output(in:)` that finishes with the last value of its range, as every description of it says.
struct OutputWithLastValue<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let range: Range<Int>

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(Inner(subscriber, range))
  }

  private final class Inner<Downstream: Subscriber<Output, Failure>>: Subscriber, Subscription {
    private let downstream: Downstream
    private let range: Range<Int>
    private var index = 0
    private var subscription: (any Subscription)?
    private var isEnded = false

    init(_ downstream: Downstream, _ range: Range<Int>) {
      self.downstream = downstream
      self.range = range
    }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ value: Output) -> Subscribers.Demand {
      guard !isEnded else { return .none }
      defer { index += 1 }
      guard range.contains(index) else { return .max(1) }
      let demand = downstream.receive(value)
      guard !isEnded, index + 1 == range.upperBound else { return demand }
      isEnded = true
      subscription?.cancel()
      downstream.receive(completion: .finished)
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard !isEnded else { return }
      isEnded = true
      downstream.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      if !isEnded { subscription?.request(demand) }
    }

    func cancel() {
      isEnded = true
      subscription?.cancel()
      subscription = nil
    }
  }
}
