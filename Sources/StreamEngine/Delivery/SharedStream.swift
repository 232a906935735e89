package import StreamCore

/// The configuration of a shared subscription: the meaning of `share`.
package struct Sharing: Hashable, Sendable {
  /// Number of recent values that a new subscriber receives first. Default 0.
  package var replay: Int
  /// Maximum age of a replayed value; nil for no maximum.
  package var replayInterval: Interval?
  /// The value a subscriber receives before the first value is published.
  package var initialValue: Value?
  /// The condition for restarting the stream after it finishes; a later subscriber otherwise receives the completion.
  package var resetOnFinish: Reset
  package var resetOnFailure: Reset
  /// The condition for clearing the replay buffer after the last subscriber has canceled.
  package var resetWhenUnused: Reset
  /// Whether the upstream subscription stays active when the last subscriber cancels.
  package var staysConnected: Bool
  /// Number of subscribers required to subscribe to the upstream. Default 1.
  package var subscribersToConnect: Int

  /// The condition for resetting a shared stream.
  package enum Reset: Hashable, Sendable {
    case never, atOnce
    /// The first value of the upstream with this number; nothing changes until then.
    case later(upstream: Int)
  }

  package init(
    replay: Int = 0, replayInterval: Interval? = nil, initialValue: Value? = nil, resetOnFinish: Reset = .never,
    resetOnFailure: Reset = .never, resetWhenUnused: Reset = .never, staysConnected: Bool = false,
    subscribersToConnect: Int = 1
  ) {
    self.replay = replay
    self.replayInterval = replayInterval
    self.initialValue = initialValue
    self.resetOnFinish = resetOnFinish
    self.resetOnFailure = resetOnFailure
    self.resetWhenUnused = resetWhenUnused
    self.staysConnected = staysConnected
    self.subscribersToConnect = subscribersToConnect
  }

  /// Maximum number of values kept for new subscribers.
  var capacity: Int { initialValue == nil ? replay : max(replay, 1) }
}
