internal import StreamCore
internal import StreamEngine
internal import Synchronization

/// The subscribers of a stream that runs once for all of them.
final class ChangingSubscribers: Sendable {
  /// Receives every value from its subscription on, and the completion.
  struct Subscriber: Sendable {
    /// Returns a failure for a value that does not fit, which ends the subscription.
    let receive: @Sendable (Value) -> StreamFailure?
    let end: @Sendable (Completion) -> Void
    /// Called if the stream is canceled, for a loop that would wait forever.
    var cancel: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  private struct State {
    var subscribers: [(number: Int, subscriber: Subscriber)] = []
    var count = 0
    var completion: Completion?
    /// Whether the stream has started.
    var hasBegun = false
  }

  /// Adds a subscriber. Returns its number, and whether it is the first one; nil after the completion, which it receives.
  func add(_ subscriber: Subscriber) -> (number: Int, isFirst: Bool)? {
    let (added, completion) = state.withLock { state -> ((Int, Bool)?, Completion?) in
      if let completion = state.completion { return (nil, completion) }
      defer { state.hasBegun = true }
      state.count += 1
      state.subscribers.append((state.count, subscriber))
      return ((state.count, !state.hasBegun), nil)
    }
    if let completion { subscriber.end(completion) }
    return added
  }

  func remove(_ number: Int) {
    // Released outside the lock: a deinitializer may run any code.
    let gone = state.withLock { state -> Subscriber? in
      guard let place = state.subscribers.firstIndex(where: { $0.number == number }) else { return nil }
      return state.subscribers.remove(at: place).subscriber
    }
    _ = gone
  }

  func receive(_ value: Value) {
    for (number, subscriber) in state.withLock(\.subscribers) {
      guard let failure = subscriber.receive(value) else { continue }
      remove(number)
      subscriber.end(.failure(failure))
    }
  }

  func end(_ completion: Completion) { for subscriber in complete(completion) { subscriber.end(completion) } }

  /// Ends the subscriptions to a stream that was canceled, and those to come. Has no effect after the completion.
  func cancel() { for subscriber in complete(.finished) { subscriber.cancel() } }

  /// Stores the completion, and returns the subscribers, which are removed.
  private func complete(_ completion: Completion) -> [Subscriber] {
    state.withLock { state in
      state.completion = state.completion ?? completion
      defer { state.subscribers = [] }
      return state.subscribers.map(\.subscriber)
    }
  }
}
