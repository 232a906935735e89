import StreamCombine

/// Holds back what is asked of a publisher until it is opened.
final class DemandGate {
  private var isOpen = false
  private var waiting: [() -> Void] = []

  func pass(_ request: @escaping () -> Void) {
    if isOpen { request() } else { waiting.append(request) }
  }

  func open() {
    guard !isOpen else { return }
    isOpen = true
    for request in waiting { request() }
    waiting = []
  }
}

/// A publisher that is asked for values only when the gate is open.
struct GatedPublisher<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let gate: DemandGate

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(
      Relay(
        subscriber, request: { [gate] demand, subscription in gate.pass { subscription.request(demand) } }))
  }
}

/// A publisher whose first request opens the gate.
struct GateOpener<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let gate: DemandGate

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(
      Relay(
        subscriber,
        request: { [gate] demand, subscription in
          subscription.request(demand)
          gate.open()
        }))
  }
}

/// A publisher that opens the gate when it has been subscribed to.
struct GateOpenedBySubscribing<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let gate: DemandGate

  func receive(subscriber: some Subscriber<Output, Failure>) {
    upstream.subscribe(subscriber)
    gate.open()
  }
}
