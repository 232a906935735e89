public import StreamCore

/// How one subscription serves many: what `share` means.
public struct Sharing: Hashable, Sendable {
  /// How many of the newest values a new subscriber is given first. Default 0.
  public var replay: Int
  /// How long a value is given to new subscribers; nil for ever.
  public var replayInterval: Interval?
  /// What a subscriber is given before the first value has come.
  public var initialValue: Value?
  /// When a subscriber that comes after the end begins anew, rather than to be told of that end.
  public var resetOnFinish: Reset
  public var resetOnFailure: Reset
  /// When what is replayed is forgotten after the last subscriber has left.
  public var resetWhenUnused: Reset
  /// Whether upstream goes on when the last subscriber leaves.
  public var staysConnected: Bool
  /// How many subscribers it takes to subscribe to upstream. Default 1.
  public var subscribersToConnect: Int

  /// When a shared stream begins anew.
  public enum Reset: Hashable, Sendable {
    case never, atOnce
    /// With the first value of the upstream of this number; until then nothing changes.
    case later(upstream: Int)
  }

  public init(
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

  /// How many values are kept for those to come.
  var capacity: Int { initialValue == nil ? replay : max(replay, 1) }
}
