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
/// follows the completion or `cancel`. Values sent from within `receive` are published after it has returned. `cancel`
/// does not wait: as in Combine, a delivery that is in progress on another thread ends after it.
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
