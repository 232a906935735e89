import StreamCombine

/// A shared publisher that asks upstream for what the fastest subscriber wants and the slowest has room for: our `share`.
/// A value without demand waits for its subscriber.
final class PacedShare<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private var subscribers: [Member<Output, Failure>] = []
  private var subscription: (any Subscription)?
  private var ending: Subscribers.Completion<Failure>?
  private var isConnected = false
  private var hasAsked = false
  private var isAsking = false
  private var asksAgain = false
  /// Number of values requested from upstream that have not arrived; nil if all are requested.
  private var asked: Int? = 0

  private static var limit: Int { 1_024 }

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive(subscriber: some Subscriber<Output, Failure>) {
    let member = Member<Output, Failure>(
      deliver: { subscriber.receive($0) }, complete: { subscriber.receive(completion: $0) },
      changed: { [weak self] in self?.ask() })
    member.leave = { [weak self, weak member] in if let member { self?.remove(member) } }
    if let ending {
      subscriber.receive(subscription: member)
      return member.end(ending)
    }
    subscribers.append(member)
    subscriber.receive(subscription: member)
    connect()
  }

  private func connect() {
    guard !isConnected, !subscribers.isEmpty else { return }
    isConnected = true
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { [self] subscription in
          self.subscription = subscription
          ask()
        },
        receiveValue: { [self] value in
          if let owed = asked { asked = Swift.max(0, owed - 1) }
          for member in subscribers { member.receive(value) }
          ask()
          return .none
        },
        receiveCompletion: { [self] completion in
          ending = completion
          let told = subscribers
          subscribers = []
          for member in told { member.end(completion) }
        }))
  }

  /// Requests values. One request ends before the next one begins: OpenCombine's `replaceError` publishes its value again
  /// for a request that comes while it does.
  private func ask() {
    asksAgain = true
    guard !isAsking else { return }
    isAsking = true
    while asksAgain {
      asksAgain = false
      askOnce()
    }
    isAsking = false
  }

  private func askOnce() {
    guard ending == nil, let subscription else { return }
    hasAsked = hasAsked || subscribers.contains { $0.hasAsked }
    guard hasAsked, let owed = asked else { return }
    let demands = subscribers.map(\.demand)
    if demands.allSatisfy({ $0 == .unlimited }) {
      asked = nil
      return subscription.request(.unlimited)
    }
    let most = demands.map { $0.max ?? .max }.max() ?? 0
    let least = subscribers.map { ($0.demand.max ?? .max / 2) + Self.limit - $0.waitingCount }.min() ?? 0
    let wanted = [most, least, Self.limit].min() ?? 0
    guard wanted > owed else { return }
    asked = wanted
    subscription.request(.max(wanted - owed))
  }

  private func remove(_ member: Member<Output, Failure>) {
    subscribers.removeAll { $0 === member }
    guard subscribers.isEmpty, ending == nil else { return ask() }
    subscription?.cancel()
    (subscription, isConnected, hasAsked, asked) = (nil, false, false, 0)
  }
}

/// A subscription to a shared publisher.
private final class Member<Input, Failure: Error>: Subscription {
  private let deliver: (Input) -> Subscribers.Demand
  private let complete: (Subscribers.Completion<Failure>) -> Void
  private let changed: () -> Void
  var leave: () -> Void = {}
  private(set) var demand = Subscribers.Demand.none
  private(set) var hasAsked = false
  private var values: [Input] = []
  private var ending: Subscribers.Completion<Failure>?
  private var isOver = false
  private var isDraining = false

  init(
    deliver: @escaping (Input) -> Subscribers.Demand, complete: @escaping (Subscribers.Completion<Failure>) -> Void,
    changed: @escaping () -> Void
  ) {
    (self.deliver, self.complete, self.changed) = (deliver, complete, changed)
  }

  var waitingCount: Int { values.count }

  func request(_ more: Subscribers.Demand) {
    guard !isOver else { return }
    demand += more
    hasAsked = true
    drain()
    if !isOver, !isDraining { changed() }
  }

  func receive(_ value: Input) {
    guard !isOver else { return }
    values.append(value)
    drain()
  }

  func end(_ completion: Subscribers.Completion<Failure>) {
    guard !isOver else { return }
    ending = completion
    drain()
  }

  func cancel() {
    guard !isOver else { return }
    isOver = true
    leave()
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    while !isOver, !values.isEmpty, demand > .none {
      demand -= 1
      demand += deliver(values.removeFirst())
    }
    isDraining = false
    if !isOver, values.isEmpty, let ending {
      isOver = true
      complete(ending)
    }
  }
}
