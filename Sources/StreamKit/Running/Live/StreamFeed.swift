public import StreamCore
public import StreamRuntime

/// Where the values of an input come from: a `StreamInput`, a `PassthroughInput`, a publisher, or the host's own.
///
/// One feed may feed many inputs of many subscriptions. It is used from any thread.
public protocol StreamFeed: AnyObject, Sendable {
  /// Tells the receiver the current value, if there is one, before this returns, and everything from now on.
  ///
  /// - Parameter receiver: the receiver of the events.
  /// - Parameter number: what the receiver knows the feed by.
  func attach(_ receiver: any FeedReceiver, as number: Int)
  /// Tells the receiver nothing any more. The feed has kept the receiver until now.
  func detach(_ receiver: any FeedReceiver)
}

/// Who hears what a feed has to tell.
public protocol FeedReceiver: AnyObject, Sendable {
  func receive(_ value: Value, on number: Int)
  func receive(_ completion: Completion, on number: Int)
}
