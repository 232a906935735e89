public import StreamEngine
@_spi(Driving) internal import StreamKit

/// A publisher of a stream's values. Every subscriber gets its own execution.
///
/// ```swift
/// let numbers: StreamPublisher<Int> = live.publisher(of: Int.self, delivery: .immediate)
/// let token = numbers.failures(.log).sink { lines.append("\($0)") }
/// ```
///
/// It follows Combine's contract: the subscription comes first, values follow demand, one at a time, and nothing
/// follows the completion or `cancel`, except for a value that another thread is delivering when `cancel` returns, as in
/// Combine. Values sent from within `receive` are published after it has returned. A subscriber that comes within 64
/// nested deliveries receives its first value after the outermost one.
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
