internal import StreamCore
@_spi(Driving) internal import StreamKit
public import StreamRuntime

/// Publishes what a stream publishes. Every subscriber has an execution of its own.
///
/// Keeps Combine's contract: a subscription comes first, values as they are asked for, one at a time, and nothing after
/// the end or after `cancel`. What is sent from within `receive` is published after that has returned. When `cancel`
/// returns nothing is being delivered on another thread any more, unless it is called within a delivery.
public struct StreamPublisher<Output: Decodable>: Publisher {
  public typealias Failure = StreamFailure

  let stream: Result<LiveStream, StreamFailure>
  let keeper: SchedulerAdapter

  init(_ stream: Result<LiveStream, StreamFailure>, _ keeper: SchedulerAdapter) {
    self.stream = stream
    self.keeper = keeper
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == StreamFailure {
    switch stream {
    case .success(let stream):
      let subscription = StreamSubscription(stream, keeper, subscriber)
      subscriber.receive(subscription: subscription)
      subscription.begin()
    case .failure(let failure):
      Fail(outputType: Output.self, failure: failure).receive(subscriber: subscriber)
    }
  }
}
