import Dispatch
import StreamCombine
import StreamEngine
import Synchronization

/// A subscriber that records its events, and requests the given demand.
final class Probe<Input: Sendable>: Subscriber, @unchecked Sendable {  // `state` is behind a mutex
  typealias Failure = StreamFailure

  private struct State {
    var subscription: (any Subscription)?
    var events: [Event] = []
    var isReceiving = false
  }

  enum Event {
    case subscription
    case value(Input)
    case finished
    case failure(StreamFailure)
  }

  private let state = Mutex(State())
  private let initialDemand: Subscribers.Demand
  /// Called with every value, within `receive`; gives what is asked for in answer.
  var onValue: (Input, Probe) -> Subscribers.Demand = { _, _ in .none }

  init(demand: Subscribers.Demand = .unlimited) { initialDemand = demand }

  func receive(subscription: any Subscription) {
    let held = Unchecked(subscription)
    state.withLock { state in
      state.subscription = held.content
      state.events.append(.subscription)
    }
    if initialDemand > .none { subscription.request(initialDemand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let isNested = state.withLock { state in
      defer { state.isReceiving = true }
      state.events.append(.value(input))
      return state.isReceiving
    }
    precondition(!isNested, "one value is delivered at a time")
    defer { state.withLock { $0.isReceiving = false } }
    return onValue(input, self)
  }

  func receive(completion: Subscribers.Completion<StreamFailure>) {
    state.withLock { state in
      switch completion {
      case .finished: state.events.append(.finished)
      case .failure(let failure): state.events.append(.failure(failure))
      }
    }
  }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }

  /// Releases the subscription without canceling it.
  func forget() { state.withLock { $0.subscription = nil } }

  private var subscription: (any Subscription)? { state.withLock { Unchecked($0.subscription) }.content }

  var events: [Event] { state.withLock { $0.events } }

  var values: [Input] { events.compactMap { if case .value(let value) = $0 { value } else { nil } } }

  var failure: StreamFailure? {
    events.lazy.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }.first
  }

  var isFinished: Bool { if case .finished? = events.last { true } else { false } }
}

extension Probe where Input: CustomStringConvertible {
  /// The events as text: `s` for the subscription, `|` and `#` for the ends.
  var text: String {
    events.map { event in
      switch event {
      case .subscription: "s"
      case .value(let value): value.description
      case .finished: "|"
      case .failure: "#"
      }
    }
    .joined(separator: " ")
  }
}

/// NB: the tests hand subscriptions from thread to thread, as publishers allow.
struct Unchecked<Content>: @unchecked Sendable {
  let content: Content
  init(_ content: Content) { self.content = content }
}

extension DispatchQueue {
  /// The queue as a scheduler of whichever Combine there is.
  var asScheduler: QueueScheduler {
    #if canImport(Combine)
    self
    #else
    ocombine
    #endif
  }
}
