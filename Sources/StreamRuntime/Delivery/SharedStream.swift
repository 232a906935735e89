public import StreamCore

/// How one subscription serves many: what `share` means.
public struct Sharing: Hashable, Sendable {
  /// How many of the newest values a new subscriber is given first. Default 0.
  public var replay: Int
  /// How long a value is given to new subscribers; nil for ever.
  public var replayInterval: Interval?
  /// What a subscriber is given before the first value has come.
  public var initialValue: Value?
  /// Whether a subscriber that comes after the end begins anew, rather than to be told of that end.
  public var resetsOnFinish: Bool
  public var resetsOnFailure: Bool
  /// Whether what is replayed is forgotten when the last subscriber leaves.
  public var resetsWhenUnused: Bool
  /// Whether upstream goes on when the last subscriber leaves.
  public var staysConnected: Bool
  /// How many subscribers it takes to subscribe to upstream. Default 1.
  public var subscribersToConnect: Int

  public init(
    replay: Int = 0, replayInterval: Interval? = nil, initialValue: Value? = nil, resetsOnFinish: Bool = false,
    resetsOnFailure: Bool = false, resetsWhenUnused: Bool = false, staysConnected: Bool = false,
    subscribersToConnect: Int = 1
  ) {
    self.replay = replay
    self.replayInterval = replayInterval
    self.initialValue = initialValue
    self.resetsOnFinish = resetsOnFinish
    self.resetsOnFailure = resetsOnFailure
    self.resetsWhenUnused = resetsWhenUnused
    self.staysConnected = staysConnected
    self.subscribersToConnect = subscribersToConnect
  }

  /// How many values are kept for those to come.
  var capacity: Int { initialValue == nil ? replay : max(replay, 1) }
}
