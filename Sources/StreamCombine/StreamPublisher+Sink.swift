public import StreamEngine
@_spi(Driving) internal import StreamKit

extension StreamPublisher {
  /// Subscribes with closures for values and the completion, with fewer intermediate objects than `Publisher.sink`.
  ///
  /// - Returns: A cancellable that cancels the subscription when it is canceled or released.
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
