public import CEL
public import StreamCore
public import StreamEngine

/// The source of an input's values: a `StreamInput`, a `PassthroughInput`, a publisher, or a custom feed of the host.
///
/// ```swift
/// /// A feed that sends one value and finishes.
/// final class BatteryFeed: StreamFeed {
///   func attach(_ receiver: any FeedReceiver, as number: Int) {
///     receiver.receive(80, on: number)
///     receiver.receive(.finished, on: number)
///   }
///
///   func detach(_ receiver: any FeedReceiver) {}
/// }
/// ```
///
/// A feed can serve many inputs of many subscriptions, from any thread.
public protocol StreamFeed: AnyObject, Sendable {
  /// The type of the values. A stream refuses the feed if its input can take none of them. Default `dyn`: unknown.
  var contentType: CELType { get }
  /// Sends the receiver the current value, if there is one, before this returns, and every later value.
  ///
  /// - Parameters:
  ///   - receiver: The receiver, which the feed keeps until it is detached.
  ///   - number: The number that identifies the feed to the receiver.
  func attach(_ receiver: any FeedReceiver, as number: Int)
  /// Stops sending to the receiver, and releases it.
  func detach(_ receiver: any FeedReceiver)
}

/// The receiver of a feed's values.
///
/// ```swift
/// func attach(_ receiver: any FeedReceiver, as number: Int) {
///   receiver.receive(80, on: number)
///   receiver.receive(.finished, on: number)
/// }
/// ```
public protocol FeedReceiver: AnyObject, Sendable {
  func receive(_ value: Value, on number: Int)
  func receive(_ completion: Completion, on number: Int)
}
