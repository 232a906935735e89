@_spi(Driving) internal import StreamKit
public import StreamRuntime

extension StreamPublisher {
  /// Hands every value to a closure, and the end to another: what every publisher's `sink` does, with fewer objects
  /// in between.
  ///
  /// - Returns: what cancels the subscription when it is canceled or released.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<StreamFailure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    switch stream {
    case .success(let stream):
      let subscription = SinkSubscription(stream, keeper, receiveCompletion, receiveValue)
      subscription.request(.unlimited)
      subscription.begin()
      return AnyCancellable(subscription.cancel)
    case .failure(let failure):
      receiveCompletion(.failure(failure))
      return AnyCancellable {}
    }
  }
}
