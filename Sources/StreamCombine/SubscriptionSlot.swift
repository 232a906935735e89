internal import Synchronization

/// The one subscription of a subscriber, from when it comes until it ends.
final class SubscriptionSlot: Sendable {
  private let state = Mutex(State.waiting)

  private enum State {
    case waiting
    case filled(Held)
    case over
  }

  /// NB: a subscription may be canceled from any thread.
  private struct Held: @unchecked Sendable {
    let subscription: any Subscription
  }

  /// Stores a subscription. Returns whether it is the first one and is still wanted.
  func fill(_ subscription: any Subscription) -> Bool {
    let held = Held(subscription: subscription)
    return state.withLock { state in
      guard case .waiting = state else { return false }
      state = .filled(held)
      return true
    }
  }

  /// Removes and returns the subscription, if there is one.
  @discardableResult
  func empty() -> (any Subscription)? {
    let held = state.withLock { state -> Held? in
      defer { state = .over }
      guard case .filled(let held) = state else { return nil }
      return held
    }
    return held?.subscription
  }
}
