internal import CEL
public import StreamCore
internal import StreamEngine
@_spi(Driving) public import StreamKit
internal import Synchronization

extension Publisher where Output: Encodable {
  /// Returns a feed that sends the values of this publisher to an input of a stream. Each subscription of the stream
  /// subscribes to the publisher with unlimited demand.
  ///
  /// A failure of the publisher fails the input: a `StreamFailure` unchanged, any other error with code `S407`.
  /// Expressions see an `Encodable` error as `error`.
  ///
  /// - Parameter coding: The coding of the content. Default `standard`.
  public func streamFeed(coding: ValueCoding = .standard) -> any StreamFeed { PublisherFeed(self, coding) }
}

/// NB: publishers are subscribed to, and canceled, from any thread.
private final class PublisherFeed<Upstream: Publisher>: StreamFeed, @unchecked Sendable
where Upstream.Output: Encodable {
  private let upstream: Upstream
  private let subscribers = Mutex<[ObjectIdentifier: [FeedSubscriber<Upstream.Output, Upstream.Failure>]]>([:])

  private let writing: ValueWriting<Upstream.Output>

  init(_ upstream: Upstream, _ coding: ValueCoding) {
    self.upstream = upstream
    writing = ValueWriting(coding)
  }

  var contentType: CELType { CELType(of: Upstream.Output.self) }

  func attach(_ receiver: any FeedReceiver, as number: Int) {
    let subscriber = FeedSubscriber<Upstream.Output, Upstream.Failure>(receiver, number, writing)
    subscribers.withLock { $0[ObjectIdentifier(receiver), default: []].append(subscriber) }
    upstream.subscribe(subscriber)
  }

  func detach(_ receiver: any FeedReceiver) {
    let gone = subscribers.withLock { $0.removeValue(forKey: ObjectIdentifier(receiver)) }
    for subscriber in gone ?? [] { subscriber.cancel() }
  }
}

/// Hands what a publisher publishes to an input.
private final class FeedSubscriber<Input: Encodable, Failure: Error>: Subscriber, Sendable {
  let receiver: any FeedReceiver
  private let number: Int
  private let subscription = SubscriptionSlot()
  private let writing: ValueWriting<Input>

  init(_ receiver: any FeedReceiver, _ number: Int, _ writing: ValueWriting<Input>) {
    self.writing = writing
    self.receiver = receiver
    self.number = number
  }

  func receive(subscription: any Subscription) {
    guard self.subscription.fill(subscription) else { return subscription.cancel() }
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    do throws(StreamFailure) {
      receiver.receive(try writing.write(input), on: number)
    } catch {
      receiver.receive(.failure(error), on: number)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    subscription.empty()
    switch completion {
    case .finished: receiver.receive(.finished, on: number)
    case .failure(let error):
      receiver.receive(.failure(StreamFailure(foreign: error, .streamFailed, "the publisher failed")), on: number)
    }
  }

  func cancel() { subscription.empty()?.cancel() }
}
