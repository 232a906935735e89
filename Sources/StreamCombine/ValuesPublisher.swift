internal import StreamEngine
internal import Synchronization

/// A publisher of the values of a sequence: every subscriber has an iterator of its own, which a task awaits while there is
/// demand.
struct ValuesPublisher<Values: AsyncSequence & Sendable>: Publisher where Values.Element: Sendable {
  typealias Output = Values.Element
  typealias Failure = StreamFailure

  let values: Values

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == StreamFailure {
    let subscription = ValuesSubscription<Values>(
      deliver: subscriber.receive, end: subscriber.receive(completion:))
    subscriber.receive(subscription: subscription)
    subscription.begin(values)
  }
}

/// Awaits values while there is demand.
///
/// `@unchecked`: the subscriber is called by one task, and the state is protected by the mutex.
private final class ValuesSubscription<Values: AsyncSequence & Sendable>: Subscription, @unchecked Sendable
where Values.Element: Sendable {
  typealias Output = Values.Element

  private struct State {
    var demand = Subscribers.Demand.none
    /// The task while it waits for demand.
    var waiting: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?
    var isCanceled = false
  }

  private let deliver: (Output) -> Subscribers.Demand
  private let end: (Subscribers.Completion<StreamFailure>) -> Void
  private let state = Mutex(State())

  init(
    deliver: @escaping (Output) -> Subscribers.Demand, end: @escaping (Subscribers.Completion<StreamFailure>) -> Void
  ) {
    self.deliver = deliver
    self.end = end
  }

  func begin(_ values: Values) {
    // Values that are sent from now on are received.
    let iterator = values.makeAsyncIterator()
    let task = Task {
      var iterator = iterator
      do {
        while let value = try await iterator.next() {
          await waitForDemand()
          if Task.isCancelled { return }
          let more = deliver(value)
          state.withLock { $0.demand += more }
        }
        if !Task.isCancelled { end(.finished) }
      } catch {
        guard !Task.isCancelled else { return }
        let failure = error as? StreamFailure
        end(failure.map { .failure($0) } ?? .finished)
      }
    }
    let isCanceled = state.withLock { state in
      state.task = task
      return state.isCanceled
    }
    if isCanceled { task.cancel() }
  }

  /// Takes one value of the demand.
  private func waitForDemand() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard !state.isCanceled, state.demand == .none else { return true }
        state.waiting = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
    state.withLock { if $0.demand > .none { $0.demand -= 1 } }
  }

  func request(_ demand: Subscribers.Demand) {
    let waiting = state.withLock { state in
      state.demand += demand
      defer { if state.demand > .none { state.waiting = nil } }
      return state.demand > .none ? state.waiting : nil
    }
    waiting?.resume()
  }

  func cancel() {
    let (task, waiting) = state.withLock { state in
      state.isCanceled = true
      defer { (state.task, state.waiting) = (nil, nil) }
      return (state.task, state.waiting)
    }
    task?.cancel()
    waiting?.resume()
  }
}
