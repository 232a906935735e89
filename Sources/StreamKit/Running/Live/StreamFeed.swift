public import StreamCore
public import StreamRuntime
internal import Synchronization

/// Where the values of an input come from: a `StreamInput`, a `PassthroughInput`, a publisher, or the host's own.
///
/// One feed may feed many inputs of many subscriptions. It is used from any thread.
public protocol StreamFeed: AnyObject, Sendable {
  /// Tells the receiver the current value, if there is one, before this returns, and everything from now on.
  ///
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

/// Keeps something going until it is cancelled or released.
public final class StreamToken: Sendable {
  private let action: Mutex<(@Sendable () -> Void)?>

  /// - Parameter action: what ends it; called once.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  deinit { cancel() }

  /// Ends it; more than once does nothing.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
